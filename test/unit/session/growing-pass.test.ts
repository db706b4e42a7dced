/** A pass that is fed frame by frame ends up where a pass over the whole session does. */
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../lib/model/frame.ts';
import type { ReadFrame } from '../../../lib/model/read-frame.ts';
import { DialectChanged, GrowingPass } from '../../../lib/session/growing-pass.ts';
import { Pass, type PassInfo } from '../../../lib/session/pass.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { answer, ask, framesOf, type Said } from '../../support/reading.ts';

/** Keeps what it is told. */
class Notes {
  readonly dialect: string;
  readonly told: string[] = [];
  readonly offsets: number[] = [];

  constructor({ dialect }: PassInfo) {
    this.dialect = dialect;
  }

  take({ frame, events, where, pairing }: ReadFrame, offset: number): void {
    this.told.push(
      JSON.stringify([frame.f, pairing?.role ?? null, where, events.map(({ kind, flags }) => [kind, flags])]),
    );
    this.offsets.push(offset);
  }
}

function grown(command: readonly string[], frames: Iterable<Frame>, flushEvery: number) {
  const made: Notes[] = [];
  const pass = new GrowingPass({ command }, (info) => {
    made.push(new Notes(info));
    return made.at(-1)!;
  });
  let taken = 0;
  for (const frame of frames) {
    pass.take(frame, 1000 + taken);
    if (++taken % flushEvery === 0) pass.flush();
  }
  pass.flush();
  return { made, pass };
}

// Anybody may say the first; with what follows it is Wire.
const WIRE: Said[] = [
  ['client', ask('p', 'prompt', {})],
  ['agent', 'noise'],
  ['client', ask('i', 'initialize', { protocol_version: '1.10', client: { name: 'zed', version: '1' } })],
  ['agent', answer('i', { protocol_version: '1.10', server: { name: 'Kimi Code CLI', version: '2' } })],
];

describe('a growing pass', () => {
  it.each([1, 7, 1000])('tells the same as one over the whole session, asked after every %i frames', (flushEvery) => {
    for (const session of fixtureSessions()) {
      const whole = new Pass(session);
      const notes = new Notes(whole);
      whole.run({ take: (read) => notes.take(read, 0) });
      const { pass } = grown(session.command, session.frames(), flushEvery);
      expect(pass.dialect, session.id).toBe(whole.dialect);
      expect(pass.observer.told, session.id).toEqual(notes.told);
      expect(pass.timeline.counts, session.id).toEqual(whole.timeline.counts);
    }
  });

  it('starts over with a fresh observer when the dialect proves to be another one', () => {
    const { made, pass } = grown([], framesOf(WIRE), 1);
    expect(made.map(({ dialect }) => dialect)).toEqual(['jsonrpc', 'wire']);
    expect(pass.observer.told).toHaveLength(WIRE.length);
    expect(pass.observer.offsets).toEqual([1000, 1001, 1002, 1003]);
  });

  it('holds frames back while it is not asked, and guesses once', () => {
    const { made } = grown([], framesOf(WIRE), 1000);
    expect(made.map(({ dialect, told }) => [dialect, told.length])).toEqual([['wire', WIRE.length]]);
  });

  it('says that it must start over where it keeps nothing for that', () => {
    const pass = new GrowingPass({ command: [] }, (info) => new Notes(info), { keepEarly: false });
    expect(() => {
      for (const frame of framesOf(WIRE)) {
        pass.take(frame);
        pass.flush();
      }
    }).toThrow(DialectChanged);
  });
});
