/**
 * A frame whose line is too long to hold: its head, its actual size and the first part of its bytes. The rest is read in
 * blocks on demand, never as one string or buffer.
 */
import type { Frame } from '../../model/frame.ts';
import { headBefore, type LooseRecord, makeFrame } from '../../model/tape-line.ts';
import { incompleteBytes } from './line-judge.ts';
import type { LongLine } from './long-line.ts';
import { escapedBlocks, escapedSize } from './unescape.ts';

const CONTENT_KEYS = [
  { form: 'message', key: Buffer.from('"message":') },
  { form: 'text', key: Buffer.from('"text":"') },
  { form: 'bytes', key: Buffer.from('"bytes":"') },
] as const;
const QUOTE = 0x22;
const CLOSING_BRACE = 0x7d;

interface LongFrameStart {
  form: 'message' | 'text' | 'bytes';
  head: LooseRecord;
  /** Where the content begins. */
  at: number;
}

/** `first`: the first part of the line. Null if it is not valid. */
export function readLongFrame(first: Buffer, line: LongLine): Frame | null {
  const begun = startOfFrame(first);
  if (!begun || line.last(1)[0] !== CLOSING_BRACE) return null;
  const { form, head, at } = begun;
  const content = CONTENT_READERS[form](first.subarray(at), at, line);
  if (!content) return null;
  const { raw, size, whole } = content;
  return makeFrame(head, form, raw, { bytes: size - raw.length, whole });
}

function startOfFrame(first: Buffer): LongFrameStart | null {
  for (const { form, key } of CONTENT_KEYS) {
    const begun = headBefore(first, key);
    if (begun) return { form, ...begun };
  }
  return null;
}

interface LongContent {
  raw: Buffer;
  size: number;
  whole(): Iterable<Uint8Array>;
}

/** `part`: the start of the content, which begins at the position `at` of the line. */
const CONTENT_READERS: Record<
  LongFrameStart['form'],
  (part: Buffer, at: number, line: LongLine) => LongContent | null
> = {
  message(part, at, line) {
    const raw = part.subarray(0, part.length - incompleteBytes(part, 0, part.length));
    const end = line.length - 1;
    return { raw, size: end - at, whole: () => line.blocks(at, end) };
  },
  text(part, at, line) {
    const blocks = () => line.blocks(at, line.length - 1);
    const raw = unescaped(part);
    const size = raw && escapedSize(blocks());
    return raw && size !== null ? { raw, size, whole: () => escapedBlocks(blocks()) } : null;
  },
  bytes(part, at, line) {
    const end = line.length - 2;
    const tail = line.last(4);
    if (tail[2] !== QUOTE || (end - at) % 4 !== 0) return null;
    const padding = tail.subarray(0, 2).toString('latin1').replace(/[^=]/g, '').length;
    const raw = Buffer.from(part.toString('latin1', 0, part.length - (part.length % 4)), 'base64');
    return { raw, size: ((end - at) / 4) * 3 - padding, whole: () => decoded(line.blocks(at, end)) };
  },
};

function unescaped(part: Buffer): Buffer | null {
  try {
    return [...escapedBlocks([part])][0]!;
  } catch {
    return null;
  }
}

/** Decodes base64. */
function* decoded(blocks: Iterable<Buffer>): Generator<Buffer> {
  let begun = '';
  for (const block of blocks) {
    const text = begun + block.toString('latin1');
    const end = text.length - (text.length % 4);
    yield Buffer.from(text.slice(0, end), 'base64');
    begun = text.slice(end);
  }
}
