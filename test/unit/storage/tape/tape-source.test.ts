/** A tape is open only while its frames are read. */
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { tapeLines } from '../../../../lib/storage/tape/tape-lines.ts';
import { TapeSource } from '../../../../lib/storage/tape/tape-source.ts';
import { UnreadableTape } from '../../../../lib/storage/tape/unreadable.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { it, type Place } from '../../../support/store.ts';

const FRAMES: Frame[] = [1, 2, 3].map((f) => ({
  ...{ f, t: f, t0: null, from: 'agent', form: 'message', raw: Buffer.from(`{"n":${f}}`) },
  ...{ eol: '\n', event: null, detail: {} },
}));

function tapeIn({ dir }: Place): string {
  const path = join(dir, 'tape.jsonl');
  writeFileSync(path, Buffer.concat([...tapeLines(metadataFor('source'), FRAMES)]));
  return path;
}

/** Whether this process has the file open. */
function isOpen(path: string): boolean {
  const linked = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return null;
    }
  };
  return readdirSync('/proc/self/fd').some((fd) => linked(fd) === path);
}

describe.runIf(process.platform === 'linux')('the frames of a tape', () => {
  it('are all there, and again each time', ({ place }) => {
    const source = new TapeSource(tapeIn(place));
    for (let times = 0; times < 2; times++) {
      expect([...source.frames()].map(({ f, raw }) => [f, Buffer.from(raw).toString()])).toEqual(
        FRAMES.map(({ f, raw }) => [f, Buffer.from(raw).toString()]),
      );
      expect(isOpen(source.path)).toBe(false);
    }
  });

  it('open the tape when the first is asked for, and close it behind the last', ({ place }) => {
    const path = tapeIn(place);
    const frames = new TapeSource(path).frames();
    expect(isOpen(path)).toBe(false);
    for (const { f } of FRAMES) {
      expect(frames.next().value!.f).toBe(f);
      expect(isOpen(path)).toBe(true);
    }
    for (let times = 0; times < 2; times++) {
      expect(frames.next()).toEqual({ done: true, value: undefined });
      expect(isOpen(path)).toBe(false);
    }
  });

  it('close the tape when somebody stops early', ({ place }) => {
    const path = tapeIn(place);
    const frames = new TapeSource(path).frames();
    for (const { f } of frames) if (f === 2) break;
    expect(isOpen(path)).toBe(false);
    expect(frames.next().done).toBe(true);
  });

  it('close what turns out to be no tape', ({ place }) => {
    const path = join(place.dir, 'no-tape.jsonl');
    writeFileSync(path, 'no tape\n');
    expect(() => new TapeSource(path).frames().next()).toThrow(UnreadableTape);
    expect(isOpen(path)).toBe(false);
  });
});
