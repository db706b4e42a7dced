/**
 * The rows of one session, made from its tape. Its recorder's writer process advances them again and again; a reader that finds
 * them behind makes them anew. Both give the same rows, because the tape is all they are made of. Everything here runs
 * inside a transaction of the caller's.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRow } from '../audit/row.ts';
import type { Frame, Metadata } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { toJson } from '../core/message.ts';
import { Listener } from '../core/searchable.ts';
import { type Change, FactReader } from '../facts/fact-reader.ts';
import type { Facts } from '../facts/facts.ts';
import { LineReader } from '../tape/line-reader.ts';
import { LONGEST_LINE, type LongLine } from '../tape/long-line.ts';
import { parseLine, parseMetadata, readFrames } from '../tape/read.ts';
import { META, TAPE } from './home.ts';
import { sessionKey } from './key.ts';
import { readNames } from './names.ts';
import { sumOfAudit } from './proof.ts';
import { tapeOf } from './sessions.ts';
import type { Database } from './sqlite.ts';
import { SESSION, type Statements, statementsFor } from './statements.ts';
import { type Source, toSummary } from './summary.ts';
import { Tally } from './tally.ts';
import { sumOf, type TextBlock, TextPacker } from './texts.ts';
import { Understanding } from './understanding.ts';

export interface IndexSource extends Source {
  dir: string;
}

/** Every write, in the one way that does not fail when others write too. */
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
  readonly #longestLine: number;
  readonly #reader: LineReader;
  readonly #tally = new Tally();
  #metadata: Metadata | null = null;
  #understanding: Understanding | null = null;
  #facts: FactReader | null = null;
  readonly #listener = new Listener();
  readonly #packer = new TextPacker();
  #blocks = 0;
  #rows = 0;
  #last = 0;
  #inOrder = true;
  /** How far the session's row says we came; null before the first time. */
  #indexed: number | null = null;

  /** `longestLine`: of a line that is longer, and that others could read, nothing is made: `TooLong` is thrown. */
  constructor(source: IndexSource, longestLine = LONGEST_LINE) {
    this.#source = source;
    this.#key = sessionKey(source.id);
    this.#longestLine = longestLine;
    this.#reader = new LineReader(source.tape, longestLine);
  }

  /** Rows for what the tape has more by now, up to some bytes of it. True when all of it is done. */
  advance(db: Database, atMost: number, running: boolean): boolean {
    const statements = statementsFor(db);
    // Before anything is read: what changes meanwhile must be seen later.
    const stamp = stampOf(this.#source.dir);
    if (this.#indexed === null) forgetSession(db, this.#key);
    else if (statements.indexed.get(this.#key) !== this.#indexed) throw new Displaced();
    const stop = this.#reader.offset + atMost;
    let done = true;
    for (const { line, offset, long } of this.#reader.lines()) {
      if (long && long.length <= LONGEST_LINE) throw new TooLong();
      if (this.#metadata === null) this.#begin(parseMetadata(line));
      else this.#line(statements, line, offset, long);
      if (this.#reader.offset < stop) continue;
      done = false;
      break;
    }
    const settled = done && !running;
    if (this.#metadata && settled) this.#end(statements);
    if (this.#metadata) this.#session(statements, { metadata: this.#metadata, running, settled, stamp });
    return done;
  }

  close(): void {
    this.#reader.close();
  }

  #begin(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#understanding = new Understanding(metadata, readFrames(this.#source.tape, this.#longestLine));
    this.#facts = new FactReader({ command: metadata.command, dialect: this.#understanding.dialect });
  }

  #line(statements: Statements, line: Buffer, offset: number, long: LongLine | null): void {
    const entry = parseLine(line, long);
    if (entry?.is === 'seal') this.#tally.seal = entry.seal;
    if (entry?.is === 'frame') this.#frame(statements, entry.frame, offset);
  }

  #frame(statements: Statements, frame: Frame, offset: number): void {
    const read = this.#understanding!.take(frame);
    this.#tally.frame(read);
    const { facts, changes, rows } = this.#facts!.take(read);
    this.#rows += statements.frame.run(frameRow(this.#key, facts, frame.event, offset)).changes;
    if (frame.f <= this.#last) this.#inOrder = false;
    this.#last = frame.f;
    const { pairing } = read;
    if (pairing?.role === 'asks') {
      const { f, asker, method, askedT } = { f: frame.f, ...pairing.exchange! };
      statements.exchange.run(this.#key, f, asker, method, idOf(facts), askedT);
    } else if (pairing?.role === 'answers') {
      statements.answerExchange.run(frame.f, facts.latency, facts.code, this.#key, pairing.exchange!.askedF);
    }
    this.#changes(statements, changes);
    this.#approvals(statements, rows);
    this.#text(statements, this.#packer.add(frame.f, this.#listener.take(read)));
  }

  /** What only the end tells. */
  #end(statements: Statements): void {
    const { changes, rows } = this.#facts!.end();
    this.#changes(statements, changes);
    this.#approvals(statements, rows);
    this.#text(statements, this.#packer.flush());
  }

  #changes(statements: Statements, changes: readonly Change[]): void {
    for (const { f, pair_f, latency, set = 0, clear = 0, wait, approval, by, tool, turn } of changes) {
      if (turn !== undefined) statements.turnFrame.run(turn, this.#key, f);
      if (pair_f !== undefined) statements.answerFrame.run(pair_f, latency, clear, set, this.#key, f);
      if (wait !== undefined)
        statements.decideFrame.run(wait, approval ?? null, by ?? null, tool ?? null, this.#key, f);
    }
  }

  #approvals(statements: Statements, rows: readonly ApprovalRow[]): void {
    for (const row of rows) {
      const { f, n, kind, turn, subagent, tool, action, description, decision, by, wait, executed, result, flags } =
        row;
      const key = this.#key;
      const values = [key, f, n, kind, turn, subagent, tool, action, description, decision, by, wait, executed, result];
      statements.approval.run(values, flags.join(' '), toJson(row));
    }
  }

  #text(statements: Statements, block: TextBlock | null): void {
    if (block) statements.text.run(this.#key, this.#blocks++, block.text, block.ends, sumOf(block));
  }

  #session(statements: Statements, { metadata, running, settled, stamp }: Reached): void {
    const { dir } = this.#source;
    const tape = tapeOf(dir);
    const facts = this.#understanding!.facts;
    const summary = toSummary({ ...this.#source, running }, metadata, this.#tally, facts, readNames(dir));
    const { exit, probe, tags, command } = summary;
    const { clientHeard, bypass } = this.#facts!.audit;
    const heard = clientHeard ? 1 : 0;
    const bypassed = bypass.length === 0 ? null : JSON.stringify(bypass);
    // A last line without its end is looked at too.
    const indexed = this.#reader.offset + (settled ? this.#reader.restLength : 0);
    const values: Record<string, unknown> = {
      ...summary,
      key: this.#key,
      tags: JSON.stringify(tags),
      command: JSON.stringify(command),
      exit_code: exit?.code ?? null,
      exit_signal: exit?.signal ?? null,
      probe: probe ? 1 : 0,
      heard,
      bypass: bypassed,
      tape_elsewhere: tape === join(dir, TAPE) ? null : tape,
      // Only at the tape's end: whoever is cut short on the way there leaves rows that the next reader makes anew.
      settled: settled ? 1 : 0,
      indexed,
      in_order: this.#inOrder ? 1 : 0,
      frame_rows: this.#rows,
      text_rows: this.#blocks,
      index_rows: settled ? JSON.stringify(statements.indexRows.get({ session: this.#key })) : null,
      audit_sum: settled ? sumOfAudit(statements.auditRows.iterate(this.#key), heard, bypassed) : null,
      ...stamp,
    };
    statements.session.run(...SESSION.map((column) => values[column]));
    this.#indexed = indexed;
  }
}

/** How far a step came. */
interface Reached {
  metadata: Metadata;
  running: boolean;
  /** All of the tape is in rows, and it will not grow. */
  settled: boolean;
  stamp: Stamp;
}

/** A line is too long for whoever makes the rows, though not for a reader who has more memory to spend. */
export class TooLong extends Error {}

/** Somebody else has written this session's rows since: a reader that thought us dead, or a new index. */
export class Displaced extends Error {}

export interface Stamp {
  folder_changed: number;
  names_changed: number | null;
}

/** Changes whenever a file of the session comes, goes or is replaced, or its names are edited where they lie. */
export function stampOf(dir: string): Stamp {
  return {
    folder_changed: statSync(dir).mtimeMs,
    names_changed: statSync(join(dir, META), { throwIfNoEntry: false })?.mtimeMs ?? null,
  };
}

/** In the order of the table's columns. */
function frameRow(key: number, facts: Facts, event: string | null, offset: number): unknown[] {
  const { kinds, flags } = facts;
  return [
    key,
    facts.f,
    facts.t,
    facts.from,
    facts.envelope,
    kinds[0] ?? null,
    kinds.length > 1 ? kinds.join(' ') : null,
    facts.method,
    facts.type,
    idOf(facts),
    facts.tool,
    facts.tool_call_id,
    facts.turn,
    facts.step,
    facts.subagent,
    facts.parent,
    facts.item,
    facts.status,
    facts.code,
    event,
    facts.pair_f,
    facts.latency,
    facts.wait,
    facts.gap,
    facts.approval,
    facts.by,
    facts.size,
    offset,
    flags.length > 0 ? flags.join(' ') : null,
    facts.marks,
  ];
}

function idOf({ id }: Facts): string | null {
  return id === null ? null : exactJson(id);
}
