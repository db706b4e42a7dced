import { junit } from '../analysis/diff/junit.ts';
import { matrixOf } from '../analysis/diff/matrix.ts';
import { DIFF_SECTIONS, type DiffSection, type SessionDiff } from '../analysis/diff/result.ts';
import { type Tolerance, USUAL_TOLERANCE } from '../analysis/diff/tolerance.ts';
import { Exit, Failure } from '../model/failure.ts';
import { AS_RECORDED } from '../model/pace.ts';
import { parseDuration } from '../model/text/quantity.ts';
import type { DiffStyle } from '../output/terminal/diff-entry.ts';
import { matrixText } from '../output/terminal/diff-matrix.ts';
import { diffStat } from '../output/terminal/diff-turns.ts';
import { diffHead, diffText, diffTotals } from '../output/terminal/diff-view.ts';
import { type Io, writeAll } from '../output/terminal/io.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { storeHome } from '../storage/store/home.ts';
import { locate, withSession } from '../storage/store/open.ts';
import type { Define, Flags } from './index.ts';
import { acceptTape, compareGolden } from './shared/compare/golden.ts';
import { comparePage } from './shared/compare/page.ts';
import { diffOf, type SessionCompareOptions } from './shared/compare/pair.ts';
import { cannotCombine, collectValues, oneNamed, SHOW_SECRETS } from './shared/options.ts';

const HELP = `
Examples:
  $ wiretape diff                            the newest two sessions
  $ wiretape diff k3f9 last                  yesterday against today
  $ wiretape diff a.jsonl b.jsonl --stat     one line per turn
  $ wiretape diff A B --only conversation    without handshake, stderr, ...
  $ wiretape diff A B --ignore /result/output --ignore kind:notice
  $ wiretape diff A B --shape                what changed on the wire
  $ wiretape diff A B --timing --tolerance 3x,1s
                                             what became slower or faster
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
Tokens are shown, but do not count either. Times are not compared: no pace makes
two sessions different. With --timing they count if they are apart by more than
the tolerance: a factor of 2 and 100 ms (2x,100ms).
--ignore takes a JSON pointer from an entry (/arguments/timeout), optionally
after its kind (/approval/description), with * for any key; or a query: items
with a matching frame are left out.
Exit codes: 0 the same, 1 different, 2 a session cannot be read.`;

type DiffFlag =
  | 'stat'
  | 'json'
  | 'strict'
  | 'showMasked'
  | 'shape'
  | 'timing'
  | 'full'
  | 'sideBySide'
  | 'unified'
  | 'accept'
  | 'junit'
  | 'force';

interface DiffCommandOptions extends Flags<DiffFlag>, Pick<SessionCompareOptions, 'ignore' | 'only' | 'tolerance'> {
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
    .option('--only <sections>', `only these, separated by commas: ${DIFF_SECTIONS.join(', ')}`, parseSections)
    .option('--ignore <path>', 'leave out a JSON pointer, or items that match a query; may be repeated', collectValues)
    .option('--strict', 'also compare ids, timestamps, token counts and paths in messages')
    .option('--show-masked', 'list what differs only in ids, times and paths')
    .option('--shape', 'show which message types and fields were added or removed')
    .option('--timing', 'compare how long turns, steps, tools and waits took')
    .option(
      '--tolerance <times>',
      'with --timing: a factor, a time, or both: 3x,1s (default: 2x,100ms)',
      parseTolerance,
    )
    .option('--full', 'do not shorten values')
    .option('-y, --side-by-side', 'both values beside each other (default: from 160 columns)')
    .option('-u, --unified', 'one value below the other')
    .option(
      '--golden <folder>',
      'compare each tape in it with the session of the same name, or with a tape in another folder',
    )
    .option('--accept', 'replace the first tape, or the tapes of the folder that differ')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per difference, row or pair')
    .option('--junit', 'print JUnit XML')
    .option('--redact <what>', 'for a page: secrets (default), text, or none')
    .option('-f, --format <format>', 'html: a page with both sessions side by side', parsePageFormat)
    .option('-o, --output <file>', 'write the page to this file; - is stdout, the default')
    .option('--force', 'replace an existing file')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: DiffCommandOptions) => {
      const at = context.argv?.indexOf('--') ?? -1;
      if (at >= 0) return exit(await diffWithAgent(io, words, context.argv.slice(at + 1), options));
      checkOptions(words, options);
      if (options.golden !== undefined) {
        const style = styleOf(io, options);
        return exit(await compareGolden(io, options.golden, words[0] ?? null, { ...options, style }));
      }
      if (words.length > 2) return exit(await diffMatrix(io, words, options));
      exit(await diffPair(io, words, options));
    });
};

/** Refuses options that only a page has without --format, and those that a page does not have. */
function checkPage(words: readonly string[], options: DiffCommandOptions): void {
  const { format, golden } = options;
  const ofPage = (['output', 'force', 'redact'] as const).find((name) => options[name] !== undefined);
  if (format === undefined && ofPage) throw new Failure(`--${ofPage} needs --format html`);
  if (format === undefined) return;
  const other = (['json', 'junit', 'stat', 'accept'] as const).find((name) => options[name]);
  if (other) throw cannotCombine('--format', `--${other}`);
  if (golden !== undefined) throw cannotCombine('--format', '--golden');
  if (words.length > 2) throw new Failure('a page compares two sessions', 'name two of them');
}

function parsePageFormat(word: string): 'html' {
  return oneNamed('format', word, [{ name: 'html' as const }]).name;
}

function checkOptions(words: readonly string[], options: DiffCommandOptions): void {
  const { strict, showMasked, json, junit: xml, sideBySide, unified, accept, golden } = options;
  checkPage(words, options);
  if (options.tolerance && !options.timing) throw new Failure('--tolerance needs --timing');
  if (options.only?.includes('timing') && !options.timing)
    throw new Failure('--only timing needs --timing', 'times are compared only if --timing asks for it');
  if (strict && showMasked) throw cannotCombine('--strict', '--show-masked');
  if (json && xml) throw cannotCombine('--json', '--junit');
  if (sideBySide && unified) throw cannotCombine('--side-by-side', '--unified');
  if (golden !== undefined && words.length > 1)
    throw new Failure('--golden takes one other folder', 'or none, to compare with sessions by name');
  if (golden === undefined && accept && words.length !== 2)
    throw new Failure('--accept needs two sessions', 'the first must be a tape file');
}

async function diffPair(io: Io, words: readonly string[], options: DiffCommandOptions): Promise<number> {
  const home = storeHome(io.env);
  const [a, b] = words.length === 2 ? [words[0]!, words[1]!] : [words[0] ?? 'last~1', 'last'];
  const places = { a: locate(home, a), b: locate(home, b) };
  if (words.length === 1 && places.a.tape === places.b.tape)
    throw new Failure(`${a} is the newest session itself`, `name another one: wiretape diff last~1 ${a}`);
  if (options.accept && places.a.dir !== null)
    throw new Failure(`${a} is a session in a store`, '--accept replaces a tape file, not a recording');
  if (options.format) return comparePage(io, places, options);
  const diff = await diffOf(places.a, places.b, options);
  if (options.junit) await writeAll(io, junit([{ name: `${a} ${b}`, diff, trouble: null }]));
  else await print(io, diff, options);
  if (diff.same || !options.accept) return diff.same ? Exit.ok : Exit.no;
  acceptTape(places.b, places.a.tape);
  io.say(`wiretape: replaced ${places.a.tape}`);
  return Exit.ok;
}

/** Drives a live agent from a session, and compares the two: "wiretape replay A -- AGENT" with the options of this command. */
async function diffWithAgent(
  io: Io,
  words: readonly string[],
  agent: readonly string[],
  options: DiffCommandOptions,
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
  const isSame = await diffPair(io, [word, session], options);
  return outcome === Exit.ok ? isSame : outcome;
}

async function print(io: Io, diff: SessionDiff, options: DiffCommandOptions): Promise<void> {
  if (options.json) {
    for (const row of options.stat ? diff.turns : diff.entries) if (!(await io.json(row))) return;
    return;
  }
  const style = styleOf(io, options);
  io.page();
  if (!options.stat) return writeAll(io, diffText(diff, style));
  await writeAll(io, diffHead(diff, style));
  await writeAll(io, diffStat(diff, style));
  await io.write(`${diffTotals(diff)}\n`);
}

/** Terminals that are wide enough for two columns, and the width of files and pipes. */
const SIDE_BY_SIDE_COLUMNS = 160;
const DEFAULT_COLUMNS = 120;

function styleOf(io: Io, { full = false, sideBySide, unified }: DiffCommandOptions): DiffStyle {
  const isWide = io.interactive && io.columns >= SIDE_BY_SIDE_COLUMNS;
  const beside = sideBySide ?? (!unified && isWide);
  const columns = beside && !Number.isFinite(io.columns) ? DEFAULT_COLUMNS : io.columns;
  return { columns, theme: themeFor(io.color), full, beside };
}

/** Every session against the first. */
async function diffMatrix(io: Io, words: readonly string[], options: DiffCommandOptions): Promise<number> {
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

function parseSections(word: string, before: DiffSection[] = []): DiffSection[] {
  const known = DIFF_SECTIONS.map((name) => ({ name }));
  return [...before, ...word.split(',').map((one) => oneNamed('section', one.trim(), known).name)];
}

/** `3x`, `500ms`, or both; the default for what is not given. */
function parseTolerance(word: string): Tolerance {
  const tolerance = { ...USUAL_TOLERANCE };
  for (const part of word.split(',').map((one) => one.trim())) {
    const [, factor] = /^(\d+(?:\.\d+)?)x$/i.exec(part) ?? [];
    const seconds = part === '0' ? 0 : parseDuration(part);
    if (factor !== undefined && Number(factor) >= 1) tolerance.factor = Number(factor);
    else if (seconds !== null) tolerance.seconds = seconds;
    else throw new Failure(`invalid value ${JSON.stringify(word)} for --tolerance`, 'write it as 2x, 500ms or 3x,1s');
  }
  return tolerance;
}
