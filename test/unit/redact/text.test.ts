/** `--redact-text`: what was said is gone; the shape, the sizes and the times are not. */
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../lib/core/frame.ts';
import { redactSession } from '../../../lib/redact/session.ts';
import { Pass } from '../../../lib/session/pass.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';

describe('a session without its text', () => {
  const sessions = fixtureSessions().filter((_, i) => i % 4 === 0);

  it('says nothing of what was said', () => {
    let count = 0;
    for (const session of sessions) {
      const said = [...new Pass(session)].flatMap(({ events }) =>
        events.filter(({ kind }) => kind === 'text' || kind === 'thinking').map(({ text }) => text ?? ''),
      );
      const after = [...redactSession(session, { mode: 'text' }).session.frames()].map(({ raw }) =>
        Buffer.from(raw).toString(),
      );
      const all = after.join('\n');
      for (const text of said.filter((one) => /\w{3,}\s+\w{3,}/.test(one))) {
        count++;
        expect(all.includes(JSON.stringify(text).slice(1, -1)), `${session.id}: ${text}`).toBe(false);
      }
    }
    expect(count).toBeGreaterThan(50);
  });

  it('has the same frames, times and sizes, and JSON where there was some', () => {
    for (const session of sessions) {
      const before = [...session.frames()].map(shapeOf);
      // What is a pseudonym first may be shorter than what it stands for.
      const after = [...redactSession(session, { mode: 'text', keeps: () => true }).session.frames()].map(shapeOf);
      expect(after, session.id).toEqual(before);
    }
  });
});

function shapeOf(frame: Parameters<typeof bytesOf>[0] & { f: number; t: number; from: string }): unknown {
  const { f, t, from } = frame;
  return { f, t, from, bytes: bytesOf(frame), isJson: isJson(Buffer.from(frame.raw).toString()) };
}

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
