import { describe, expect, it } from 'vitest';
import { differenceBetween } from '../../../../lib/replay/demo/replay-step.ts';
import type { SampleClientRun } from '../../../../lib/replay/demo/sample-client.ts';
import { newReport } from '../../../../lib/replay/report.ts';

const RECORDED: SampleClientRun = { talk: ['client  prompts: hi', 'agent   asks: may I?'], code: 0, stderr: '' };

function difference(live: Partial<SampleClientRun>, report: Partial<ReturnType<typeof newReport>> | null = {}) {
  return differenceBetween(RECORDED, { ...RECORDED, ...live }, report && { ...newReport('s', 'wire'), ...report });
}

describe('the same client, with the tape as its agent', () => {
  it('is the same in another order', () => {
    expect(difference({})).toBeNull();
    expect(difference({ talk: RECORDED.talk.toReversed() })).toBeNull();
  });

  it('says what the client tells otherwise', () => {
    const [prompt] = RECORDED.talk as [string];
    expect(difference({ talk: [prompt] })).toBe('the client no longer says "agent   asks: may I?"');
    expect(difference({ talk: [prompt, ...RECORDED.talk] })).toBe(`the client also says "${prompt}"`);
    expect(difference({ code: 1 })).toBe('the client exited with 1 instead of 0');
  });

  it('says what the replay noticed', () => {
    expect(difference({}, { ok: false, missing: [{ f: 12, what: 'prompt' }] })).toBe(
      'the client never sent prompt (f12)',
    );
    expect(difference({}, { unsent: 2, unread: 1 })).toBe('3 of the recorded lines did not reach the client');
    expect(difference({}, { made_up: ['prompt'] })).toBe('the replay sent a line that is not on the tape: prompt');
    expect(difference({ stderr: 'one\nwiretape: it broke\n' }, null)).toBe('wiretape: it broke');
    expect(difference({}, null)).toBe('the replay ended without a report');
  });
});
