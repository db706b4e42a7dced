/**
 * Terms about facts, column by column, by the same predicate as in the commands. Where values have codes, each value is
 * tested once.
 */
import type { FieldTerm } from '../../../analysis/query/ast.ts';
import { atOf, type FrameFacts } from '../../../analysis/query/facts.ts';
import { compileFrame, type FramePredicate } from '../../../analysis/query/predicate.ts';
import { type Qualifier, qualifierOf } from '../../../analysis/query/qualifiers.ts';
import type { Slices } from '../slices.ts';
import type { Column, FrameSource } from '../source.ts';
import { NO, YES } from './verdict.ts';

/** Frames between two looks at the clock. */
const BLOCK = 1 << 15;

/** A frame of which only one fact is known: the one that is asked about. */
type OneFact = Record<string, unknown>;

/** Yes or no for each frame. */
export async function decideColumn(source: FrameSource, term: FieldTerm, slices: Slices): Promise<Uint8Array> {
  const { reads } = qualifierOf(term.name) as Qualifier & { of: 'frame' };
  const column = await source.frames.column(reads);
  const predicate = compileFrame(term);
  const asked: OneFact = { [reads]: null };
  const holds: (value: unknown) => boolean =
    term.name === 'at'
      ? (t) => isTrue(predicate, asked, 'at', t === null ? null : atOf(source.head.started, t as number))
      : (value) => isTrue(predicate, asked, reads, value);
  const bytes = new Uint8Array(source.frames.count);
  const fill = fillerOf(column, holds, bytes);
  for (let from = 0; from < bytes.length; from += BLOCK) {
    if (slices.isOver) await slices.next();
    fill(from, Math.min(bytes.length, from + BLOCK));
  }
  return bytes;
}

function isTrue(predicate: FramePredicate, asked: OneFact, name: string, value: unknown): boolean {
  asked[name] = value;
  return predicate(asked as unknown as FrameFacts);
}

function fillerOf(column: Column, holds: (value: unknown) => boolean, bytes: Uint8Array) {
  if (column.is === 'coded') {
    const { codes, values } = column;
    const verdicts = Uint8Array.from(values, (value) => (holds(value) ? YES : NO));
    return (from: number, to: number) => {
      for (let i = from; i < to; i++) bytes[i] = verdicts[codes[i]!]!;
    };
  }
  const { numbers } = column;
  const ofNull = holds(null) ? YES : NO;
  let last = Number.NaN;
  let ofLast = ofNull;
  return (from: number, to: number) => {
    for (let i = from; i < to; i++) {
      const number = numbers[i]!;
      // Many frames have the number of the one before.
      if (number !== last && !Number.isNaN(number)) {
        last = number;
        ofLast = holds(number) ? YES : NO;
      }
      bytes[i] = number === last ? ofLast : ofNull;
    }
  };
}
