/** What is unpacked piece by piece is what Node unpacks as a whole, and what Node refuses is refused. */
import { constants, deflateRawSync, gunzipSync, gzipSync, inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedData } from '../../../../lib/storage/tape/huffman.ts';
import { gunzip, inflate } from '../../../../lib/storage/tape/inflate.ts';
import { cases } from '../../../support/scale.ts';

const whole = (pieces: Iterable<Buffer>): Buffer => Buffer.concat([...pieces].map((piece) => Buffer.from(piece)));

function* blocksOf(bytes: Buffer, length: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Bytes with repetitions near and far. */
const content = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 60 }), fc.nat(40)), { maxLength: 40 })
  .map((parts) => Buffer.concat(parts.flatMap(([bytes, times]) => Array<Uint8Array>(times).fill(bytes))));

const { Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED, Z_DEFAULT_STRATEGY } = constants;
const packing = fc.record({
  level: fc.constantFrom(0, 1, 6, 9),
  strategy: fc.constantFrom(Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED),
});

/** The bytes, or null. */
function tried(unpack: () => Buffer): Buffer | null {
  try {
    return unpack();
  } catch (error) {
    if (error instanceof DamagedData || (error as NodeJS.ErrnoException).code?.startsWith('Z_')) return null;
    throw error;
  }
}

describe('packed data', () => {
  it('gives back what went in', () => {
    fc.assert(
      fc.property(content, packing, fc.integer({ min: 1, max: 500 }), (bytes, options, block) => {
        expect(whole(inflate(blocksOf(deflateRawSync(bytes, options), block))).equals(bytes)).toBe(true);
        expect(whole(gunzip(blocksOf(gzipSync(bytes, options), block))).equals(bytes)).toBe(true);
      }),
      { numRuns: cases(300) },
    );
  });

  it('is unpacked or refused as Node does, whatever was changed in it', () => {
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 });
    let refusals = 0;
    fc.assert(
      fc.property(content, packing, changes, fc.nat(), (bytes, options, changed, length) => {
        const packed = deflateRawSync(bytes, options);
        for (const [at, byte] of changed) packed[at % packed.length] = byte;
        const cut = length % 3 === 0 ? packed.subarray(0, length % (packed.length + 1)) : packed;
        const expected = tried(() => inflateRawSync(cut));
        let overshot = false;
        const ours = tried(() => {
          try {
            return whole(inflate([cut]));
          } catch (error) {
            overshot = /something follows/.test((error as Error).message);
            throw error;
          }
        });
        if (expected === null) refusals++;
        // Node ignores what follows the end.
        if (!overshot) expect(ours === null ? null : ours.toString('hex')).toBe(expected?.toString('hex') ?? null);
      }),
      { numRuns: cases(800) },
    );
    expect(refusals).toBeGreaterThan(50);
  });

  it('comes in pieces, however much it is', () => {
    let [longest, size] = [0, 0];
    for (const piece of inflate([deflateRawSync(Buffer.alloc(50_000_000))])) {
      longest = Math.max(longest, piece.length);
      size += piece.length;
    }
    expect(size).toBe(50_000_000);
    expect(longest).toBeLessThanOrEqual(1 << 18);
  });

  it('is refused if its checksum or its length is wrong, or something follows', () => {
    const packed = gzipSync(Buffer.from('some words, some words'));
    for (const at of [1, 4, 5, 8]) {
      const copy = Buffer.from(packed);
      copy[copy.length - at]! ^= 1;
      expect(() => whole(gunzip([copy]))).toThrow('the checksum is wrong');
      expect(() => gunzipSync(copy)).toThrow();
    }
    expect(() => whole(gunzip([packed, packed]))).toThrow('something follows');
    expect(() => whole(gunzip([packed.subarray(0, -1)]))).toThrow('cut off');
    expect(() => whole(gunzip([Buffer.from('what?')]))).toThrow('not gzip');
  });

  it('may have every part of a gzip header', () => {
    const [head, rest] = [gzipSync(Buffer.from('words')).subarray(0, 10), gzipSync(Buffer.from('words')).subarray(10)];
    head[3] = 2 | 4 | 8 | 16;
    const parts = Buffer.from('\x03\x00abcname\0comment\0\x01\x02', 'latin1');
    expect(whole(gunzip([head, parts, rest])).toString()).toBe('words');
  });
});
