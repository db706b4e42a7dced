/**
 * The rows of one session, made from its tape. Its recorder's worker advances them again and again; a reader that finds
 * them behind makes them anew. Both give the same rows, because the tape is all they are made of. Everything here runs
 * inside a transaction of the caller's.
 */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../core/event.ts';
import type { Frame, Metadata } from '../core/frame.ts';
import { LineReader } from '../tape/line-reader.ts';
import { parseLine, parseMetadata, readFrames } from '../tape/read.ts';
import { META, SESSION_ID, TAPE } from './home.ts';
import type { Database } from './index-file.ts';
import { readNames } from './names.ts';
import { tapeOf } from './sessions.ts';
import { SESSION, type Statements, statementsFor } from './statements.ts';
import { type Source, toSummary } from './summary.ts';
import { Tally } from './tally.ts';
import { Understanding } from './understanding.ts';

export interface IndexSource extends Source {
  dir: string;
}

/** The id as a number, each of its parts a digit: exact, in order of time, and no two ids have the same. */
export function sessionKey(id: string): number {
  const [, year, month, day, hour, minute, second, tail] = SESSION_ID.exec(id) ?? [];
  if (tail === undefined) throw new Error(`${id} is no session id`);
  const days = ((Number(year) - 1970) * 12 + Number(month) - 1) * 31 + Number(day) - 1;
  const seconds = ((days * 24 + Number(hour)) * 60 + Number(minute)) * 60 + Number(second);
  return seconds * 36 ** 4 + Number.parseInt(tail, 36);
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
  readonly #reader: LineReader;
  readonly #tally = new Tally();
  #metadata: Metadata | null = null;
  #understanding: Understanding | null = null;
  /** How far the session's row says we came; null before the first time. */
  #indexed: number | null = null;

  constructor(source: IndexSource) {
    this.#source = source;
    this.#key = sessionKey(source.id);
    this.#reader = new LineReader(source.tape);
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
    for (const { line, offset } of this.#reader.lines()) {
      if (this.#metadata === null) this.#begin(parseMetadata(line));
      else this.#line(statements, line, offset);
      if (this.#reader.offset < stop) continue;
      done = false;
      break;
    }
    if (this.#metadata) this.#session(statements, this.#metadata, running, stamp);
    return done;
  }

  close(): void {
    this.#reader.close();
  }

  #begin(metadata: Metadata): void {
    this.#metadata = metadata;
    this.#understanding = new Understanding(metadata, readFrames(this.#source.tape));
  }

  #line(statements: Statements, line: Buffer, offset: number): void {
    const entry = parseLine(line);
    if (entry?.is === 'seal') this.#tally.seal = entry.seal;
    if (entry?.is === 'frame') this.#frame(statements, entry.frame, offset);
  }

  #frame(statements: Statements, frame: Frame, offset: number): void {
    const { f, t } = frame;
    const read = this.#understanding!.take(frame);
    this.#tally.frame(read);
    const { message, pairing, events, where } = read;
    const exchange = pairing?.exchange;
    const answers = pairing?.role === 'answers' && exchange;
    const latency = answers ? roundMicros(t - exchange.askedT) : null;
    const id = message.id === null ? null : JSON.stringify(message.id);
    statements.frame.run(
      ...[this.#key, f, t, frame.from, message.envelope, events[0]?.kind ?? null, message.method, message.type, id],
      ...[firstOf(events, 'tool'), where.turn, where.step, events[0]?.subagent ?? null, firstOf(events, 'status')],
      ...[message.code, frame.event, answers ? exchange.askedF : null, latency, frame.raw.length, offset],
      flagsOf(events),
    );
    if (answers) {
      statements.answerFrame.run(f, latency, this.#key, exchange.askedF);
      statements.answerExchange.run(f, latency, message.code, this.#key, exchange.askedF);
    } else if (exchange && pairing.role === 'asks') {
      statements.exchange.run(this.#key, f, exchange.asker, exchange.method, id, t);
    }
  }

  #session(statements: Statements, metadata: Metadata, running: boolean, stamp: Stamp): void {
    const { dir } = this.#source;
    const tape = tapeOf(dir);
    const facts = this.#understanding!.facts;
    const summary = toSummary({ ...this.#source, running }, metadata, this.#tally, facts, readNames(dir));
    const { exit, probe, tags, command } = summary;
    const values: Record<string, unknown> = {
      ...summary,
      key: this.#key,
      tags: JSON.stringify(tags),
      command: JSON.stringify(command),
      exit_code: exit?.code ?? null,
      exit_signal: exit?.signal ?? null,
      probe: probe ? 1 : 0,
      tape_elsewhere: tape === join(dir, TAPE) ? null : tape,
      settled: running ? 0 : 1,
      indexed: this.#reader.offset,
      ...stamp,
    };
    statements.session.run(...SESSION.map((column) => values[column]));
    this.#indexed = this.#reader.offset;
  }
}

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

function firstOf(events: Event[], key: 'tool' | 'status'): string | null {
  for (const event of events) {
    const value = (event as unknown as Record<string, unknown>)[key];
    if (typeof value === 'string') return value;
  }
  return null;
}

function flagsOf(events: Event[]): string | null {
  // Hardly any frame has one.
  if (!events.some((event) => event.flags !== undefined)) return null;
  const flags = events.flatMap((event) => event.flags ?? []);
  return flags.length > 0 ? [...new Set(flags)].join(' ') : null;
}

function roundMicros(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}
