import { microsOf, sizeOf } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { clip, visible } from '../core/text.ts';
import { Exit, Failure } from '../failure.ts';
import type { Expr } from '../filter/ast.ts';
import { type Io, isTerminal, talkOn } from '../io.ts';
import { plainWords } from '../plain-words.ts';
import { readQuery, textsOf } from '../search/query.ts';
import { type Hit, Search } from '../search/search.ts';
import { Sound } from '../search/sound.ts';
import { type Target, targetsOf } from '../search/targets.ts';
import { storeHome } from '../store/home.ts';
import { themeOf } from '../terminal/plain.ts';
import type { Context, Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape filter 'kind:approval wait:60s..*'               approvals that waited for a minute or more
  $ wiretape filter 'envelope:request is:pending' last        what was never answered in the newest session
  $ wiretape filter 'from:stderr "connection reset"' -C 2     with two frames before and after
  $ wiretape filter 'approval:unasked tool:Shell' --count     one number
  $ wiretape filter is:error --pair --json | jq .method       errors and what they answer, for programs
  $ wiretape filter 'kind:noise from:agent' --raw             the exact lines

A whole query that starts with a minus is written with NOT. wiretape help query lists all qualifiers.
Exit codes: 0 found, 1 nothing matches, 2 the query or a session cannot be read.`;

interface Options {
  json?: boolean;
  raw?: boolean;
  context?: number;
  pair?: boolean;
  count?: boolean;
  limit?: number;
  explain?: boolean;
}

export const define: Define = (command, context) => {
  command
    .argument('<query>', 'what to look for: wiretape help query')
    .argument('[sessions...]', 'sessions or tapes (default: all of the store)')
    .option('--json', 'one object a line')
    .option('--raw', 'the exact lines, nothing else')
    .option('-C, --context <count>', 'so many frames before and after each', whole('--context'))
    .option('--pair', 'with the request or the answer that belongs to it')
    .option('-c, --count', 'how many frames match, one number')
    .option('-n, --limit <count>', 'only the first', whole('--limit'))
    .option('--explain', 'how the query is understood and answered')
    .addHelpText('after', HELP)
    .action((query: string, words: string[], options: Options) => run(query, words, options, context));
};

const FLAGS = { '--json': 'json', '--raw': 'raw', '--pair': 'pair', '--count': 'count', '-c': 'count' } as const;
const COUNTS = { '--context': 'context', '-C': 'context', '--limit': 'limit', '-n': 'limit' } as const;

/** A plain `filter` starts without the argument parser, which would take as long as the answer. */
export function startQuickly(argv: readonly string[], context: Context): Promise<void> | null {
  const plain = plainWords<Options>(argv, FLAGS, COUNTS);
  const [query, ...words] = plain?.words ?? [];
  return plain && query !== undefined ? run(query, words, plain.options, context) : null;
}

async function run(query: string, words: string[], options: Options, { io, exit }: Context): Promise<void> {
  const home = storeHome(io.env);
  if (options.json && options.raw) throw new Failure('--json and --raw are two different answers', 'say one of them');
  if (options.limit === 0) throw new Failure('--limit "0" is no number of frames');
  const expr = readQuery(query);
  if (options.raw && isTerminal(1))
    throw new Failure('raw lines are not shown on a terminal', 'add: | less, or: > FILE');
  const talk = talkOn(io, 'reading tapes');
  const { sessions, unreadable } = await targetsOf(home, words, talk);
  for (const { session, message } of unreadable) io.say(`wiretape: ${session}: ${visible(message)}`);
  const search = new Search(home, expr, sessions.length);
  const sound = new Sound(home, talk);
  try {
    if (options.explain) return await explain(io, search, expr, sessions);
    const found = options.count
      ? await count(io, search, sound, sessions)
      : await print(io, search, sound, sessions, options);
    if (unreadable.length > 0) exit(Exit.failed);
    else if (found === 0) exit(Exit.no);
  } finally {
    search.close();
  }
}

async function count(io: Io, search: Search, sound: Sound, targets: Target[]): Promise<number> {
  let found = 0;
  for (const target of targets) found += await sound.ask(target, (one) => search.count(one));
  await io.write(`${found}\n`);
  return found;
}

async function print(io: Io, search: Search, sound: Sound, targets: Target[], options: Options): Promise<number> {
  const { json, raw } = options;
  const printer = raw
    ? rawOf
    : await (json ? jsonPrinter() : linePrinter(io, targets.length > 1, textsOf(search.expr)));
  if (!json && !raw) io.page();
  const printing = new Printing(search, printer, new Gathered(io), options);
  for (const target of targets) {
    if (printing.isDone) break;
    const told = { f: 0, found: printing.found };
    await sound.ask(target, (one) => printing.session(one, target, told));
  }
  await printing.end();
  return printing.found;
}

/** What was printed of a session: asked again, it would tell it again. */
interface Told {
  /** The last frame of it. */
  f: number;
  /** How many were found before it. */
  readonly found: number;
}

class Printing {
  found = 0;
  isDone = false;
  readonly #search: Search;
  readonly #printer: Printer;
  readonly #out: Gathered;
  readonly #options: Options;
  readonly #limit: number;

  constructor(search: Search, printer: Printer, out: Gathered, options: Options) {
    this.#search = search;
    this.#printer = printer;
    this.#out = out;
    this.#options = options;
    this.#limit = options.limit ?? Number.POSITIVE_INFINITY;
  }

  async session(asked: Target, target: Target, told: Told): Promise<void> {
    const from = told.f;
    for (const hit of this.#hits(asked, told)) {
      if (hit && (from === 0 || hit.facts.f > from)) this.#add(hit, target, told);
      // Not awaited for each of a million.
      if (this.#out.isDue && !(await this.#out.flush())) this.isDone = true;
      if (this.isDone) return;
    }
    // What was around the last one is told, and then it is the end.
    if (this.found === this.#limit) this.isDone = true;
  }

  async end(): Promise<void> {
    await this.#out.flush();
  }

  #hits(target: Target, { found }: Told): Generator<Hit | null> {
    const { context = 0, pair = false } = this.#options;
    if (context === 0 && !pair) return this.#search.hits(target);
    return this.#search.hitsWith(target, context, pair, this.#limit - found);
  }

  #add(hit: Hit, target: Target, told: Told): void {
    // However it is read, it is one session.
    hit.target = target;
    this.#out.add(this.#printer(hit));
    told.f = hit.facts.f;
    if (!hit.beside) this.found++;
    if (hit.beside === undefined && this.found === this.#limit) this.isDone = true;
  }
}

/** What is printed of a hit; a line that nothing holds comes in blocks. */
type Chunk = string | Uint8Array | LongChunk;

interface LongChunk {
  length: number;
  blocks(): Iterable<Uint8Array>;
}

/** Few writes, but nothing is held back for long. */
class Gathered {
  readonly #io: Io;
  #chunks: Chunk[] = [];
  #size = 0;
  #written = Date.now();

  constructor(io: Io) {
    this.#io = io;
  }

  add(chunk: Chunk): void {
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
    // One that is long is the last: it is due at once.
    const last = chunks.at(-1);
    const long = last !== undefined && isLong(last) ? last : null;
    const short = chunks.filter((chunk) => chunk !== long) as (string | Uint8Array)[];
    const bytes = Buffer.concat(short.map((chunk) => Buffer.from(chunk as string)));
    if (bytes.length > 0 && !(await this.#io.write(bytes))) return false;
    // Copies: their buffer is used again.
    for (const block of long?.blocks() ?? []) if (!(await this.#io.write(Buffer.from(block)))) return false;
    return true;
  }
}

function isLong(chunk: Chunk): chunk is LongChunk {
  return typeof chunk !== 'string' && !(chunk instanceof Uint8Array);
}

type Printer = (hit: Hit) => Chunk;

async function jsonPrinter(): Promise<Printer> {
  const { frameJson } = await import('../facts/frame-json.ts');
  return ({ target, facts, frame, beside }) => {
    const { session, started } = target.summary;
    const row = frameJson(session, microsOf(started), frame, facts);
    // With --context and --pair: whether it matches, or only stands beside what does.
    return `${exactJson(beside === undefined ? row : { ...row, beside })}\n`;
  };
}

const rawOf: Printer = ({ frame }) => {
  const { raw, cut } = frame;
  const eol = Buffer.from(frame.eol);
  return cut ? { length: sizeOf(frame), blocks: () => inTurn(cut.whole(), [eol]) } : Buffer.concat([raw, eol]);
};

function* inTurn<T>(...several: Iterable<T>[]): Generator<T> {
  for (const one of several) yield* one;
}

/** Sessions are told apart where there may be several; frames that do not follow each other are, where some do. */
async function linePrinter(io: Io, several: boolean, terms: string[]): Promise<Printer> {
  const [theme, { hitLine }] = await Promise.all([themeOf(io), import('../terminal/hit-line.ts')]);
  const { columns } = io;
  let last: Hit | null = null;
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

async function explain(io: Io, search: Search, expr: Expr | null, targets: Target[]): Promise<void> {
  const plans = new Map<string, number>();
  for (const target of targets) {
    const plan = search.plan(target).join('\n');
    plans.set(plan, (plans.get(plan) ?? 0) + 1);
  }
  const { explainQuery } = await import('../filter/explain.ts');
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

function whole(option: string): (word: string) => number {
  return (word) => {
    if (!/^\d{1,9}$/.test(word)) throw new Failure(`${option} ${JSON.stringify(word)} is no whole number`);
    return Number(word);
  };
}
