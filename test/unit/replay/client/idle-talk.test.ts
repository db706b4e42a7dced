/** Agents that talk without getting anywhere, and those that only take their time. */
import { describe, expect, it } from 'vitest';
import { IdleTalk } from '../../../../lib/replay/client/idle-talk.ts';

const RECORDED = { lines: 100, bytes: 10_000 };
const LIMIT = 60;

describe('an agent', () => {
  it('may think for an hour, as long as it says what', () => {
    const talk = new IdleTalk(LIMIT);
    for (let t = 0; t < 3600; t++) {
      talk.addLine(100, true, t);
      expect(talk.hangReason(t, RECORDED)).toBeNull();
    }
  });

  it('may say as much as it likes within the limit, or if it was recorded so', () => {
    const talk = new IdleTalk(LIMIT);
    for (let i = 0; i < 200_000; i++) talk.addLine(100, true, 59);
    expect(talk.hangReason(59, RECORDED)).toBeNull();
    expect(talk.hangReason(61, { lines: 200_000, bytes: 20_000_000 })).toBeNull();
    expect(talk.hangReason(61, RECORDED)).toMatch(/^the agent made no progress in 200000 lines \(20 MB\) and /);
    talk.progressed(61);
    expect(talk.hangReason(200, RECORDED)).toBeNull();
  });

  it('that only says how it is hangs after ten times the limit', () => {
    const talk = new IdleTalk(LIMIT);
    talk.progressed(5);
    for (let t = 5; t < 605; t += 5) {
      talk.addLine(50, false, t);
      expect(talk.hangReason(t, RECORDED)).toBeNull();
    }
    talk.addLine(50, false, 606);
    expect(talk.hangReason(606, RECORDED)).toMatch(/nothing but logs and status/);
  });

  it('that says nothing at all is not what this is about', () => {
    expect(new IdleTalk(LIMIT).hangReason(1e6, RECORDED)).toBeNull();
  });
});
