import { AS_RECORDED } from '../core/pace.ts';
import { humanBytes, visible } from '../core/text.ts';
import { type DiffOptions, diffSessions } from '../diff/diff.ts';
import { junit, type PairResult } from '../diff/junit.ts';
import { matrixOf } from '../diff/matrix.ts';
import { restrictTo, SECTIONS, type Section, type SessionDiff } from '../diff/result.ts';
import { inspected, writePieces } from '../export/file.ts';
import { Exit, Failure } from '../failure.ts';
import { type Io, writeAll } from '../io.ts';
import { cannotCombine, oneNamed, repeated } from '../options.ts';
import type { Session } from '../session/session.ts';
import { type GoldenPair, goldenPairs, keepTape } from '../store/golden.ts';
import { storeHome } from '../store/home.ts';
import { locate, metadataOf, type OpenSession, openPlace, withSession } from '../store/open.ts';
import type { SessionPlace } from '../store/sessions.ts';
import { collectSooner } from '../tape/heap.ts';
import type { DiffStyle } from '../terminal/diff-entry.ts';
import { goldenLine, goldenSum } from '../terminal/diff-golden.ts';
import { matrixText } from '../terminal/diff-matrix.ts';
import { diffStat } from '../terminal/diff-turns.ts';
import { diffHead, diffSum, diffText } from '../terminal/diff-view.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape diff                            the newest two sessions
  $ wiretape diff k3f9 last                  yesterday against today
  $ wiretape diff a.jsonl b.jsonl --stat     one line per turn
  $ wiretape diff A B --only conversation    without handshake, timing, ...
  $ wiretape diff A B --ignore /result/output --ignore kind:notice
  $ wiretape diff A B --shape                what changed on the wire
  $ wiretape diff A B --format html -o diff.html
                                             both side by side in a browser
  $ wiretape diff v1 v2 v3                   a matrix of what differs
  $ wiretape diff A -- kimi --wire           drive an agent from A and compare
  $ wiretape diff --golden tests/tapes       each tape against the session of
                                             that name
  $ wiretape diff A B --json | jq -r 'select(.kind == "approval") | .path'

Sessions are aligned by meaning: prompts first, then tool calls by name and
arguments, then text. Ids, times, UUIDs, temporary paths, the agent's folder,
chunks of a stream and an order that the protocol leaves open do not count.
Timing and tokens are shown, but do not count either.
--ignore takes a JSON pointer from an entry (/arguments/timeout), optionally
after its kind (/approval/description), with * for any key; or a query: items
with a matching frame are left out.
Exit codes: 0 the same, 1 different, 2 a session cannot be read.`;

type Flag =
  | 'stat'
  | 'json'
  | 'strict'
  | 'showMasked'
  | 'shape'
  | 'full'
  | 'sideBySide'
  | 'unified'
  | 'accept'
  | 'junit'
  | 'force';

interface Options extends Flags<Flag> {
  ignore?: string[];
  only?: Section[];
  golden?: string;
  format?: 'html';
  redact?: string;
  output?: string;
}

export const define: Define = (command, context) => {
  const { io, exit } = context;
  command
    .usage('[options] [SESSIONS…] [-- AGENT [ARGS…]]')
    .argument('[sessions...]', 'sessions or tapes (default: last~1 last; one: that and last)')
    .option('--stat', 'one line per turn')
    .option('--only <sections>', `only these, separated by commas: ${SECTIONS.join(', ')}`, sections)
    .option('--ignore <path>', 'leave out a JSON pointer, or items that match a query; may be repeated', repeated)
    .option('--strict', 'compare ids, times, tokens and paths too')
    .option('--show-masked', 'list what differs only in ids, times and paths')
    .option('--shape', 'show which types of messages and fields came and went')
    .option('--full', 'do not shorten values')
    .option('-y, --side-by-side', 'both values beside each other (default: from 160 columns)')
    .option('-u, --unified', 'one value below the other')
    .option('--golden <folder>', 'compare each tape in it with the session, or the tape in another folder, of its name')
    .option('--accept', 'replace the first tape, or those of the folder that differ, with the other')
    .option('--json', 'print one JSON object per difference, row or pair')
    .option('--junit', 'print JUnit XML')
    .option('--redact <what>', 'of a page: secrets (default), text, or none')
    .option('-f, --format <format>', 'html: a page with both sessions side by side', pageFormat)
    .option('-o, --output <file>', 'write the page to this file; - is stdout, the default')
    .option('--force', 'replace an existing file')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const at = context.argv?.indexOf('--') ?? -1;
      if (at >= 0) return exit(await driven(io, words, context.argv.slice(at + 1), options));
      checkOptions(words, options);
      if (options.golden !== undefined) return exit(await golden(io, options.golden, words, options));
      if (words.length > 2) return exit(await matrix(io, words, options));
      exit(await pair(io, words, options));
    });
};

/** What only a page has, and what it does not have. */
function checkPage(words: readonly string[], options: Options): void {
  const { format, golden } = options;
  const ofPage = (['output', 'force', 'redact'] as const).find((name) => options[name] !== undefined);
  if (format === undefined && ofPage) throw new Failure(`--${ofPage} needs --format html`);
  if (format === undefined) return;
  const other = (['json', 'junit', 'stat', 'accept'] as const).find((name) => options[name]);
  if (other) throw cannotCombine('--format', `--${other}`);
  if (golden !== undefined) throw cannotCombine('--format', '--golden');
  if (words.length > 2) throw new Failure('a page compares two sessions', 'name two of them');
}

function pageFormat(word: string): 'html' {
  return oneNamed('format', word, [{ name: 'html' as const }]).name;
}

function checkOptions(words: readonly string[], options: Options): void {
  const { strict, showMasked, json, junit: xml, sideBySide, unified, accept, golden } = options;
  checkPage(words, options);
  if (strict && showMasked) throw cannotCombine('--strict', '--show-masked');
  if (json && xml) throw cannotCombine('--json', '--junit');
  if (sideBySide && unified) throw cannotCombine('--side-by-side', '--unified');
  if (golden !== undefined && words.length > 1)
    throw new Failure('--golden takes one other folder', 'or none, to compare with sessions by name');
  if (golden === undefined && accept && words.length !== 2)
    throw new Failure('--accept needs two sessions', 'the first must be a tape file');
}

async function pair(io: Io, words: readonly string[], options: Options): Promise<number> {
  const home = storeHome(io.env);
  const [a, b] = words.length === 2 ? [words[0]!, words[1]!] : [words[0] ?? 'last~1', 'last'];
  const places = { a: locate(home, a), b: locate(home, b) };
  if (words.length === 1 && places.a.tape === places.b.tape)
    throw new Failure(`${a} is the newest session itself`, `name another one: wiretape diff last~1 ${a}`);
  if (options.accept && places.a.dir !== null)
    throw new Failure(`${a} is a session in a store`, '--accept replaces a tape file, not a recording');
  if (options.format) return page(io, places, options);
  const diff = await diffOf(places.a, places.b, options);
  if (options.junit) await writeAll(io, junit([{ name: `${a} ${b}`, diff, trouble: null }]));
  else await print(io, diff, options);
  if (diff.same || !options.accept) return diff.same ? Exit.ok : Exit.no;
  accept(places.b, places.a.tape);
  io.say(`wiretape: replaced ${places.a.tape}`);
  return Exit.ok;
}

/** Both sessions in a page, with what differs. */
async function page(
  io: Io,
  places: Record<'a' | 'b', SessionPlace>,
  { output = '-', force = false, ...options }: Options,
): Promise<number> {
  if (output === '-' && io.interactive) throw new Failure('a page is not for a terminal', 'add -o page.html');
  const { diffOfPage, htmlPage } = await import('../export/html.ts');
  return withBoth(places.a, places.b, async (a, b) => {
    const { leaving } = await import('../redaction.ts');
    const left = leaving([a, b], options, io);
    const [first, second] = left.sessions as [Session, Session];
    const found = diffOfPage(first, second, await engineOptions(a, b, options));
    const diff = options.only ? restrictTo(found, options.only) : found;
    const progress = (done: number, all: number) =>
      io.progress('writing the page, in MB:', Math.floor(done / 1e6), Math.ceil(all / 1e6));
    const replaced = left.replaced ? { replaced: left.replaced } : {};
    const pieces = htmlPage(left.sessions, { diff, progress, ...replaced });
    if (output === '-') for await (const piece of inspected(pieces, left.inspect)) if (!(await io.write(piece))) break;
    const size = output === '-' ? 0 : await writePieces(output, force, pieces, left.inspect);
    io.progress('', 0, 0);
    if (size > 0) io.say(`wiretape: wrote ${visible(output)}: ${humanBytes(size)}`);
    return diff.same ? Exit.ok : Exit.no;
  });
}

/** Drives a live agent from a session, and compares the two: "wiretape replay A -- AGENT" with the options of this command. */
async function driven(
  io: Io,
  words: readonly string[],
  agent: readonly string[],
  options: Options,
): Promise<number | { signal: NodeJS.Signals }> {
  const [word, ...others] = words.slice(0, words.length - agent.length);
  if (word === undefined || others.length > 0 || agent.length === 0)
    throw new Failure('an agent is compared with one session', 'wiretape diff SESSION -- AGENT');
  const { runAsClient } = await import('../replay/client/command.ts');
  const home = storeHome(io.env);
  const { outcome, session } = await withSession(home, word, (recorded) =>
    runAsClient(recorded, agent, { pace: AS_RECORDED, home }, io),
  );
  if (session === null) return outcome;
  checkOptions([word, session], options);
  const isSame = await pair(io, [word, session], options);
  return outcome === Exit.ok ? isSame : outcome;
}

/** A session that still grows is not what anybody expects. */
function accept(place: SessionPlace, path: string): void {
  const session = openPlace(place);
  try {
    if (session.running) throw new Failure(`session ${place.id} is still running`, 'accept it when it has ended');
    keepTape(session.tape, path);
  } finally {
    session.close();
  }
}

async function diffOf(a: SessionPlace, b: SessionPlace, options: Options): Promise<SessionDiff> {
  return withBoth(a, b, async (one, other) => {
    const diff = diffSessions(one, other, await engineOptions(one, other, options));
    return options.only ? restrictTo(diff, options.only) : diff;
  });
}

/** Opens both sessions until `use` is done with them. */
async function withBoth<T>(
  a: SessionPlace,
  b: SessionPlace,
  use: (a: OpenSession, b: OpenSession) => Promise<T>,
): Promise<T> {
  const opened: OpenSession[] = [];
  try {
    for (const place of [a, b]) opened.push(openPlace(place));
    for (const session of opened) metadataOf(session);
    collectSooner(opened.map(({ tape }) => tape));
    const [one, other] = opened as [OpenSession, OpenSession];
    return await use(one, other);
  } finally {
    for (const session of opened) session.close();
  }
}

async function engineOptions(a: OpenSession, b: OpenSession, options: Options): Promise<DiffOptions> {
  const { ignore = [], strict = false, showMasked = false, only } = options;
  const queries = ignore.filter((word) => !word.startsWith('/'));
  const ignoreFrames = queries.length > 0 ? { a: await itemsFound(a, queries), b: await itemsFound(b, queries) } : null;
  return {
    ...{ strict, showMasked, shape: options.shape ?? only?.includes('shape') ?? false },
    ignorePaths: ignore.filter((word) => word.startsWith('/')),
    ...(ignoreFrames ? { ignoreFrames } : {}),
  };
}

/** The first frames of the items with a matching frame. Loads the query reader only if there is a query. */
async function itemsFound(session: OpenSession, queries: readonly string[]): Promise<Set<number>> {
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
  const style = styleOf(io, options);
  io.page();
  if (!options.stat) return writeAll(io, diffText(diff, style));
  await writeAll(io, diffHead(diff, style));
  await writeAll(io, diffStat(diff, style));
  await io.write(`${diffSum(diff)}\n`);
}

/** Terminals that are wide enough for two columns, and the width of files and pipes. */
const WIDE = 160;
const USUAL = 120;

function styleOf(io: Io, { full = false, sideBySide, unified }: Options): DiffStyle {
  const isWide = io.interactive && io.columns >= WIDE;
  const beside = sideBySide ?? (!unified && isWide);
  const columns = beside && !Number.isFinite(io.columns) ? USUAL : io.columns;
  return { columns, theme: themeFor(io.color), full, beside };
}

/** Every session against the first. */
async function matrix(io: Io, words: readonly string[], options: Options): Promise<number> {
  const home = storeHome(io.env);
  const [first, ...others] = words.map((word) => locate(home, word));
  const diffs: SessionDiff[] = [];
  for (const [done, place] of others.entries()) {
    io.progress('comparing sessions', done, others.length);
    diffs.push(await diffOf(first!, place, options));
  }
  io.progress('', 0, 0);
  const found = matrixOf(diffs);
  if (options.json) {
    for (const row of found.rows) if (!(await io.json(row))) break;
  } else if (options.junit) {
    await writeAll(io, junit(diffs.map((diff) => ({ name: diff.b.name ?? diff.b.session, diff, trouble: null }))));
  } else {
    io.page();
    await writeAll(io, matrixText(found, styleOf(io, options)));
  }
  return found.same ? Exit.ok : Exit.no;
}

async function golden(io: Io, folder: string, words: readonly string[], options: Options): Promise<number> {
  const pairs = goldenPairs(storeHome(io.env), folder, words[0] ?? null);
  const results: PairResult[] = [];
  for (const [done, one] of pairs.entries()) {
    io.progress('comparing tapes', done, pairs.length);
    const result = await goldenResult(one, options);
    results.push(result);
    const isNew = one.actual !== null && (one.expected === null || result.diff?.same === false);
    const accepted = options.accept === true && isNew;
    if (accepted) accept(one.actual!, one.path);
    if (options.json) await io.json(goldenRow(one, result, accepted));
    else if (!options.junit) await io.write(goldenLine(result, accepted, pairs, styleOf(io, options)));
  }
  io.progress('', 0, 0);
  if (options.junit) await writeAll(io, junit(results));
  else if (!options.json) await io.write(goldenSum(results));
  if (results.some(({ unreadable }) => unreadable)) return Exit.failed;
  return options.accept || results.every(({ diff }) => diff?.same) ? Exit.ok : Exit.no;
}

async function goldenResult({ name, expected, actual }: GoldenPair, options: Options): Promise<PairResult> {
  if (!actual) return { name, diff: null, trouble: 'no session of that name' };
  if (!expected) return { name, diff: null, trouble: 'no expected tape' };
  try {
    return { name, diff: await diffOf(expected, actual, options), trouble: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, diff: null, trouble: `cannot be compared: ${error.message}`, unreadable: true };
  }
}

function goldenRow({ name, path, actual }: GoldenPair, { diff, trouble }: PairResult, accepted: boolean) {
  const op = diff ? (diff.same ? 'same' : 'changed') : null;
  return {
    name,
    op,
    expected: path,
    actual: actual?.tape ?? null,
    counts: diff?.counts ?? null,
    message: trouble,
    accepted,
  };
}

function sections(word: string, before: Section[] = []): Section[] {
  const known = SECTIONS.map((name) => ({ name }));
  return [...before, ...word.split(',').map((one) => oneNamed('section', one.trim(), known).name)];
}
