import { isatty } from 'node:tty';
import { type Frame, type Metadata, microsOf, STREAMS, type Stream } from '../core/frame.ts';
import { frameJson } from '../core/frame-json.ts';
import { visible } from '../core/text.ts';
import { timelineRows } from '../core/timeline/json.ts';
import type { Entry } from '../core/timeline/shape.ts';
import { byName } from '../dialects/detect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { detectDialect, type ReadFrame, readSession, readTimeline, type SessionFrames } from '../dialects/read.ts';
import { Failure } from '../failure.ts';
import { type Io, writeAll } from '../io.ts';
import { metadataOf, type OpenSession, withSession } from '../record/open.ts';
import { storeHome } from '../store/home.ts';
import { readNames, type SessionNames } from '../store/names.ts';
import { readFrames, readTape } from '../tape/read.ts';
import { frameLine } from '../terminal/frame-line.ts';
import { frameView } from '../terminal/frame-view.ts';
import { sessionHead, titleLines } from '../terminal/session-head.ts';
import { themeFor } from '../terminal/theme.ts';
import { Tree } from '../terminal/tree.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape show last                        turns, steps, texts and tools, as a person reads them
  $ wiretape show last --turn 2 --full        one turn, with every line of every text
  $ wiretape show last --tools                only the calls of tools
  $ wiretape show last --frames               frame by frame; --from agent: one side only
  $ wiretape show last#f17                    one frame, whole
  $ wiretape show last --json | jq .kind      for programs: one object an item (--frames: a frame)
  $ wiretape show last --raw --from agent     the exact bytes, as they crossed the pipe

On the left are the frame and the seconds since the start. An item's time is its first frame's; what refers to something
earlier (a result, an answer) stands with it. \`waited\`: somebody was asked and had not answered; \`ran\`: the rest.
Words in [brackets] are marks of the dialect: resent (asked once more), before-call (asked before the call was announced),
background, discarded, late-answer, orphan (answers nothing that was asked), foreign (of another dialect), invalid.
A session in a protocol that is not known (dialects jsonrpc and lines) is shown frame by frame.`;

interface Options {
  turn?: number;
  tools?: boolean;
  full?: boolean;
  dialect?: string;
  frames?: boolean;
  raw?: boolean;
  from?: string;
  json?: boolean;
}

export const define: Define = (command, { io }) => {
  command
    .argument('<session>', 'a session, or one of its frames as SESSION#f17')
    .option('--turn <number>', 'only this turn', turnNumber)
    .option('--tools', 'only the calls of tools')
    .option('--full', 'every line of every text')
    .option('--frames', 'frame by frame')
    .option('--dialect <dialect>', 'the protocol, where detection is wrong')
    .option('--raw', 'the exact bytes of one direction, nothing else')
    .option('--from <stream>', 'client, agent, stderr or proc')
    .option('--json', 'one object a line')
    .addHelpText('after', HELP)
    .action(async (word: string, options: Options) => {
      const [, name, number] = /^(.*?)(?:#f?(\d+))?$/s.exec(word)!;
      const from = checkFrom(options);
      await withSession(storeHome(io.env), name!, async (session) => {
        if (options.raw) return showRaw(io, session, (from as Stream | null) ?? null, number);
        if (number !== undefined) return showOne(io, session, Number(number), options);
        if (options.frames || from !== null) return showFrames(io, session, from, options);
        if (!options.json && isPlain(session, options)) return showFrames(io, session, null, options);
        return showTimeline(io, session, options);
      });
    });
};

function checkFrom({ from, raw }: Options): string | null {
  const allowed: string[] = raw ? [...STREAMS] : [...STREAMS, 'proc'];
  if (from !== undefined && !allowed.includes(from)) {
    throw new Failure(`--from ${JSON.stringify(from)} is no stream`, `one of ${allowed.join(', ')}`);
  }
  return from ?? null;
}

/** A protocol that nobody here knows has no turns: who said what is all there is to show. */
function isPlain(session: OpenSession, options: Options): boolean {
  if (options.turn !== undefined || options.tools || options.full) return false;
  const { dialect } = detectDialect(framesOf(session, metadataOf(session), options));
  return dialect.name === 'jsonrpc' || dialect.name === 'lines';
}

async function showTimeline(io: Io, session: OpenSession, options: Options): Promise<void> {
  const metadata = metadataOf(session);
  const timeline = readTimeline(framesOf(session, metadata, options));
  const entries = chosen(timeline.entries, options);
  if (options.json) {
    const rows = timelineRows(metadata.session, microsOf(metadata.started_at), entries);
    for (const row of rows) if (!(await io.json(row))) return;
    return sayDamage(io, session);
  }
  const theme = themeFor(io.color);
  const { columns } = io;
  const { running } = session;
  io.page();
  await writeAll(io, sessionHead(metadata, timeline, { columns, theme, running, counts: true, ...namesOf(session) }));
  const full = options.full ?? false;
  const tree = new Tree({ columns, theme, dialect: timeline.dialect, full, running, last: lastOf(timeline.entries) });
  if (entries.length > 0) await io.write(`\n${tree.title()}`);
  await writeAll(io, tree.entries(entries));
  sayDamage(io, session);
}

function namesOf({ dir }: OpenSession): SessionNames {
  return dir === null ? { name: null, tags: {} } : readNames(dir);
}

function lastOf(entries: Entry[]): { f: number; t: number } {
  return entries.reduce((last, { f_end, t_end }) => ({ f: Math.max(last.f, f_end), t: Math.max(last.t, t_end) }), {
    f: 0,
    t: 0,
  });
}

function chosen(entries: Entry[], { turn, tools }: Options): Entry[] {
  const turns = turn === undefined ? entries : entries.filter((entry) => entry.is === 'turn' && entry.n === turn);
  if (turn !== undefined && turns.length === 0) throw new Failure(`there is no turn ${turn}`);
  return tools ? turns.flatMap(callsIn) : turns;
}

/** With the calls of a subagent in the call that started it. */
function callsIn(entry: Entry): Entry[] {
  const inside = entry.entries.flatMap(callsIn);
  return entry.is === 'item' && entry.call ? [{ ...entry, entries: inside }] : inside;
}

/** The session's frames, as often as they are asked for. */
function framesOf(session: OpenSession, metadata: Metadata, { dialect }: Options): SessionFrames {
  const given = dialect ?? (typeof metadata.dialect === 'string' ? metadata.dialect : null);
  if (dialect !== undefined && !byName(dialect)) {
    throw new Failure(
      `there is no dialect ${JSON.stringify(dialect)}`,
      `one of ${DIALECTS.map(({ name }) => name).join(', ')}`,
    );
  }
  return {
    command: metadata.command,
    dialect: given,
    frames: () => readFrames(session.tape),
  };
}

async function showFrames(io: Io, session: OpenSession, from: string | null, options: Options): Promise<void> {
  const metadata = metadataOf(session);
  const startedAt = microsOf(metadata.started_at);
  const theme = themeFor(io.color);
  if (!options.json) {
    io.page();
    await writeAll(io, titleLines(metadata, io.columns, theme));
  }
  for (const read of readSession(framesOf(session, metadata, options))) {
    if (from !== null && read.frame.from !== from) continue;
    const going = options.json
      ? await io.json(frameJson(metadata.session, startedAt, read))
      : await io.write(frameLine(read.frame, read.message.type, io.columns, theme));
    if (!going) return;
  }
  sayDamage(io, session);
}

function sayDamage(io: Io, session: OpenSession): void {
  let damaged = 0;
  for (const { is } of readTape(session.tape)) if (is === 'damaged') damaged++;
  if (damaged === 0) return;
  io.say(`wiretape: ${damaged} line${damaged > 1 ? 's' : ''} of the tape could not be read`);
  io.say(`hint: wiretape verify ${visible(session.id)}`);
}

function turnNumber(word: string): number {
  if (!/^[1-9]\d*$/.test(word)) throw new Failure(`--turn ${JSON.stringify(word)} is no number of a turn`);
  return Number(word);
}

function findFrame(session: OpenSession, number: number): Frame {
  for (const entry of readTape(session.tape)) {
    if (entry.is === 'frame' && entry.frame.f === number) return { ...entry.frame, raw: Buffer.from(entry.frame.raw) };
  }
  throw new Failure(`session ${session.id} has no frame f${number}`, `wiretape show ${session.id} --frames lists them`);
}

function findReading(frames: SessionFrames, number: number): ReadFrame {
  for (const read of readSession(frames)) if (read.frame.f === number) return read;
  throw new Failure(`there is no frame f${number}`);
}

/** One frame whole: its envelope, then its content, indented where it is JSON. */
async function showOne(io: Io, session: OpenSession, number: number, options: Options): Promise<void> {
  const metadata = metadataOf(session);
  const frame = findFrame(session, number);
  const read = findReading(framesOf(session, metadata, options), number);
  const row = frameJson(metadata.session, microsOf(metadata.started_at), { ...read, frame });
  if (options.json) return void (await io.json(row));
  io.page();
  await writeAll(io, frameView(frame, row, themeFor(io.color)));
}

async function showRaw(io: Io, session: OpenSession, from: Stream | null, number: string | undefined): Promise<void> {
  if (from === null && number === undefined) {
    throw new Failure(
      '--raw needs --from client, agent or stderr',
      'the bytes of several streams do not belong together',
    );
  }
  // Bytes may do anything to a terminal; a pipe or a file gets them as they are.
  if (isatty(1)) throw new Failure('raw bytes are not shown on a terminal', 'add: | less, or: > FILE');
  metadataOf(session);
  if (number !== undefined && findFrame(session, Number(number)).form === 'event') {
    throw new Failure(`f${number} is an event, not a line`, `wiretape show ${session.id}#f${number} shows it`);
  }
  for (const entry of readTape(session.tape)) {
    if (entry.is !== 'frame' || entry.frame.form === 'event') continue;
    const { frame } = entry;
    if (number !== undefined ? frame.f !== Number(number) : frame.from !== from) continue;
    // A copy: the line's own buffer is used again for the next one.
    if (!(await io.write(Buffer.concat([frame.raw, Buffer.from(frame.eol)])))) return;
  }
}
