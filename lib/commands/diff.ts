import { type DiffOptions, diffSessions } from '../diff/diff.ts';
import { restrictTo, SECTIONS, type Section, type SessionDiff } from '../diff/result.ts';
import { Exit, Failure } from '../failure.ts';
import { type Io, writeAll } from '../io.ts';
import { cannotCombine, oneNamed, repeated } from '../options.ts';
import { storeHome } from '../store/home.ts';
import { locate, metadataOf, openPlace } from '../store/open.ts';
import { diffHead, diffStat, diffSum, diffText } from '../terminal/diff-view.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape diff                            the newest session against the one before it
  $ wiretape diff k3f9 last                  yesterday against today
  $ wiretape diff a.jsonl b.jsonl --stat     one line per turn
  $ wiretape diff A B --only conversation    leave out handshake, timing and the rest
  $ wiretape diff A B --ignore /result/output --ignore 'kind:notice'
  $ wiretape diff A B --shape                what an agent version changed on the wire
  $ wiretape diff A B --show-masked          also ids, times and paths that differ
  $ wiretape diff A B --json | jq -r 'select(.kind == "approval") | .path'

Sessions are aligned by meaning: prompts first, then tool calls by name and
arguments, then text. Ids, times, UUIDs, temporary paths, the agent's folder,
chunks of a stream and an order that the protocol leaves open do not count.
Timing and tokens are shown, but do not count either.
--ignore takes a JSON pointer from an entry (/arguments/timeout), optionally
after its kind (/approval/description), with * for any key; or a query: items
with a matching frame are left out.
Exit codes: 0 the same, 1 different, 2 a session cannot be read.`;

interface Options extends Flags<'stat' | 'json' | 'strict' | 'showMasked' | 'shape' | 'full'> {
  ignore?: string[];
  only?: Section[];
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'two sessions or tapes (default: last~1 last; one: that and last)')
    .option('--stat', 'one line per turn')
    .option('--only <sections>', `only these, separated by commas: ${SECTIONS.join(', ')}`, sections)
    .option('--ignore <path>', 'leave out a JSON pointer, or items that match a query; may be repeated', repeated)
    .option('--strict', 'compare ids, times, tokens and paths too')
    .option('--show-masked', 'list what differs only in ids, times and paths')
    .option('--shape', 'show which types of messages and fields came and went')
    .option('--full', 'do not shorten values')
    .option('--json', 'print one JSON object per difference')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      if (options.strict && options.showMasked) throw cannotCombine('--strict', '--show-masked');
      const [a, b] = twoOf(words);
      const diff = await diffOf(io, a, b, options);
      await print(io, diff, options);
      if (!diff.same) exit(Exit.no);
    });
};

function twoOf(words: readonly string[]): [string, string] {
  if (words.length > 2) throw new Failure(`diff compares two sessions, not ${words.length}`);
  return words.length === 2 ? [words[0]!, words[1]!] : [words[0] ?? 'last~1', 'last'];
}

async function diffOf(io: Io, a: string, b: string, options: Options): Promise<SessionDiff> {
  const home = storeHome(io.env);
  const places = [locate(home, a), locate(home, b)];
  const opened = places.map(openPlace);
  try {
    for (const session of opened) metadataOf(session);
    const [one, other] = opened as [(typeof opened)[0], (typeof opened)[0]];
    const diff = diffSessions(one, other, await engineOptions(one, other, options));
    return options.only ? restrictTo(diff, options.only) : diff;
  } finally {
    for (const session of opened) session.close();
  }
}

type Opened = ReturnType<typeof openPlace>;

async function engineOptions(a: Opened, b: Opened, options: Options): Promise<DiffOptions> {
  const { ignore = [], strict = false, showMasked = false, only } = options;
  const queries = ignore.filter((word) => !word.startsWith('/'));
  return {
    ...{ strict, showMasked },
    shape: options.shape ?? only?.includes('shape') ?? false,
    ignorePaths: ignore.filter((word) => word.startsWith('/')),
    ...(queries.length > 0
      ? { ignoreFrames: { a: await itemsFound(a, queries), b: await itemsFound(b, queries) } }
      : {}),
  };
}

/** The first frames of the items with a matching frame. Loads the query reader only if there is a query. */
async function itemsFound(session: Opened, queries: readonly string[]): Promise<Set<number>> {
  const { readQuery } = await import('../search/query.ts');
  const { searchInPass } = await import('../search/one-pass.ts');
  const { limited } = await import('../search/in-time.ts');
  const { Pass } = await import('../session/pass.ts');
  const items = new Set<number>();
  for (const query of queries) {
    const expr = readQuery(query);
    if (expr === null) continue;
    for (const found of limited(expr, searchInPass(session, new Pass(session), expr)))
      if (found) items.add(found.facts.item ?? found.facts.f);
  }
  return items;
}

async function print(io: Io, diff: SessionDiff, options: Options): Promise<void> {
  if (options.json) {
    for (const row of options.stat ? diff.turns : diff.entries) if (!(await io.json(row))) return;
    return;
  }
  const style = { columns: io.columns, theme: themeFor(io.color), full: options.full ?? false };
  io.page();
  if (options.stat) {
    await writeAll(io, diffHead(diff, style));
    await writeAll(io, diffStat(diff, style));
    await io.write(`${diffSum(diff)}\n`);
  } else await writeAll(io, diffText(diff, style));
}

function sections(word: string, before: Section[] = []): Section[] {
  const known = SECTIONS.map((name) => ({ name }));
  return [...before, ...word.split(',').map((one) => oneNamed('section', one.trim(), known).name)];
}
