import type { QueryExpr } from '../analysis/query/ast.ts';
import { hasRegex } from '../analysis/query/predicate.ts';
import { Failure } from '../model/failure.ts';
import type { Frame, Metadata } from '../model/frame.ts';
import type { Io } from '../output/terminal/io.ts';
import { jsonPrinter, type LiveFrame, type LivePrinter, textPrinter } from '../output/terminal/live.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { NO_NAMES } from '../session/session.ts';
import { type FollowedFrame, follow, newestRunning, nextStarted } from '../storage/search/follow.ts';
import { type LiveMatch, LiveSearch } from '../storage/search/live-search.ts';
import { readQuery } from '../storage/search/query.ts';
import { resultInTime } from '../storage/search/time-limit.ts';
import { WaitingStatus } from '../storage/search/waiting-status.ts';
import { storeHome } from '../storage/store/home.ts';
import { readNames } from '../storage/store/names.ts';
import { locate } from '../storage/store/open.ts';
import { readIds, type SessionPlace } from '../storage/store/sessions.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, SHOW_SECRETS } from './shared/options.ts';

const HELP = `
Examples:
  $ wiretape tail                              the running session, or the next
  $ wiretape tail --next                       wait for the next session
  $ wiretape tail k3f9 -n all                  from the first frame
  $ wiretape tail -q 'kind:approval,question'  only what the agent asks
  $ wiretape tail -q 'latency:5s..*'           slow answers
  $ wiretape tail --json | jq .kind            one JSON object per frame

Ends when the session ends. A frame is shown as soon as it matches. That may be
after it was recorded: a decision, for instance, becomes known later.
After two seconds without a frame, stderr shows who is waiting for whom, if it
is a terminal.`;

interface TailOptions extends Flags<'next' | 'json'> {
  query?: string;
  lines?: number;
}

const DEFAULT_PAST_FRAMES = 10;

export const define: Define = (command, { io }) => {
  command
    .argument('[session]', 'a session (default: the newest running, or the next to start)')
    .option('-q, --query <query>', 'only frames that match (see: wiretape help query)')
    .option(
      '-n, --lines <count>',
      `how many earlier frames to show first, or all (default: ${DEFAULT_PAST_FRAMES})`,
      parseLineCount,
    )
    .option('--next', 'wait for the next session to start')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per frame')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: TailOptions) => {
      const expr = options.query === undefined ? null : readQuery(options.query);
      if (word !== undefined && options.next) throw cannotCombine('--next', 'a session');
      const stop = new AbortController();
      const place = await chooseSession(io, word, options, stop.signal);
      if (place) await tail(io, place, expr, options, stop);
    });
};

async function chooseSession(
  io: Io,
  word: string | undefined,
  options: TailOptions,
  stop: AbortSignal,
): Promise<SessionPlace | null> {
  const home = storeHome(io.env);
  if (word !== undefined) return locate(home, word);
  // A session may start while we look for one.
  const known = new Set(readIds(home));
  const running = options.next ? null : newestRunning(home);
  if (running) return running;
  io.say('wiretape: waiting for a session to start');
  return nextStarted(home, known, stop);
}

async function tail(
  io: Io,
  place: SessionPlace,
  expr: QueryExpr | null,
  options: TailOptions,
  stop: AbortController,
): Promise<void> {
  const { id, dir, tape: path } = place;
  const printer = options.json ? jsonPrinter(id) : textPrinter(id, io.columns, themeFor(io.color));
  const names = dir === null ? NO_NAMES : readNames(dir);
  let past: LiveFrame[] = [];
  let lines = '';
  const flush = async (end = '') => {
    const all = `${past.map((one) => printer.line(one)).join('')}${lines}${end}`;
    past = [];
    lines = '';
    if (all !== '' && !(await io.write(all))) stop.abort();
  };
  let search: LiveSearch | null = null;
  let metadata: Metadata | null = null;
  const waiting = new WaitingLine(io, place, options);
  for await (const followed of follow(place, stop.signal)) {
    if (followed === null) {
      await waiting.pause(flush, printer);
      continue;
    }
    waiting.take(followed);
    metadata = followed.metadata;
    search ??= new LiveSearch({ id, dir, tape: path, running: true, names, metadata }, expr);
    for (const hit of framesFor(expr, search, followed.frame)) {
      if (!followed.past) lines += printer.line({ ...hit, metadata });
      else if (past.push({ ...hit, metadata }) > (options.lines ?? DEFAULT_PAST_FRAMES)) past.shift();
    }
  }
  waiting.end();
  for (const hit of resultInTime(expr, () => search?.end() ?? []))
    lines += printer.line({ ...hit, metadata: metadata! });
  await flush(printer.end());
}

/** Shows who is waiting for whom on stderr. It is not part of the output. */
class WaitingLine {
  readonly #io: Io;
  readonly #silence: WaitingStatus | null;
  #isShown = false;

  constructor(io: Io, place: SessionPlace, { json }: TailOptions) {
    this.#io = io;
    this.#silence = io.status && !json ? new WaitingStatus(place) : null;
  }

  take(followed: FollowedFrame): void {
    this.#silence?.take(followed);
    this.end();
  }

  /** Prints what was held back first, and ends the line of a text that is still streamed. */
  async pause(flush: (end?: string) => Promise<void>, printer: LivePrinter): Promise<void> {
    const words = this.#silence?.text() ?? null;
    if (words === null) return flush();
    await flush(this.#io.interactive ? printer.end() : '');
    this.#io.status!(words);
    this.#isShown = true;
  }

  end(): void {
    if (this.#isShown) this.#io.status!('');
    this.#isShown = false;
  }
}

/** A regular expression has the same time limit as elsewhere. */
function framesFor(expr: QueryExpr | null, search: LiveSearch, frame: Frame): LiveMatch[] {
  return hasRegex(expr) ? resultInTime(expr, () => search.take(frame)) : search.take(frame);
}

function parseLineCount(word: string): number {
  if (word === 'all') return Number.POSITIVE_INFINITY;
  if (/^\d{1,9}$/.test(word)) return Number(word);
  throw new Failure(`invalid value ${JSON.stringify(word)} for --lines`, 'use a whole number, or all');
}
