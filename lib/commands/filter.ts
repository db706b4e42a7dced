import type { QueryExpr } from '../analysis/query/ast.ts';
import { Exit, Failure } from '../model/failure.ts';
import { blocksOf, bytesOf, microsOf } from '../model/frame.ts';
import { exactJson } from '../model/id.ts';
import { clip, visible } from '../model/text/text.ts';
import { type Io, isTerminal, progressReporter } from '../output/terminal/io.ts';
import { loadTheme } from '../output/terminal/load-theme.ts';
import { IndexFallback } from '../storage/search/index-fallback.ts';
import { readQuery, textsOf } from '../storage/search/query.ts';
import { type QueryMatch, Search } from '../storage/search/search.ts';
import { type Target, targetsOf } from '../storage/search/targets.ts';
import { storeHome } from '../storage/store/home.ts';
import { missingTapeFailure } from '../storage/store/tape-owner.ts';
import { collectGarbageSooner } from '../storage/tape/garbage-collection.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { cannotCombine, SHOW_SECRETS, wholeNumber } from './shared/options.ts';

const HELP = `
Examples:
  $ wiretape filter 'kind:approval wait:60s..*'    approvals that took long
  $ wiretape filter 'is:pending' last              requests without answers
  $ wiretape filter 'from:stderr "reset"' -C 2     with two frames around
  $ wiretape filter 'approval:unasked' --count     how many frames match
  $ wiretape filter is:error --pair --json         errors and their requests
  $ wiretape filter 'kind:noise from:agent' --raw  the exact lines

To start a query with a negated term, use NOT instead of -. See wiretape help
query for all qualifiers.
Exit codes: 0 matches found, 1 no match, 2 invalid query or unreadable session.`;

interface FilterOptions extends Flags<'json' | 'raw' | 'pair' | 'count' | 'explain'> {
  context?: number;
  limit?: number;
}

export const define: Define = (command, context) => {
  command
    .argument('<query>', 'the query (see: wiretape help query)')
    .argument('[sessions...]', 'sessions or tapes (default: all of the store)')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per frame')
    .option('--raw', 'print the exact lines and nothing else')
    .option('-C, --context <count>', 'show this many frames before and after each match', wholeNumber('--context'))
    .option('--pair', 'also show the matching request or answer')
    .option('-c, --count', 'print only the number of matching frames')
    .option('-n, --limit <count>', 'stop after this many matches', wholeNumber('--limit', 1))
    .option('--explain', 'explain how the query is read and answered')
    .addHelpText('after', HELP)
    .action((query: string, words: string[], options: FilterOptions) => run(query, words, options, context));
};

async function run(
  query: string,
  words: string[],
  options: FilterOptions,
  { io, exit }: CommandContext,
): Promise<void> {
  const home = storeHome(io.env);
  if (options.json && options.raw) throw cannotCombine('--json', '--raw');
  const expr = readQuery(query);
  if (options.raw && isTerminal(1)) throw new Failure('--raw does not write to a terminal', 'add: | less, or: > FILE');
  const progress = progressReporter(io, 'reading tapes');
  collectGarbageSooner(words);
  const { sessions: chosen, unreadable } = await targetsOf(home, words, progress);
  const sessions = words.length > 0 ? chosen : chosen.filter((one) => hasTape(home, one, unreadable));
  for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
  const search = new Search(home, expr, sessions.length);
  const fallback = new IndexFallback(home, progress);
  try {
    if (options.explain) return await explain(io, search, expr, sessions);
    const found = options.count
      ? await count(io, search, fallback, sessions, options.limit)
      : await print(io, search, fallback, sessions, options);
    if (unreadable.length > 0) exit(Exit.failed);
    else if (found === 0) exit(Exit.no);
  } finally {
    search.close();
  }
}

/** Rows of a session remain if its tape is gone, but not its lines. It does not stop the search in others. */
function hasTape(home: string, { summary }: Target, unreadable: { session: string; message: string }[]): boolean {
  const gone = missingTapeFailure(home, summary);
  if (gone) unreadable.push({ session: summary.session, message: gone.message });
  return gone === null;
}

async function count(
  io: Io,
  search: Search,
  fallback: IndexFallback,
  targets: Target[],
  limit = Number.POSITIVE_INFINITY,
): Promise<number> {
  let found = 0;
  for (const target of targets) {
    if (found >= limit) break;
    found += await fallback.run(target, (one) => search.count(one));
  }
  const shown = Math.min(found, limit);
  await io.write(`${shown}\n`);
  return shown;
}

async function print(
  io: Io,
  search: Search,
  fallback: IndexFallback,
  targets: Target[],
  options: FilterOptions,
): Promise<number> {
  const { json, raw, context = 0, pair = false, limit = Number.POSITIVE_INFINITY } = options;
  const printer = raw
    ? printRaw
    : await (json ? jsonPrinter() : linePrinter(io, targets.length > 1, textsOf(search.expr)));
  if (!json && !raw) io.page();
  const hitsOf = (target: Target, limit: number) =>
    context === 0 && !pair ? search.matchesOf(target) : search.matchesWithContext(target, context, pair, limit);
  const out = new OutputBuffer(io);
  let found = 0;
  let isDone = false;
  for (const target of targets) {
    if (await fallback.run(target, (readable) => search.rulesOut(readable))) continue;
    const before = found;
    let last = 0;
    const add = (hit: QueryMatch) => {
      // The same session, whether it was read from the index or from its tape.
      hit.target = target;
      out.add(printer(hit));
      last = hit.facts.f;
      if (!hit.beside) found++;
      // With context, the frames after the last match still follow.
      isDone = hit.beside === undefined && found === limit;
    };
    await fallback.run(target, async (readable) => {
      // A second attempt must not print again what the first one printed.
      const from = last;
      for (const hit of hitsOf(readable, limit - before)) {
        if (hit && (from === 0 || hit.facts.f > from)) add(hit);
        // Awaiting every one of a million matches would take too long.
        if (out.isDue && !(await out.flush())) isDone = true;
        if (isDone) return;
      }
    });
    if (isDone || found === limit) break;
  }
  await out.flush();
  return found;
}

/** What is printed for a match. A line too large for memory comes in blocks. */
type OutputChunk = string | Uint8Array | LongOutputChunk;

interface LongOutputChunk {
  length: number;
  blocks(): Iterable<Uint8Array>;
}

/** Collects output into few writes without holding it back for long. */
class OutputBuffer {
  readonly #io: Io;
  #chunks: OutputChunk[] = [];
  #size = 0;
  #written = Date.now();

  constructor(io: Io) {
    this.#io = io;
  }

  add(chunk: OutputChunk): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
  }

  get isDue(): boolean {
    return this.#size >= 1 << 15 || (this.#size > 0 && Date.now() - this.#written >= 50);
  }

  async flush(): Promise<boolean> {
    const chunks = this.#chunks;
    this.#chunks = [];
    this.#size = 0;
    this.#written = Date.now();
    // A long chunk makes the buffer due at once, so it is always the last.
    const last = chunks.at(-1);
    const long = last !== undefined && isLong(last) ? last : null;
    const short = chunks.filter((chunk) => chunk !== long) as (string | Uint8Array)[];
    const bytes = Buffer.concat(short.map((chunk) => Buffer.from(chunk as string)));
    if (bytes.length > 0 && !(await this.#io.write(bytes))) return false;
    // The block's buffer is reused.
    for (const block of long?.blocks() ?? []) if (!(await this.#io.write(Buffer.from(block)))) return false;
    return true;
  }
}

function isLong(chunk: OutputChunk): chunk is LongOutputChunk {
  return typeof chunk !== 'string' && !(chunk instanceof Uint8Array);
}

type MatchPrinter = (hit: QueryMatch) => OutputChunk;

async function jsonPrinter(): Promise<MatchPrinter> {
  const { frameJson } = await import('../analysis/facts/frame-json.ts');
  return ({ target, facts, frame, beside }) => {
    const { session, started } = target.summary;
    const row = frameJson(session, microsOf(started), frame, facts);
    // Only with --context and --pair: false for a match, true for a frame that is shown with a match.
    return `${exactJson(beside === undefined ? row : { ...row, beside })}\n`;
  };
}

const printRaw: MatchPrinter = ({ frame }) => {
  return frame.cut ? { length: bytesOf(frame), blocks: () => blocksOf(frame) } : Buffer.concat([...blocksOf(frame)]);
};

/** Prints a heading for each of several sessions, and `--` between groups of frames. */
async function linePrinter(io: Io, several: boolean, terms: string[]): Promise<MatchPrinter> {
  const [theme, { hitLine }] = await Promise.all([loadTheme(io), import('../output/terminal/hit-line.ts')]);
  const { columns } = io;
  let last: QueryMatch | null = null;
  return (hit) => {
    const { target, facts, frame, beside } = hit;
    let head = '';
    if (several && last?.target !== target) {
      const { session, name, command } = target.summary;
      const rest = visible([...(name ? [name] : []), command.join(' ')].join('  '));
      head = `${last ? '\n' : ''}${theme.strong(visible(session))} ${clip(rest, Math.max(8, io.columns - session.length - 1))}\n`;
    } else if (last && (beside !== undefined || last.beside !== undefined) && facts.f > last.facts.f + 1) {
      head = theme.dim('--\n');
    }
    last = hit;
    return head + hitLine(frame, facts, { columns, theme, beside, terms });
  };
}

async function explain(io: Io, search: Search, expr: QueryExpr | null, targets: Target[]): Promise<void> {
  const plans = new Map<string, number>();
  for (const target of targets) {
    const plan = search.plan(target).join('\n');
    plans.set(plan, (plans.get(plan) ?? 0) + 1);
  }
  const { explainQuery } = await import('../analysis/query/explain.ts');
  const lines = explainQuery(expr);
  for (const [plan, sessions] of plans) {
    lines.push(
      '',
      `in ${sessions} session${sessions === 1 ? '' : 's'}:`,
      ...plan.split('\n').map((line) => `  ${visible(line)}`),
    );
  }
  await io.write(`${lines.join('\n')}\n`);
}
