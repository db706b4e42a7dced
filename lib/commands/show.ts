import { isatty } from 'node:tty';
import { type Frame, type Metadata, microsOf, STREAMS, type Stream } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { visible } from '../core/text.ts';
import { timelineRows } from '../core/timeline/json.ts';
import type { Entry } from '../core/timeline/shape.ts';
import { byName } from '../dialects/detect.ts';
import { DIALECTS } from '../dialects/index.ts';
import { detectDialect, type ReadTimeline, readSession, readTimeline, type SessionFrames } from '../dialects/read.ts';
import { frameJson } from '../facts/frame-json.ts';
import { Exit, Failure } from '../failure.ts';
import type { Expr } from '../filter/ast.ts';
import { compile } from '../filter/predicate.ts';
import { type Io, writeAll } from '../io.ts';
import { metadataOf, type OpenSession, withSession } from '../record/open.ts';
import { readQuery, textsOf } from '../search/query.ts';
import { limited } from '../search/search.ts';
import { type FoundInTape, searchTape } from '../search/tape.ts';
import { storeHome } from '../store/home.ts';
import { readNames, type SessionNames } from '../store/names.ts';
import { summarise } from '../store/summary.ts';
import { readFrames, readTape } from '../tape/read.ts';
import { frameLine } from '../terminal/frame-line.ts';
import { frameView } from '../terminal/frame-view.ts';
import { hitLine } from '../terminal/hit-line.ts';
import { sessionHead, titleLines } from '../terminal/session-head.ts';
import { themeFor } from '../terminal/theme.ts';
import { Tree } from '../terminal/tree.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape show last                        turns, steps, texts and tools, as a person reads them
  $ wiretape show last --turn 2 --full        one turn, with every line of every text
  $ wiretape show last --tools                only the calls of tools
  $ wiretape show last -q 'tool:Shell'        only what a query finds; --frames: frame by frame
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
  query?: string;
  json?: boolean;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('<session>', 'a session, or one of its frames as SESSION#f17')
    .option('--turn <number>', 'only this turn', turnNumber)
    .option('--tools', 'only the calls of tools')
    .option('--full', 'every line of every text')
    .option('-q, --query <query>', 'only what this finds: wiretape help query')
    .option('--frames', 'frame by frame')
    .option('--dialect <dialect>', 'the protocol, where detection is wrong')
    .option('--raw', 'the exact bytes of one direction, nothing else')
    .option('--from <stream>', 'client, agent, stderr or proc')
    .option('--json', 'one object a line')
    .addHelpText('after', HELP)
    .action(async (word: string, options: Options) => {
      const [, name, number] = /^(.*?)(?:#f?(\d+))?$/s.exec(word)!;
      const from = checkFrom(options);
      if (number !== undefined && options.query !== undefined)
        throw new Failure('one frame leaves nothing to choose', 'leave out its number, or --query');
      const query = options.query === undefined ? null : readQuery(options.query);
      await withSession(storeHome(io.env), name!, async (session) => {
        if (options.raw) return showRaw(io, session, (from as Stream | null) ?? null, number);
        if (number !== undefined) return showOne(io, session, Number(number), options);
        const isFrames = options.frames || from !== null || (!options.json && isPlain(session, options));
        const found = isFrames
          ? await showFrames(io, session, from, query, options)
          : await showTimeline(io, session, query, options);
        if (!found) exit(Exit.no);
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

/** False if there is nothing that the query finds. */
async function showTimeline(io: Io, session: OpenSession, query: Expr | null, options: Options): Promise<boolean> {
  const metadata = metadataOf(session);
  const timeline = readTimeline(framesOf(session, metadata, options));
  const all = chosen(timeline.entries, options);
  const entries = query ? foundIn(all, itemsFound(session, query, options)) : all;
  if (options.json) {
    const rows = timelineRows(metadata.session, microsOf(metadata.started_at), entries);
    for (const row of rows) if (!(await io.json(row))) return true;
  } else if (entries.length > 0 || !query) {
    await printTree(io, session, metadata, timeline, entries, options.full ?? false);
  }
  sayDamage(io, session);
  return entries.length > 0 || !query;
}

async function printTree(
  io: Io,
  session: OpenSession,
  metadata: Metadata,
  timeline: ReadTimeline,
  entries: Entry[],
  full: boolean,
): Promise<void> {
  const theme = themeFor(io.color);
  const { columns } = io;
  const { running } = session;
  io.page();
  await writeAll(io, sessionHead(metadata, timeline, { columns, theme, running, counts: true, ...namesOf(session) }));
  const tree = new Tree({ columns, theme, dialect: timeline.dialect, full, running, last: lastOf(timeline.entries) });
  if (entries.length > 0) await io.write(`\n${tree.title()}`);
  await writeAll(io, tree.entries(entries));
}

/** The items, by their first frames, that have a frame which the query finds. */
function itemsFound(session: OpenSession, query: Expr, options: Options): Set<number> {
  const items = new Set<number>();
  for (const { facts } of find(session, query, options)) {
    items.add(facts.f);
    if (facts.item !== null) items.add(facts.item);
  }
  return items;
}

/** What was found, and what it is part of. */
function foundIn(entries: Entry[], items: Set<number>): Entry[] {
  return entries.flatMap((entry): Entry[] => {
    if (entry.is === 'item' && items.has(entry.f)) return [entry];
    const inside = foundIn(entry.entries, items);
    const own = entry.is === 'turn' && entry.prompt !== null && items.has(entry.prompt.f);
    return inside.length > 0 || own ? [{ ...entry, entries: inside }] : [];
  });
}

function* find(session: OpenSession, query: Expr | null, options: Options): Generator<FoundInTape> {
  const metadata = metadataOf(session);
  const { dialect } = detectDialect(framesOf(session, metadata, options));
  // Most of what a session is known by is asked for by a query only.
  const facts = { ...summarise(session), dialect: dialect.name };
  for (const found of limited(query, searchTape(session.tape, facts, compile(query)))) if (found) yield found;
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

async function showFrames(
  io: Io,
  session: OpenSession,
  from: string | null,
  query: Expr | null,
  options: Options,
): Promise<boolean> {
  const metadata = metadataOf(session);
  const theme = themeFor(io.color);
  if (!options.json) {
    io.page();
    await writeAll(io, titleLines(metadata, io.columns, theme));
  }
  const lines =
    query || options.json ? foundLines(io, session, from, query, options) : plainLines(io, session, from, options);
  let shown = 0;
  for (const line of lines) {
    shown++;
    if (!(await io.write(line))) return true;
  }
  sayDamage(io, session);
  return shown > 0 || !query;
}

/** One pass over the tape: the first lines are there at once. */
function* plainLines(io: Io, session: OpenSession, from: string | null, options: Options): Generator<string> {
  const theme = themeFor(io.color);
  for (const { frame, message } of readSession(framesOf(session, metadataOf(session), options))) {
    if (from === null || frame.from === from) yield frameLine(frame, message.type, io.columns, theme);
  }
}

function* foundLines(
  io: Io,
  session: OpenSession,
  from: string | null,
  query: Expr | null,
  options: Options,
): Generator<string> {
  const metadata = metadataOf(session);
  const startedAt = microsOf(metadata.started_at);
  const theme = themeFor(io.color);
  for (const { facts, frame } of find(session, query, options)) {
    if (from !== null && facts.from !== from) continue;
    yield options.json
      ? `${exactJson(frameJson(metadata.session, startedAt, frame, facts))}\n`
      : hitLine(frame, facts, { columns: io.columns, theme, terms: textsOf(query) });
  }
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
  throw noFrame(session, number);
}

function noFrame({ id }: OpenSession, number: number): Failure {
  return new Failure(`session ${id} has no frame f${number}`, `wiretape show ${id} --frames lists them`);
}

function findOne(session: OpenSession, number: number, options: Options): FoundInTape {
  for (const found of find(session, readQuery(`f:${number}`), options)) return found;
  throw noFrame(session, number);
}

/** One frame whole: its envelope, then its content, indented where it is JSON. */
async function showOne(io: Io, session: OpenSession, number: number, options: Options): Promise<void> {
  const metadata = metadataOf(session);
  const { frame, facts } = findOne(session, number, options);
  const row = frameJson(metadata.session, microsOf(metadata.started_at), frame, facts);
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
    if (!(await writeLine(io, frame))) return;
  }
}

/** Copies: the buffers that lines lie in are used again. */
async function writeLine(io: Io, { raw, cut, eol }: Frame): Promise<boolean> {
  if (!cut) return io.write(Buffer.concat([raw, Buffer.from(eol)]));
  for (const block of cut.whole()) if (!(await io.write(Buffer.from(block)))) return false;
  return io.write(eol);
}
