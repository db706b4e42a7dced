/** Archives from elsewhere: what is ambiguous, forged or too large is refused by name, and the rest is read. */
import { existsSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { sessionsIn } from '../../../../lib/storage/tape/page.ts';
import { type HostileEnd, type HostileEntry, hostileZip } from '../../../support/hostile-zip.ts';
import { it, type Place } from '../../../support/store.ts';
import { takenTape } from '../../../support/taken-tape.ts';

const TAPE = Buffer.from(
  `{"type":"metadata","wiretape":1}\n${'{"f":1,"t":0,"from":"agent","text":"hi"}\n'.repeat(100)}`,
);
const WIRE: HostileEntry = { name: 'wire.jsonl', content: TAPE };
const NOTE: HostileEntry = { name: 'report.md', content: Buffer.from('# report\n') };

function saved({ dir }: Place, bytes: Buffer): string {
  const path = join(dir, 'a.zip');
  writeFileSync(path, bytes);
  return path;
}

const wire = (lie: Partial<HostileEntry>): HostileEntry[] => [NOTE, { ...WIRE, ...lie }];

describe('an archive from elsewhere', () => {
  it.for<[string, HostileEntry[], HostileEnd?]>([
    ['that somebody else made', [NOTE, WIRE]],
    ['that is not compressed', [NOTE, { ...WIRE, method: 0 }]],
    ['with a comment', [WIRE], { comment: Buffer.from('from a friend PK\x05\x06, as it were') }],
    ['with names that lead elsewhere', [{ ...NOTE, name: '../../etc/passwd' }, { ...NOTE, name: '/etc/passwd' }, WIRE]],
    [
      'with names that are no names',
      [{ ...NOTE, name: '' }, { ...NOTE, name: 'a\0b' }, { ...NOTE, name: '__proto__' }, WIRE],
    ],
    ['with a very long name', [{ ...NOTE, name: 'x'.repeat(60_000) }, WIRE]],
    ['with an encrypted file beside the tape', [{ ...NOTE, flags: 1 }, WIRE]],
  ])('%s is read', ([, entries, end], { place }) => {
    const path = saved(place, hostileZip(entries, end));
    expect(sessionsIn(path)).toBe(1);
    expect(takenTape(place, path).equals(TAPE)).toBe(true);
    expect(existsSync(join(place.dir, 'etc'))).toBe(false);
  });

  it.for<[string, HostileEntry[], HostileEnd, RegExp]>([
    ['without a tape', [NOTE], {}, /without a wire.jsonl/],
    ['with two tapes', [WIRE, { ...WIRE, content: Buffer.from('evil') }], {}, /two files called wire.jsonl/],
    ['that is encrypted', wire({ flags: 1 }), {}, /is encrypted/],
    ['that is encrypted in another way', wire({ flags: 0x41 }), {}, /is encrypted/],
    ['with a method that nobody knows', wire({ method: 99 }), {}, /compressed with method 99/],
    ['whose tape is a link', wire({ method: 0, mode: 0o120777 }), {}, /is a symbolic link/],
    ['with another checksum', wire({ crc: 1 }), {}, /its checksum is wrong/],
    ['with more than it says', wire({ size: 10 }), {}, /larger than the archive says/],
    ['with less than it says', wire({ size: TAPE.length + 1 }), {}, /smaller than the archive says/],
    ['with a size that no disk has', wire({ size: 0xfffffffe }), {}, /4\.3 GB: more than/],
    ['with sizes of zip64', wire({ packed: 0xffffffff }), {}, /overlaps|zip64/],
    ['with a count of zip64', [WIRE], { count: 0xffff }, /zip64/],
    ['with a directory of zip64', [WIRE], { start: 0xffffffff }, /zip64/],
    ['of several parts', [WIRE], { disk: 1 }, /in several parts/],
    ['of many files', Array.from({ length: 1001 }, (_, i) => ({ ...NOTE, name: `${i}` })), {}, /has 1001 files/],
    ['with a directory without an end', [WIRE], { length: 0xfffffff0 }, /a directory of 4294967280 bytes/],
    ['with a directory elsewhere', [WIRE], { start: 3 }, /not where it says/],
    ['with fewer files than its directory', [NOTE, WIRE], { count: 1 }, /directory of the archive is damaged/],
    ['with something behind it', [WIRE], { behind: Buffer.from('more') }, /something follows the end/],
    [
      'whose files overlap',
      [
        { ...NOTE, at: 0 },
        { ...WIRE, at: 1 },
      ],
      {},
      /overlaps what follows/,
    ],
    ['whose files are the same bytes', [WIRE, { ...WIRE, name: 'again', at: 0 }], {}, /overlaps what follows/],
    ['whose tape is elsewhere', [WIRE, { ...NOTE, at: 0xfffffff0 }], {}, /overlaps what follows/],
    ['whose tape has another name inside', wire({ ownName: 'wirE.jsonl' }), {}, /is not where the directory/],
    ['with bytes that are not packed', wire({ bytes: Buffer.alloc(1000, 0xff) }), {}, /cannot be unpacked/],
    [
      'that is cut off inside',
      wire({ bytes: deflateRawSync(TAPE).subarray(0, 50) }),
      {},
      /cannot be unpacked: it is cut off/,
    ],
    [
      'with something behind its tape',
      wire({ bytes: Buffer.concat([deflateRawSync(TAPE), Buffer.from('x')]) }),
      {},
      /something follows the end of the data/,
    ],
  ])('%s is refused, and leaves nothing behind', ([, entries, end, message], { place }) => {
    const path = saved(place, hostileZip(entries, end));
    expect(() => takenTape(place, path)).toThrow(message);
  });

  it('is refused where it is cut off, anywhere, or as long as no disk is', ({ place }) => {
    const bytes = hostileZip([NOTE, WIRE]);
    for (let length = 4; length < bytes.length; length++) {
      const path = saved(place, bytes.subarray(0, length));
      expect(() => takenTape(place, path)).toThrow(/archive/);
    }
    const path = saved(place, bytes);
    truncateSync(path, 7 * 2 ** 30);
    expect(() => takenTape(place, path)).toThrow(/its end is missing/);
  });

  it('holds a tape and not another archive', ({ place }) => {
    const path = saved(place, hostileZip([{ ...WIRE, content: hostileZip([WIRE]) }]));
    expect(takenTape(place, path).subarray(0, 2).toString()).toBe('PK');
  });
});
