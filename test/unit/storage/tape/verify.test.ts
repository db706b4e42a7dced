/** Seals: any byte flipped, any line dropped or swapped is found, and the frames around it are named (section 4). */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { UnreadableTape } from '../../../../lib/storage/tape/unreadable.ts';
import { type Verification, verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { it, type Place } from '../../../support/store.ts';

/** Ten frames with a seal after every third, then the end. */
function sealedTape(place: Place): Buffer {
  const journal = new TestJournal(join(place.dir, 'journal'));
  for (let i = 1; i <= 10; i++) {
    journal.data(i % 2 ? 'client' : 'agent', i * 1000, i % 4 ? `{"id":${i},"é":"日本"}\n` : `text ${i}\n`);
    if (i % 3 === 0) journal.clock(i * 1000);
  }
  journal.exit(11_000);
  buildTape(join(place.dir, 'journal'), join(place.dir, 'tape'));
  return readFileSync(join(place.dir, 'tape'));
}

function verifyBytes(place: Place, bytes: Uint8Array): Verification | 'unreadable' {
  const path = join(place.dir, 'changed');
  writeFileSync(path, bytes);
  try {
    return verifyTape(path);
  } catch (error) {
    if (error instanceof UnreadableTape) return 'unreadable';
    throw error;
  }
}

const frameOf = (line: string): number | null => (/^\{"f":(\d+)/.exec(line) ? Number(/\d+/.exec(line)![0]) : null);

const line = (f: number) => `{"f":${f},"t":0.1,"from":"agent","message":1}\n`;
const METADATA = '{"type":"metadata","wiretape":1}\n';
const SEAL = '{"type":"seal","f":1,"t":0.1,"at":"x","sha256":"x"}\n';

describe('a file from elsewhere', () => {
  it('whose frames are all in disorder has the first places, and one for the rest', ({ place }) => {
    const frames = Array.from({ length: 200_000 }, (_, i) => line(((i * 7919) % 200_003) + 1)).join('');
    const { verdict, ranges } = verifyBytes(place, Buffer.from(METADATA + frames + SEAL)) as Verification;
    expect(verdict).toBe('altered');
    expect(ranges).toHaveLength(1000);
    expect(ranges[0]).toEqual({ from_f: 1, to_f: 7920 });
    expect(ranges.at(-1)!.to_f).toBe(200_003);
  });

  it('whose lines make no sense in one place has that place once', ({ place }) => {
    const bytes = Buffer.from(METADATA + line(1) + '{x}\n'.repeat(2000) + line(2) + SEAL);
    expect(verifyBytes(place, bytes)).toMatchObject({ ranges: [{ from_f: 1, to_f: 2 }] });
  });

  it('that is no tape is not read to its end', ({ place }) => {
    expect(verifyBytes(place, Buffer.from('\n'.repeat(20_000) + METADATA + line(1) + SEAL))).toBe('unreadable');
  });
});

describe('verify', () => {
  it('finds a tape intact and gives the digest of its last seal', ({ place }) => {
    const tape = sealedTape(place);
    const seals = tape
      .toString()
      .split('\n')
      .filter((line) => line.startsWith('{"type":"seal"'));
    expect(seals).toHaveLength(4);
    const last = JSON.parse(seals.at(-1)!);
    expect(verifyBytes(place, tape)).toEqual({ verdict: 'intact', ranges: [], digest: last.sha256, frames: 11 });
  });

  it('computes digests as the format says', ({ place }) => {
    const lines = sealedTape(place)
      .toString()
      .split(/(?<=\n)/);
    let previous = Buffer.alloc(32);
    let link = '';
    for (const line of lines) {
      if (line.startsWith('{"type":"seal"')) {
        previous = createHash('sha256').update(previous).update(link).digest();
        expect(JSON.parse(line).sha256).toBe(previous.toString('hex'));
        link = '';
      }
      link += line;
    }
  });

  it('finds every flipped byte, and where', ({ place }) => {
    const tape = sealedTape(place);
    let start = 0;
    let f = 0;
    for (const line of tape.toString('latin1').split(/(?<=\n)/)) {
      f = frameOf(line) ?? f;
      for (let i = start; i < start + line.length; i++) {
        const flipped = Buffer.from(tape);
        flipped[i] = flipped[i]! ^ (1 << (i % 8));
        const result = verifyBytes(place, flipped);
        const what = `byte ${i} of ${JSON.stringify(line)}`;
        if (result === 'unreadable') {
          // Only a first line that claims to be something else makes a file no tape.
          expect(i, what).toBeLessThan(tape.indexOf(10));
          continue;
        }
        expect(result.verdict, what).toMatch(/altered|unfinished/);
        const around = result.ranges.some(({ from_f, to_f }) => from_f <= f && f <= to_f + 1);
        expect(around, `${what}: ${JSON.stringify(result.ranges)}`).toBe(true);
      }
      start += line.length;
    }
  });

  it('finds every dropped, doubled and swapped line', ({ place }) => {
    const lines = sealedTape(place)
      .toString()
      .split(/(?<=\n)/);
    for (let i = 1; i < lines.length; i++) {
      const dropped = verifyBytes(place, Buffer.from(lines.toSpliced(i, 1).join('')));
      expect(dropped, `without ${lines[i]}`).toMatchObject({
        verdict: i === lines.length - 1 ? 'unfinished' : 'altered',
      });
      const doubled = verifyBytes(place, Buffer.from(lines.toSpliced(i, 0, lines[i]!).join('')));
      expect(doubled, `twice ${lines[i]}`).toMatchObject({ verdict: 'altered' });
      if (i + 1 === lines.length) continue;
      const swapped = verifyBytes(place, Buffer.from(lines.toSpliced(i, 2, lines[i + 1]!, lines[i]!).join('')));
      expect(swapped, `swapped ${lines[i]}`).toMatchObject({ verdict: 'altered' });
    }
  });

  it('names the frames around a dropped line', ({ place }) => {
    const lines = sealedTape(place)
      .toString()
      .split(/(?<=\n)/);
    const at = lines.findIndex((line) => line.startsWith('{"f":5,'));
    expect(verifyBytes(place, Buffer.from(lines.toSpliced(at, 1).join('')))).toMatchObject({
      ranges: [{ from_f: 4, to_f: 6 }],
    });
  });

  it('takes a tape cut off anywhere for unfinished or altered, never for intact', ({ place }) => {
    const tape = sealedTape(place);
    for (let length = 0; length < tape.length; length++) {
      const result = verifyBytes(place, tape.subarray(0, length));
      expect(result === 'unreadable' || result.verdict === 'unfinished' || result.verdict === 'altered').toBe(true);
    }
  });

  it('refuses what is no tape, and a format of the future', ({ place }) => {
    expect(verifyBytes(place, Buffer.from(''))).toBe('unreadable');
    expect(verifyBytes(place, Buffer.from('hello\n'))).toBe('unreadable');
    expect(verifyBytes(place, Buffer.from('{"type":"metadata","wiretape":2}\n'))).toBe('unreadable');
  });
});
