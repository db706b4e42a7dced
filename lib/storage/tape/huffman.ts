/** The codes of DEFLATE: from their lengths to a table that is looked up with the next bits. */
import type { BitReader } from './bit-reader.ts';

export class DamagedData extends Error {}

export interface HuffmanCode {
  /** By the next `longest` bits: symbol * 16 + length of its code; 0: there is no such code. */
  table: Uint16Array;
  longest: number;
}

const MAX_CODE_LENGTH = 15;

/**
 * `lengths`: of the code of each symbol; 0: it has none. `mayBeSingle`: a code with one symbol need not be complete. One
 * without any symbol is valid as long as it is not used.
 */
export function huffmanCode(lengths: Uint8Array, mayBeSingle = false): HuffmanCode {
  const counts = new Uint16Array(MAX_CODE_LENGTH + 1);
  for (const length of lengths) counts[length]!++;
  counts[0] = 0;
  let longest = MAX_CODE_LENGTH;
  while (longest > 0 && counts[longest] === 0) longest--;
  if (longest === 0) return { table: new Uint16Array(2), longest: 1 };
  const next = new Uint16Array(MAX_CODE_LENGTH + 2);
  let left = 1;
  for (let length = 1; length <= MAX_CODE_LENGTH; length++) {
    left = 2 * left - counts[length]!;
    if (left < 0) throw new DamagedData('its codes are invalid');
    next[length + 1] = (next[length]! + counts[length]!) << 1;
  }
  if (left > 0 && !(mayBeSingle && longest === 1)) throw new DamagedData('its codes are not complete');
  const table = new Uint16Array(1 << longest);
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const code = reversed(next[length]!++, length);
    for (let i = code; i < table.length; i += 1 << length) table[i] = (symbol << 4) | length;
  }
  return { table, longest };
}

/** Codes are read from their highest bit, other numbers from their lowest. */
function reversed(code: number, length: number): number {
  let result = 0;
  for (let i = 0; i < length; i++) result = (result << 1) | ((code >> i) & 1);
  return result;
}

interface CodeLengths {
  lengths: Uint8Array;
  literals: number;
}

/** The order in which the lengths of the codes for lengths are written. */
const LENGTH_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const MAX_LITERALS = 286;
const MAX_DISTANCES = 30;
const END_OF_BLOCK = 256;

/** The lengths of the codes at the start of a block. */
export function readCodes(input: BitReader): CodeLengths {
  const literals = input.take(5) + 257;
  const distances = input.take(5) + 1;
  const count = input.take(4) + 4;
  if (literals > MAX_LITERALS || distances > MAX_DISTANCES) throw new DamagedData('it has too many codes');
  const codeLengths = new Uint8Array(LENGTH_ORDER.length);
  for (const symbol of LENGTH_ORDER.slice(0, count)) codeLengths[symbol] = input.take(3);
  const code = huffmanCode(codeLengths);
  const lengths = new Uint8Array(literals + distances);
  for (let at = 0; at < lengths.length; ) {
    const symbol = input.symbol(code);
    if (symbol < 16) {
      lengths[at++] = symbol;
      continue;
    }
    if (symbol === 16 && at === 0) throw new DamagedData('a length is repeated before there is one');
    const value = symbol === 16 ? lengths[at - 1]! : 0;
    const times = symbol === 16 ? 3 + input.take(2) : symbol === 17 ? 3 + input.take(3) : 11 + input.take(7);
    if (at + times > lengths.length) throw new DamagedData('it has too many codes');
    lengths.fill(value, at, at + times);
    at += times;
  }
  if (lengths[END_OF_BLOCK] === 0) throw new DamagedData('a block has no end');
  return { lengths, literals };
}

export const literalCodes = ({ lengths, literals }: CodeLengths): HuffmanCode =>
  huffmanCode(lengths.subarray(0, literals), true);

export const distanceCodes = ({ lengths, literals }: CodeLengths): HuffmanCode =>
  huffmanCode(lengths.subarray(literals), true);
