/** What the tape does not allow is refused in every dialect: its own reader takes the answer for a no. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../lib/dialects/dialect.ts';
import { dialectNamed, traitsOf } from '../../../../lib/dialects/index.ts';
import type { Event } from '../../../../lib/model/event.ts';
import { exactJson } from '../../../../lib/model/id.ts';
import { asksClient } from '../../../../lib/replay/client/request-meaning.ts';
import { FrameReader } from '../../../../lib/session/frame-reader.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { read } from '../../../support/wire.ts';

/** Whether it lets anything run or says anything in the user's name. */
function isNo(event: Event | undefined, isError: boolean): boolean {
  switch (event?.kind) {
    case 'approval-answer':
      return isError || event.decision === 'deny' || event.decision === 'cancelled';
    case 'question-answer':
      return isError || !event.ok || event.answers === 'false' || Object.keys(Object(event.answers)).length === 0;
    case 'hook-answer':
      return isError || event.decision === 'deny';
    case 'client-call-answer':
      return isError || !event.ok;
    default:
      return true;
  }
}

/** The answers of a reader of the same dialect to what each tape asks, instead of the recorded ones. */
function refusals(): Map<string, { kinds: Set<string>; wrong: string[] }> {
  const found = new Map<string, { kinds: Set<string>; wrong: string[] }>();
  for (const session of fixtureSessions()) {
    const pass = new Pass(session);
    const { decline, replay } = traitsOf(pass.dialect);
    const entry = found.get(pass.dialect) ?? { kinds: new Set<string>(), wrong: [] };
    found.set(pass.dialect, entry);
    for (const asking of pass) {
      // Asking for settings changes nothing, and a server without them may not start.
      if (!asksClient(asking) || asking.message.method === 'workspace/configuration') continue;
      const line =
        decline(asking.value as JsonObject) ?? replay.refuse?.(asking.message.id!, asking.message.method ?? '');
      if (!line) continue;
      const reader = new FrameReader(dialectNamed(pass.dialect)!, session, false);
      reader.read({ ...asking.frame, raw: asking.frame.raw, f: 1 }, asking.value);
      const raw = Buffer.from(exactJson(line));
      const answer = reader.read({ ...asking.frame, f: 2, from: 'client', raw, text: raw.toString(), head: undefined });
      const event = answer.events.find(({ kind }) => kind.endsWith('-answer'));
      const asked = asking.events
        .map(({ kind }) => kind)
        .find((kind) => kind === `${event?.kind}`.replace('-answer', ''));
      if (asked) entry.kinds.add(asked);
      if (!isNo(event, answer.message.envelope === 'error'))
        entry.wrong.push(`${session.id} f${asking.frame.f} ${raw}`);
    }
  }
  return found;
}

describe('a refusal', () => {
  const found = refusals();

  it('is a no for everything that the tapes of the suite ask', () => {
    expect([...found].flatMap(([, { wrong }]) => wrong)).toEqual([]);
  });

  it.each([
    ['wire', ['approval', 'client-call', 'hook', 'question']],
    ['acp', ['approval', 'client-call']],
    ['stream-json', ['approval', 'client-call']],
    ['qwen-rfc', ['approval']],
    ['mcp', ['client-call', 'question']],
    ['codex', ['approval']],
    ['copilot', ['approval']],
  ])('was tried in %s for %s', (dialect, kinds) => {
    expect([...found.get(dialect)!.kinds]).toEqual(expect.arrayContaining(kinds));
  });

  it('blocks a hook of stream-json', () => {
    const request = { subtype: 'hook_callback', callback_id: 'h', input: { hook_event_name: 'PreToolUse' } };
    const ask = { type: 'control_request', request_id: 'r', request };
    const no = traitsOf('stream-json').decline(ask);
    const [, [answer]] = read(dialectNamed('stream-json')!, `<${JSON.stringify(ask)}`, `>${JSON.stringify(no)}`);
    expect(answer).toMatchObject({ kind: 'hook-answer', decision: 'deny' });
  });
});
