/** Lines of foreign files that are too long to be held: kept to the last byte where they are taken as they are. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { type Frame, sizeOf } from '../../../../../lib/model/frame.ts';
import { findSources } from '../../../../../lib/storage/tape/import/find-sources.ts';
import { MAX_LINE_BYTES } from '../../../../../lib/storage/tape/long-line.ts';
import { importOne, writeIn } from '../../../../support/imports.ts';
import { it } from '../../../../support/store.ts';

const LONG = 'long '.repeat(Math.ceil(MAX_LINE_BYTES / 5) + 10);
const sha = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

function shaOf(frame: Frame): string {
  const hash = createHash('sha256');
  for (const block of frame.cut?.whole() ?? [frame.raw]) hash.update(block);
  return hash.digest('hex');
}

describe('a line that is too long to be held', () => {
  it.for(['\n', '\r\n', ''])(
    'is taken as it is from any file of lines, ended by %j, and from a tape',
    (eol, { place }) => {
      const line = `{"type":"x","text":"${LONG}é"}`;
      const from = writeIn(place, 'long.jsonl', `{"type":"first"}\n${line}${eol}`);
      const once = importOne(place, from);
      const again = importOne(place, once.tape);
      for (const { frames, verdict } of [once, again]) {
        expect(verdict).toBe('intact');
        expect(frames).toHaveLength(2);
        expect(frames[1]).toMatchObject({ form: 'message', eol });
        expect(sizeOf(frames[1]!)).toBe(Buffer.byteLength(line));
        expect(shaOf(frames[1]!)).toBe(sha(line));
      }
    },
  );

  it('is an event that says so where the line itself must be read', ({ place }) => {
    const record = (line: string) => `${JSON.stringify({ t: 1, dir: 'a2c', line })}\n`;
    const path = writeIn(place, 'log.jsonl', `${record('{"a":1}')}${record(LONG)}${record(`[${'[],'.repeat(9)}1]`)}`);
    const { frames, skipped } = importOne(place, path);
    const { size, line, why, held } = frames[1]!.detail as Record<string, unknown>;
    expect({ size, line, why, held: (held as string).length }).toEqual({
      size: record(LONG).length - 1,
      line: 2,
      why: 'too long: only its first 65536 bytes are kept',
      held: 65_536,
    });
    expect(skipped).toBe(1);
    expect(frames.map(({ event }) => event)).toEqual([null, 'unread', null]);
  });

  it('is refused in plain words where nothing else tells what the file is', ({ place }) => {
    const path = writeIn(place, 'one.jsonl', `{"text":"${LONG}"}\n`);
    expect(findSources([path], () => false)).toEqual([{ is: 'refused', path, why: 'its first line is too long' }]);
    expect(readFileSync(path).length).toBeGreaterThan(MAX_LINE_BYTES);
  });
});
