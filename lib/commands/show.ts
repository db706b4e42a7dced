import { isatty } from 'node:tty';
import { frameJson } from '../analysis/facts/frame-json.ts';
import type { QueryExpr } from '../analysis/query/ast.ts';
import { DIALECTS, traitsOf } from '../dialects/index.ts';
import { Exit, Failure } from '../model/failure.ts';
import { blocksOf, type Frame, microsOf, STREAMS, type Stream } from '../model/frame.ts';
import { exactJson } from '../model/id.ts';
import type { Entry } from '../model/timeline/entries.ts';
import { timelineRows } from '../model/timeline/json.ts';
import { callsIn, endOf, selectItems } from '../model/timeline/select.ts';
import { frameLine } from '../output/terminal/frame-line.ts';
import { frameView } from '../output/terminal/frame-view.ts';
import { hitLine } from '../output/terminal/hit-line.ts';
import { type Io, reportDamage, writeAll } from '../output/terminal/io.ts';
import { sessionHead, titleLines } from '../output/terminal/session-head.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { TimelineTree } from '../output/terminal/tree.ts';
import { Pass } from '../session/pass.ts';
import { readAs, type Session } from '../session/session.ts';
import { type ReadShare, Understanding } from '../session/understanding.ts';
import { type FoundFrame, factsOfFrames } from '../storage/search/frames.ts';
import { framesNumbered, searchInPass } from '../storage/search/one-pass.ts';
import { readQuery, textsOf } from '../storage/search/query.ts';
import { withTimeLimit } from '../storage/search/time-limit.ts';
import { storeHome } from '../storage/store/home.ts';
import { clockOf } from '../storage/store/moment.ts';
import { metadataOf, withSession } from '../storage/store/open.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, noFrames, noTurn, oneNamed, SHOW_SECRETS, wholeNumber } from './shared/options.ts';

const HELP = `
Examples:
  $ wiretape show                          the newest session: its timeline
  $ wiretape show k3f9 --turn 2 --full     one turn, with all of its text
  $ wiretape show k3f9 --tools             only tool calls
  $ wiretape show -q 'tool:Shell'          only items that match a query
  $ wiretape show --frames                 frame by frame
  $ wiretape show last#f17                 one frame with its content
  $ wiretape show last#f10..f12            several of them
  $ wiretape show --json | jq .kind        one JSON object per item
  $ wiretape show --raw --from agent       the bytes that crossed the pipe

The left columns show the frame number and the seconds since the start. An item
has the time of its first frame. A result or an answer is shown with its call
or request. \`waited\` is the time until the client answered, \`ran\` the rest.
Flags are in [brackets]: resent (sent again), before-call (asked before the
call was announced), background, discarded, late-answer, orphan (no matching
request), foreign (of another protocol), invalid.
A session in an unknown protocol (dialects jsonrpc and lines) is shown frame by
frame.`;

interface ShowOptions extends Flags<'tools' | 'full' | 'frames' | 'raw' | 'json'> {
  turn?: number;
  dialect?: string;
  from?: string;
  query?: string;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[session]', 'a session (default: last), or frames of it: SESSION#f17, #f10..f12')
    .option('--turn <number>', 'only this turn', wholeNumber('--turn', 1))
    .option('--tools', 'only tool calls')
    .option('--full', 'do not shorten text or long lines')
    .option('-q, --query <query>', 'only what matches (see: wiretape help query)')
    .option('--frames', 'show frame by frame')
    .option('--dialect <dialect>', 'the protocol, if detection is wrong')
    .option('--raw', 'print the exact bytes of one stream')
    .option('--from <stream>', 'only this stream: client, agent, stderr or proc')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: ShowOptions) => {
      const { name, range } = parseSessionWord(word ?? '');
      const from = checkFrom(options);
      if (range && options.query !== undefined) throw cannotCombine('a frame number', '--query');
      const query = options.query === undefined ? null : readQuery(options.query);
      await withSession(storeHome(io.env), name, async (opened) => {
        metadataOf(opened);
        if (options.raw) return showRaw(io, opened, (from as Stream | null) ?? null, range);
        const session =
          options.dialect === undefined ? opened : readAs(opened, oneNamed('dialect', options.dialect, DIALECTS).name);
        if (range && !options.frames) return showInFull(io, session, range, options);
        const isFrames = (dialect: string) =>
          options.frames || range !== null || from !== null || (!options.json && showsOnlyFrames(dialect, options));
        // One pass over the tape, whatever is shown.
        const pass = new Pass(session, { tree: (dialect) => !isFrames(dialect) });
        const found = isFrames(pass.dialect)
          ? await showFrames(io, session, pass, { from, range }, query, options)
          : await showTimeline(io, session, pass, query, options);
        reportDamage(io, session.id, pass.damaged);
        if (!found) exit(Exit.no);
      });
    });
};

/** The numbers of the first and the last frame. */
interface FrameRange {
  first: number;
  last: number;
}

function parseSessionWord(word: string): { name: string; range: FrameRange | null } {
  const [, name, first, last = first] = /^(.*?)(?:#f?(\d+)(?:\.\.f?(\d+))?)?$/s.exec(word)!;
  const range = first === undefined ? null : { first: Number(first), last: Number(last) };
  if (range && range.last < range.first)
    throw new Failure(`no frames from f${first} to f${last}`, 'write the smaller number first');
  return { name: name === '' ? 'last' : name!, range };
}

const isIn = ({ f }: Frame, range: FrameRange | null) => !range || (f >= range.first && f <= range.last);

function checkFrom({ from, raw }: ShowOptions): string | null {
  const allowed: string[] = raw ? [...STREAMS] : [...STREAMS, 'proc'];
  if (from !== undefined && !allowed.includes(from)) {
    throw new Failure(`invalid value ${JSON.stringify(from)} for --from`, `use one of: ${allowed.join(', ')}`);
  }
  return from ?? null;
}

/** An unknown protocol has no turns, so only frames can be shown. */
function showsOnlyFrames(dialect: string, { turn, tools, full }: ShowOptions): boolean {
  if (turn !== undefined || tools || full) return false;
  return traitsOf(dialect).isGeneric;
}

/** False if nothing matches the query. */
async function showTimeline(
  io: Io,
  session: Session,
  pass: Pass,
  query: QueryExpr | null,
  options: ShowOptions,
): Promise<boolean> {
  const { metadata } = session;
  const items = query && itemsFound(session, pass, query);
  const understanding = new Understanding();
  if (!items) pass.run(understanding);
  const all = selectEntries(session.id, pass.timeline.entries, options);
  const entries = items ? selectItems(all, items) : all;
  if (options.json) {
    const rows = timelineRows(metadata.session, microsOf(metadata.started_at), entries);
    for (const row of rows) if (!(await io.json(row))) return true;
  } else if (entries.length > 0 || !query) {
    const read = items ? null : understanding.in(pass.dialect);
    await printTree(io, session, pass, entries, options.full ?? false, read);
  }
  return entries.length > 0 || !query;
}

async function printTree(
  io: Io,
  session: Session,
  pass: Pass,
  entries: Entry[],
  full: boolean,
  read: ReadShare | null,
): Promise<void> {
  const theme = themeFor(io.color);
  const { columns } = io;
  const { running, metadata, names } = session;
  const { dialect, timeline } = pass;
  io.page();
  const last = endOf(timeline.entries);
  const clock = clockOf({ running, started: metadata.started_at }, last.t);
  const head = { columns, theme, running, clock, counts: true, read, ...names };
  await writeAll(io, sessionHead(metadata, { ...timeline, dialect }, head));
  const tree = new TimelineTree({ columns, theme, dialect, full, last, ...(running ? { clock } : {}) });
  if (entries.length > 0) await io.write(`\n${tree.title()}`);
  await writeAll(io, tree.entries(entries));
}

/** The first frames of the items that have a matching frame. */
function itemsFound(session: Session, pass: Pass, query: QueryExpr): Set<number> {
  const items = new Set<number>();
  for (const found of withTimeLimit(query, searchInPass(session, pass, query))) {
    if (!found) continue;
    const { f, item } = found.facts;
    items.add(f);
    if (item !== null) items.add(item);
  }
  return items;
}

function selectEntries(id: string, entries: Entry[], { turn, tools }: ShowOptions): Entry[] {
  const turns = turn === undefined ? entries : entries.filter((entry) => entry.is === 'turn' && entry.n === turn);
  if (turn !== undefined && turns.length === 0) throw noTurn(id, turn);
  return tools ? turns.flatMap(callsIn) : turns;
}

/** False if nothing matches the query. */
async function showFrames(
  io: Io,
  session: Session,
  pass: Pass,
  { from, range }: { from: string | null; range: FrameRange | null },
  query: QueryExpr | null,
  options: ShowOptions,
): Promise<boolean> {
  if (!options.json) {
    io.page();
    await writeAll(io, titleLines(session.metadata, io.columns, themeFor(io.color)));
  }
  const lines = query || options.json ? factLines(io, session, pass, query, options) : plainLines(io, pass);
  let shown = 0;
  for (const { frame, line } of lines) {
    if ((from !== null && frame.from !== from) || !isIn(frame, range)) continue;
    shown++;
    if (!(await io.write(line()))) return true;
  }
  if (range && shown === 0) throw noFrames(session.id, range.first, range.last);
  return shown > 0 || !query;
}

interface FrameLine {
  frame: Frame;
  line(): string;
}

/** Prints the first lines at once. */
function* plainLines(io: Io, pass: Pass): Generator<FrameLine> {
  const theme = themeFor(io.color);
  for (const { frame, message } of pass) yield { frame, line: () => frameLine(frame, message.type, io.columns, theme) };
}

function* factLines(
  io: Io,
  session: Session,
  pass: Pass,
  query: QueryExpr | null,
  options: ShowOptions,
): Generator<FrameLine> {
  const { metadata } = session;
  const startedAt = microsOf(metadata.started_at);
  const style = { columns: io.columns, theme: themeFor(io.color), terms: textsOf(query) };
  for (const { facts, frame } of query ? matchingFrames(session, pass, query) : allFrames(session, pass)) {
    const line = () =>
      options.json
        ? `${exactJson(frameJson(metadata.session, startedAt, frame, facts))}\n`
        : hitLine(frame, facts, style);
    yield { frame, line };
  }
}

function* matchingFrames(session: Session, pass: Pass, query: QueryExpr): Generator<FoundFrame> {
  for (const one of withTimeLimit(query, searchInPass(session, pass, query))) if (one) yield one;
}

function* allFrames(session: Session, pass: Pass): Generator<FoundFrame> {
  for (const one of factsOfFrames(session, pass)) if (one) yield { facts: one.facts, frame: one.read.frame };
}

/** Each frame: its envelope, then its content, indented if it is JSON. */
async function showInFull(io: Io, session: Session, range: FrameRange, { json, full }: ShowOptions): Promise<void> {
  const { metadata } = session;
  const found = framesNumbered(new Pass(session), range.first, range.last);
  if (found.length === 0) throw noFrames(session.id, range.first, range.last);
  if (!json) io.page();
  for (const [i, { frame, facts }] of found.entries()) {
    const row = frameJson(metadata.session, microsOf(metadata.started_at), frame, facts);
    const isOpen = json
      ? await io.json(row)
      : await io.write([i > 0 ? '\n' : '', ...frameView(frame, row, themeFor(io.color), full)].join(''));
    if (!isOpen) return;
  }
}

async function showRaw(io: Io, session: Session, from: Stream | null, range: FrameRange | null): Promise<void> {
  if (from === null && !range) throw new Failure('--raw needs --from', 'use one of: client, agent, stderr');
  // Recorded bytes could control the terminal.
  if (isatty(1)) throw new Failure('--raw does not write to a terminal', 'add: | less, or: > FILE');
  let seen = 0;
  let lines = 0;
  for (const frame of session.frames()) {
    if (!isIn(frame, range)) continue;
    seen++;
    if (frame.form === 'event' || (from !== null && frame.from !== from)) continue;
    lines++;
    if (!(await writeLine(io, frame))) return;
  }
  if (!range || lines > 0) return;
  const { first } = range;
  if (seen === 0) throw noFrames(session.id, range.first, range.last);
  throw new Failure(`f${first} is an event, not a line`, `wiretape show ${session.id}#f${first} shows it`);
}

/** Writes copies, because the buffers are reused. */
async function writeLine(io: Io, frame: Frame): Promise<boolean> {
  if (!frame.cut) return io.write(Buffer.concat([...blocksOf(frame)]));
  for (const block of blocksOf(frame)) if (!(await io.write(Buffer.from(block)))) return false;
  return true;
}
