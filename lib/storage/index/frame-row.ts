/** Converts facts to rows of the table `frames` and back. This runs for every frame, so it avoids copies. */

import { emptyFacts, type Facts } from '../../analysis/facts/facts.ts';
import { onlyKind } from '../../analysis/facts/storable.ts';
import { FACT_LIST, type StoredType } from '../../analysis/facts/table.ts';
import type { SessionFacts } from '../../analysis/query/facts.ts';
import type { EventKind } from '../../model/event.ts';
import { exactJson, type Id, idOfJson } from '../../model/id.ts';
import { quoted } from './tables.ts';

const FACT_NAMES = FACT_LIST.map(([name]) => name);

/** The columns read for a frame: its facts, then the offset of its line. */
export const SELECTED_COLUMNS = [...FACT_NAMES, 'offset'].map(quoted).join(', ');
export const SELECTED_COUNT = FACT_NAMES.length + 1;

/** The values of `SELECTED_COLUMNS`, as SQLite gives them. */
export type FrameRow = unknown[];

/** A frame in the index: its facts, and the offset of its line in the tape. */
export interface IndexedFrame {
  facts: Facts;
  offset: number;
}

const NO_WORDS: readonly string[] = [];
const split = (words: string | null) => (words === null ? NO_WORDS : words.split(' '));

/** Conversions for values that are stored differently. `facts` has the columns that were read before. */
interface Codec {
  encode(value: never): unknown;
  decode(stored: never, facts: Record<string, unknown>): unknown;
}

const CODECS: Partial<Record<StoredType, Codec>> = {
  id: {
    encode: (id: Id) => (id === null ? null : exactJson(id)),
    decode: (json: string | null) => (json === null ? null : idOfJson(json)),
  },
  words: {
    encode: (words: readonly string[]) => (words.length > 0 ? words.join(' ') : null),
    decode: split,
  },
  'more-words': {
    encode: (words: readonly string[]) => (words.length > 1 ? words.join(' ') : null),
    decode: (words: string | null, { kind }) =>
      words === null && kind !== null ? onlyKind(kind as EventKind) : split(words),
  },
};

const CODED_FACTS = FACT_LIST.flatMap(([name, { stored }], at) => {
  const codec = CODECS[stored];
  return codec ? [{ name, at, codec }] : [];
});

/** The values of `FRAME_COLUMNS`. Facts have all keys of the table, in its order. */
export function frameRow(facts: Facts, session: number, offset: number): unknown[] {
  const row: unknown[] = Object.values(facts);
  for (const { at, codec } of CODED_FACTS) row[at] = codec.encode(row[at] as never);
  row.push(session, offset);
  return row;
}

/** An id as it is stored in a column. */
export const encodeId = CODECS.id!.encode as (id: Id) => string | null;

/** A list of words as it is stored in a column. */
export const encodeWords = CODECS.words!.encode as (words: readonly string[]) => string | null;

/** The same keys as from a tape, in the same order. */
export function indexedFrame(row: FrameRow): IndexedFrame {
  const facts = emptyFacts();
  for (let i = 0; i < FACT_NAMES.length; i++) if (row[i] !== null) facts[FACT_NAMES[i]!] = row[i];
  for (const { name, codec } of CODED_FACTS) facts[name] = codec.decode(facts[name] as never, facts);
  return { facts: facts as Facts, offset: row[FACT_NAMES.length] as number };
}

export interface SearchedSession {
  readonly key: number;
  readonly facts: SessionFacts;
  /** Microseconds since the epoch. */
  readonly startedAt: number;
  /** The JSON of the line at this offset of the tape. */
  message(f: number, offset: number): unknown;
}
