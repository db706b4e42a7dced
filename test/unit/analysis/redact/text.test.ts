/** `--redact-text`: what was said is gone; the shape, the sizes and the times are not. */
import { describe, expect, it } from 'vitest';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import { bytesOf, type Frame } from '../../../../lib/model/frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { meaning } from '../../../support/planting.ts';

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

  it('means what it meant', () => {
    for (const session of fixtureSessions()) {
      const { dialect } = new Pass(session);
      const after = redactSession(session, { mode: 'text' }).session;
      expect(meaning(after, dialect), session.id).toEqual(meaning(session, dialect));
    }
  });

  it('keeps JSON in strings, over lines and in pieces, and no value of it', () => {
    const masked = (line: string) =>
      [...redactSession(sessionInMemory(metadataFor('one'), [frameOf(line)]), { mode: 'text' }).session.frames()].map(
        ({ raw }) => Buffer.from(raw).toString(),
      )[0]!;
    const args = { path: 'a "b"\nc', deep: [{ command: 'rm é' }], mode: 'overwrite', n: 12 };
    const line = JSON.stringify({
      method: 'item/agentMessage/delta',
      params: { name: 'Write', args: JSON.stringify(args) },
    });
    const after = JSON.parse(masked(line)) as { method: string; params: { name: string; args: string } };
    expect(after.method).toBe('item/agentMessage/delta');
    expect(JSON.parse(after.params.args)).toEqual({
      path: 'x /x/\nx',
      deep: [{ command: 'xx ˣ' }],
      mode: 'overwrite',
      n: 12,
    });
    expect(masked('    "content": [')).toBe('    "content": [');
    expect(masked('    "role": "user",')).toBe('    "role": "user",');
    expect(masked('    "text": "hello you",')).toBe('    "text": "xxxxx xxx",');
    const piece = JSON.stringify({ params: { arguments_part: '{"command": "say \\"hi\\"\\n there' } });
    expect(JSON.parse(masked(piece)).params.arguments_part).toBe('{"command": "xxx \\"xx\\"\\n xxxxx');
    expect(masked('{"params":{"output":"The user declined it, exit code 2"}}')).toBe(
      '{"params":{"output":"xxx user declined xxx exit code 2"}}',
    );
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

const frameOf = (line: string): Frame => ({
  ...{ f: 1, t: 1, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(line),
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
