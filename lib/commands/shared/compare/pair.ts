/** Two sessions of a store or of files, compared as the options say. */
import { type DiffOptions, diffSessions } from '../../../analysis/diff/diff.ts';
import { type DiffSection, restrictTo, type SessionDiff } from '../../../analysis/diff/result.ts';
import type { Tolerance } from '../../../analysis/diff/tolerance.ts';
import { metadataOf, type OpenSession, openPlace } from '../../../storage/store/open.ts';
import type { SessionPlace } from '../../../storage/store/sessions.ts';
import { collectGarbageSooner } from '../../../storage/tape/garbage-collection.ts';

/** What counts. */
export interface SessionCompareOptions {
  strict?: boolean;
  showMasked?: boolean;
  shape?: boolean;
  /** Times count too. */
  timing?: boolean;
  tolerance?: Tolerance;
  /** Pointers, and queries for items. */
  ignore?: string[];
  only?: DiffSection[];
}

export async function diffOf(a: SessionPlace, b: SessionPlace, options: SessionCompareOptions): Promise<SessionDiff> {
  return withSessions(a, b, async (one, other) => {
    const diff = diffSessions(one, other, await diffOptionsFor(one, other, options));
    return options.only ? restrictTo(diff, options.only) : diff;
  });
}

/** Opens both sessions until `use` is done with them. */
export async function withSessions<T>(
  a: SessionPlace,
  b: SessionPlace,
  use: (a: OpenSession, b: OpenSession) => Promise<T>,
): Promise<T> {
  const opened: OpenSession[] = [];
  try {
    for (const place of [a, b]) opened.push(openPlace(place));
    for (const session of opened) metadataOf(session);
    collectGarbageSooner(opened.map(({ tape }) => tape));
    const [one, other] = opened as [OpenSession, OpenSession];
    return await use(one, other);
  } finally {
    for (const session of opened) session.close();
  }
}

export async function diffOptionsFor(
  a: OpenSession,
  b: OpenSession,
  options: SessionCompareOptions,
): Promise<DiffOptions> {
  const { ignore = [], strict = false, showMasked = false, only } = options;
  const queries = ignore.filter((word) => !word.startsWith('/'));
  const ignoreFrames = queries.length > 0 ? { a: await findItems(a, queries), b: await findItems(b, queries) } : null;
  return {
    ...{ strict, showMasked, shape: options.shape ?? only?.includes('shape') ?? false },
    timing: options.timing ? (options.tolerance ?? true) : false,
    ignorePaths: ignore.filter((word) => word.startsWith('/')),
    ...(ignoreFrames ? { ignoreFrames } : {}),
  };
}

/** The first frames of the items with a matching frame. Loads the query reader only if there is a query. */
async function findItems(session: OpenSession, queries: readonly string[]): Promise<Set<number>> {
  const { readQuery } = await import('../../../storage/search/query.ts');
  const { searchInPass } = await import('../../../storage/search/one-pass.ts');
  const { withTimeLimit: limited } = await import('../../../storage/search/time-limit.ts');
  const { Pass } = await import('../../../session/pass.ts');
  const items = new Set<number>();
  for (const query of queries) {
    const expr = readQuery(query);
    if (expr === null) continue;
    for (const found of limited(expr, searchInPass(session, new Pass(session), expr)))
      if (found) items.add(found.facts.item ?? found.facts.f);
  }
  return items;
}
