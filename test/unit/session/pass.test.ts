/** A session is read in one go, whatever its dialect is found from, and whoever stops on the way. */
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../lib/dialects/index.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { Pass } from '../../../lib/session/pass.ts';
import type { OtherLineObserver } from '../../../lib/session/source.ts';

const LINES = 60;

/** Frames that are all views of one buffer, which is used again for the next: as a tape's reader gives them. */
function reusing(lines: string[]) {
  const seen = { begun: 0, ended: 0 };
  function* frames(): Generator<Frame> {
    seen.begun++;
    const buffer = Buffer.alloc(1000);
    try {
      for (const [i, line] of lines.entries()) {
        const raw = buffer.subarray(0, buffer.write(line));
        const from = i % 2 ? 'agent' : 'client';
        yield { f: i + 1, t: i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
        buffer.fill(0x20);
      }
    } finally {
      seen.ended++;
    }
  }
  return { seen, session: { command: ['some-agent'], frames } };
}

const calls = Array.from({ length: LINES }, (_, i) =>
  i % 2
    ? JSON.stringify({ jsonrpc: '2.0', id: i - 1, result: { n: i } })
    : JSON.stringify({ jsonrpc: '2.0', id: i, method: `method ${i}` }),
);

describe('a pass that keeps the tree', () => {
  it.each([
    ['longer than what decides', calls],
    ['shorter than that', calls.slice(0, 6)],
    ['of no JSON at all', ['hello', 'you', 'there']],
    ['of nothing', []],
  ])('goes once through a session %s', (_, lines) => {
    const { seen, session } = reusing(lines);
    const { entries } = new Pass(session, { tree: true }).run().timeline;
    expect(seen).toEqual({ begun: 1, ended: 1 });
    const frames = entries.flatMap((entry) =>
      entry.is === 'item' && entry.answer ? [entry.f, entry.answer.f] : [entry.f],
    );
    expect(frames).toEqual(lines.map((__, i) => i + 1));
  });

  it('goes once through a session whose dialect is given', () => {
    const { seen, session } = reusing(calls);
    expect(new Pass({ ...session, dialect: 'jsonrpc' }).run()).toMatchObject({ dialect: 'jsonrpc', confidence: 1 });
    expect(seen).toEqual({ begun: 1, ended: 1 });
  });
});

describe('a pass', () => {
  it('gives every frame with its own bytes', () => {
    const lines = [...calls.slice(0, 5), 'é\ufffd, no JSON', ...calls.slice(5)];
    const read = [...new Pass(reusing(lines).session)].map(({ frame }) => Buffer.from(frame.raw).toString());
    // Behind what decided, bytes are those of the frame in hand only.
    expect(read.slice(0, 20)).toEqual(lines.slice(0, 20));
  });

  it.each([1, 10, 40])('lets go of the frames when its reader stops after %i', (most) => {
    const { seen, session } = reusing(calls);
    let count = 0;
    for (const { frame } of new Pass(session)) {
      expect(Buffer.from(frame.raw).toString()).toBe(calls[count]);
      if (++count === most) break;
    }
    expect(seen).toEqual({ begun: 1, ended: 1 });
  });

  it('lets go of the frames when somebody who is told of one throws', () => {
    const { seen, session } = reusing(calls);
    const take = ({ frame }: { frame: Frame }) => {
      if (frame.f === 40) throw new Error('enough');
    };
    expect(() => new Pass(session).run({ take })).toThrow('enough');
    expect(seen).toEqual({ begun: 1, ended: 1 });
  });

  it('gives every frame once, also to the one who goes on where another stopped', () => {
    const pass = new Pass(reusing(calls).session);
    const seen: number[] = [];
    const frames = pass[Symbol.iterator]();
    for (let n = 0; n < 3; n++) seen.push(frames.next().value!.frame.f);
    for (const { frame } of pass) seen.push(frame.f);
    expect(seen).toEqual(calls.map((_, i) => i + 1));
    expect(frames.next()).toEqual({ done: true, value: undefined });
  });

  it('lets go of the frames when it is closed before anybody has read them', () => {
    const { seen, session } = reusing(calls);
    const pass = new Pass(session);
    expect(pass.dialect).toBe('jsonrpc');
    pass.close();
    expect(seen).toEqual({ begun: 1, ended: 1 });
  });

  it('knows the last seal, if no frame came after it, and counts damaged lines', () => {
    const seal = (f: number) => ({ type: 'seal', f, t: 0, at: '', sha256: '' }) as const;
    const read = (sealed: number[]) => {
      const { session } = reusing(calls.slice(0, 4));
      function* frames(others?: OtherLineObserver): Generator<Frame> {
        for (const frame of session.frames()) {
          yield frame;
          if (sealed.includes(frame.f)) others?.seal(seal(frame.f));
          if (frame.f % 2) others?.damaged();
        }
      }
      const { seal: last, damaged } = new Pass({ command: [], frames }).run();
      return [last?.f ?? null, damaged];
    };
    expect(read([2, 4])).toEqual([4, 2]);
    expect(read([2])).toEqual([null, 2]);
  });
});

describe('a pass over a session with too many open requests', () => {
  const asking = (count: number) =>
    Array.from({ length: 2 * count }, (_, i) => JSON.stringify({ jsonrpc: '2.0', id: i, method: 'tools/call' }));

  it.each([
    [9_000, false],
    [11_000, true],
  ])('of each side %i: forgets the oldest and says so', (count, hasForgotten) => {
    const { session } = reusing(asking(count));
    expect(new Pass(session).run().hasForgotten).toBe(hasForgotten);
  });

  it.each(DIALECTS.map(({ name }) => name))('in %s: an answer to a forgotten one is no orphan', (dialect) => {
    const answers = [{ result: {} }, { error: { code: 1, message: 'no' } }].map((body) =>
      // Odd numbers are the agent's requests, so the client answers them.
      JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    );
    const { session } = reusing([...asking(11_000), ...answers]);
    const flags: string[] = [];
    new Pass({ ...session, dialect }).run({ take: ({ events }) => flags.push(...(events[0]?.flags ?? [])) });
    expect(flags).not.toContain('orphan');
  });
});
