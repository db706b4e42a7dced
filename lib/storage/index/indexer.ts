/**
 * Makes the rows of one session from its tape. The writer process of its recorder adds rows in steps; a reader that finds
 * them out of date makes them again. Both give the same rows, because they depend only on the tape. The caller provides
 * the transaction.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { type FactChange, FactReader } from '../../analysis/facts/fact-reader.ts';
import type { Metadata, Seal } from '../../model/frame.ts';
import { toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { TextCollector } from '../../model/text/searchable.ts';
import { GrowingPass } from '../../session/growing-pass.ts';
import type { PassInfo } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { dialectIn } from '../../session/source.ts';
import { toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { META, TAPE } from '../store/home.ts';
import { readNames } from '../store/names.ts';
import { tapeOf } from '../store/sessions.ts';
import { LineReader } from '../tape/line-reader.ts';
import { type LongLine, MAX_LINE_BYTES } from '../tape/long-line.ts';
import { parseLine, parseMetadata } from '../tape/read.ts';
import { Rejoiner } from '../tape/rejoin.ts';
import { encodeId, encodeWords, frameRow } from './frame-row.ts';
import { auditChecksum } from './row-counts.ts';
import { sessionKey } from './session-key.ts';
import { sketchOf } from './sketch.ts';
import type { Database } from './sqlite.ts';
import { type IndexStatements, statementsFor } from './statements.ts';
import { APPROVAL_COLUMNS, SESSION_COLUMNS } from './tables.ts';
import { checksumOf, type TextBlock, TextPacker } from './texts.ts';

export interface IndexSource extends Pick<Session, 'id' | 'tape' | 'running'> {
  dir: string;
}

/** Takes the write lock at the start, so that concurrent writers do not fail later. */
export function inTransaction<T>(db: Database, work: () => T): T {
  return db.transaction(work).immediate();
}

export function indexSession(db: Database, source: IndexSource): void {
  const indexer = new SessionIndexer(source);
  try {
    indexer.advance(db, Number.POSITIVE_INFINITY, source.running);
  } finally {
    indexer.close();
  }
}

export function forgetSession(db: Database, key: number): void {
  for (const statement of statementsFor(db).forget) statement.run(key);
}

export class SessionIndexer {
  readonly #source: IndexSource;
  readonly #key: number;
  readonly #reader: LineReader;
  readonly #tally = new SessionTally();
  readonly #rejoiner = new Rejoiner();
  #metadata: Metadata | null = null;
  #pass: GrowingPass<FrameRows> | null = null;
  #facts: FactReader | null = null;
  /** The last seal, if no frame came after it. */
  #seal: Seal | null = null;
  /** For the current transaction. */
  #statements: IndexStatements | null = null;
  readonly #listener = new TextCollector();
  readonly #packer = new TextPacker();
  #blocks = 0;
  #rows = 0;
  #last = 0;
  #inOrder = true;
  /** The position in the session's row; null before the first step. */
  #indexed: number | null = null;

  /** `longestLine`: throws `LineTooLong` for a longer line that other readers could still read. */
  constructor(source: IndexSource, longestLine = MAX_LINE_BYTES) {
    this.#source = source;
    this.#key = sessionKey(source.id);
    this.#reader = new LineReader(source.tape, longestLine);
  }

  /** Adds rows for up to `atMost` new bytes of the tape. True when all of it is done. */
  advance(db: Database, atMost: number, running: boolean): boolean {
    const statements = statementsFor(db);
    this.#statements = statements;
    // Take the stamp before reading, so that later changes are noticed.
    const stamp = stampOf(this.#source.dir);
    if (this.#indexed === null) forgetSession(db, this.#key);
    else if (statements.indexed.get(this.#key) !== this.#indexed) throw new RowsReplaced();
    const stop = this.#reader.offset + atMost;
    let done = true;
    for (const { line, offset, long } of this.#reader.lines()) {
      if (long && long.length <= MAX_LINE_BYTES) throw new LineTooLong();
      if (this.#metadata === null) this.#begin(parseMetadata(line));
      else this.#line(line, offset, long);
      // Read until the dialect is certain: a guess from a part of the tape could be wrong after every start.
      if (this.#reader.offset < stop || !this.#pass!.hasBegun) continue;
      done = false;
      break;
    }
    if (!this.#metadata) return done;
    const settled = done && !running;
    if (settled) this.#addRejoined();
    this.#pass!.flush();
    if (settled) this.#end(statements);
    this.#writeSession(statements, { metadata: this.#metadata, running, settled, stamp });
    return done;
  }

  close(): void {
    this.#reader.close();
  }

  #begin(metadata: Metadata): void {
    this.#metadata = metadata;
    const source = { command: metadata.command, dialect: dialectIn(metadata) };
    // If the dialect turns out to be another one, the rows are made again from the tape.
    this.#pass = new GrowingPass(source, (info) => this.#rowsOf(info), { keepEarly: false });
  }

  #rowsOf(info: PassInfo): FrameRows {
    this.#facts = new FactReader(info);
    return { take: (read, offset) => this.#frame(this.#statements!, read, offset) };
  }

  #line(line: Buffer, offset: number, long: LongLine | null): void {
    const entry = parseLine(line, long);
    if (entry?.is === 'seal') this.#seal = entry.seal;
    if (entry?.is !== 'frame') return;
    this.#seal = null;
    if (!this.#rejoiner.wants(entry.frame)) return this.#pass!.take(entry.frame, offset);
    for (const frame of this.#rejoiner.take(entry.frame)) this.#pass!.take(frame, offset);
  }

  /** The last frames of a tape whose frames are made of lines. They have no offsets, so that only the tape is searched. */
  #addRejoined(): void {
    if (!this.#rejoiner.isActive) return;
    for (const frame of this.#rejoiner.end()) this.#pass!.take(frame, 0);
    this.#inOrder = false;
  }

  #frame(statements: IndexStatements, read: ReadFrame, offset: number): void {
    const { frame } = read;
    this.#tally.take(read);
    const { facts, changes, rows } = this.#facts!.take(read);
    this.#rows += statements.frame.run(frameRow(facts, this.#key, offset)).changes;
    if (frame.f <= this.#last) this.#inOrder = false;
    this.#last = frame.f;
    const { pairing } = read;
    if (pairing?.role === 'asks') {
      const { f, asker, method, askedT } = { f: frame.f, ...pairing.exchange! };
      statements.exchange.run(this.#key, f, asker, method, encodeId(facts.id), askedT);
    } else if (pairing?.role === 'answers') {
      statements.answerExchange.run(frame.f, facts.latency, facts.code, this.#key, pairing.exchange!.askedF);
    }
    this.#applyChanges(statements, changes);
    this.#addApprovals(statements, rows);
    this.#text(statements, this.#packer.add(frame.f, this.#listener.take(read)));
  }

  /** Adds what is known only at the end. */
  #end(statements: IndexStatements): void {
    const { changes, rows } = this.#facts!.end();
    this.#applyChanges(statements, changes);
    this.#addApprovals(statements, rows);
    this.#text(statements, this.#packer.flush());
  }

  #applyChanges(statements: IndexStatements, changes: readonly FactChange[]): void {
    for (const change of changes) {
      const { f, pair_f, latency, set = 0, clear = 0, turn } = change;
      if (turn !== undefined) statements.turnFrame.run(turn, this.#key, f);
      if (pair_f !== undefined) statements.answerFrame.run(pair_f, latency, clear, set, this.#key, f);
      if (change.wait !== undefined) this.#decide(statements, change);
    }
  }

  #decide(statements: IndexStatements, { f, wait, approval, by, mode, ran, flag, tool }: FactChange): void {
    const decided = [wait, approval, by, mode, ran, encodeWords(flag!)];
    statements.decideFrame.run(...decided, tool ?? null, this.#key, f);
  }

  #addApprovals(statements: IndexStatements, rows: readonly ApprovalRow[]): void {
    for (const row of rows) {
      const values: Record<string, unknown> = {
        ...row,
        session: this.#key,
        flags: row.flags.join(' '),
        row: toJson(row),
      };
      statements.approval.run(APPROVAL_COLUMNS.map(({ name }) => values[name]));
    }
  }

  #text(statements: IndexStatements, block: TextBlock | null): void {
    if (!block) return;
    const sketch = sketchOf(block.text);
    statements.text.run(this.#key, this.#blocks++, sketch, crc32(sketch), block.text, block.ends, checksumOf(block));
  }

  #writeSession(statements: IndexStatements, { metadata, running, settled, stamp }: IndexedState): void {
    const { dir } = this.#source;
    const tape = tapeOf(dir);
    const { dialect, timeline } = this.#pass!;
    const about = { ...this.#source, running, metadata, names: readNames(dir) };
    const summary = toSummary(about, this.#tally, { dialect, timeline, seal: this.#seal });
    const { exit, probe, tags, command, conversations, read } = summary;
    const { hasClientSide: clientHeard, bypass } = this.#facts!.audit;
    const heard = clientHeard ? 1 : 0;
    const bypassed = bypass.length === 0 ? null : JSON.stringify(bypass);
    // An incomplete last line has been read as well.
    const indexed = this.#reader.offset + (settled ? this.#reader.restLength : 0);
    const values: Record<string, unknown> = {
      ...summary,
      key: this.#key,
      tags: JSON.stringify(tags),
      command: JSON.stringify(command),
      conversations: JSON.stringify(conversations),
      exit_code: exit?.code ?? null,
      exit_signal: exit?.signal ?? null,
      probe: probe ? 1 : 0,
      agent_lines: read!.lines,
      understood: read!.understood,
      enough_understood: read!.enough ? 1 : 0,
      heard,
      bypass: bypassed,
      tape_elsewhere: tape === join(dir, TAPE) ? null : tape,
      // Only at the end of the tape: rows of an interrupted run are made again by the next reader.
      settled: settled ? 1 : 0,
      indexed,
      in_order: this.#inOrder ? 1 : 0,
      frame_rows: this.#rows,
      text_rows: this.#blocks,
      index_rows: settled ? JSON.stringify(statements.indexRows.get({ session: this.#key })) : null,
      audit_sum: settled ? auditChecksum(statements.auditRows.iterate(this.#key), heard, bypassed) : null,
      ...stamp,
    };
    statements.session.run(SESSION_COLUMNS.map(({ name }) => values[name]));
    this.#indexed = indexed;
  }
}

interface FrameRows {
  take(read: ReadFrame, offset: number): void;
}

/** The state after a step. */
interface IndexedState {
  metadata: Metadata;
  running: boolean;
  /** The rows are complete, and the tape will not grow. */
  settled: boolean;
  stamp: Stamp;
}

/** A line is too long for this process, but not for a reader that may use more memory. */
export class LineTooLong extends Error {}

/** Another process has replaced the rows of this session, or the index. */
export class RowsReplaced extends Error {}

export interface Stamp {
  folder_changed: number;
  names_changed: number | null;
}

/** Changes when a file of the session is added, removed or replaced, or its names are edited. */
export function stampOf(dir: string): Stamp {
  return {
    folder_changed: statSync(dir).mtimeMs,
    names_changed: statSync(join(dir, META), { throwIfNoEntry: false })?.mtimeMs ?? null,
  };
}
