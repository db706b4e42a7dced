/** What a report is about, and whose doing it is. */
import { describe, expect, it } from 'vitest';
import { findTrouble, type OpenProblem, type TroubleEvidence } from '../../../../lib/output/report/trouble.ts';

const row = (about: Partial<OpenProblem>): OpenProblem => ({
  ...{ f: 10, owes: 'client', what: 'approval of Shell', cause: 'it did', hint: null, send: null, sender: null },
  ...{ open: true, waited: 6, rule: 'unanswered', follows: false, stalled: null },
  ...about,
});

const found = (about: Partial<TroubleEvidence>): TroubleEvidence => ({
  ...{ why: [], findings: [], end: 20, longestWait: null },
  summary: { exit: { code: 0, signal: null }, state: 'ended', read: null } as never,
  ...about,
});

const about = (facts: Partial<TroubleEvidence>, around: number | null = null) => findTrouble(found(facts), around);
const finding = {
  rule: 'io-early-eof',
  severity: 'error',
  fault: 'client',
  f: 12,
  frames: [10],
  message: 'gone',
} as const;

describe('the trouble', () => {
  it('is the first that is open and waits for nothing else', () => {
    const why = [row({ f: 4, owes: 'agent', rule: 'waits-for-client', follows: true }), row({ f: 10 })];
    expect(about({ why })).toMatchObject({ f: 10, culprit: 'client' });
  });

  it('is an earlier mistake, if the session merely ended before an answer', () => {
    const why = [row({ f: 15, rule: 'stdin-closed' }), row({ f: 12, open: false, rule: 'bad-answer' })];
    expect(about({ why })).toMatchObject({ kind: 'remark', f: 12 });
    const running = { exit: null, state: 'running', read: null } as never;
    expect(about({ why, summary: running })).toMatchObject({ kind: 'open', f: 15 });
    const late = [row({ f: 10 }), row({ f: 12, open: false, rule: 'bad-answer' })];
    expect(about({ why: late })).toMatchObject({ kind: 'open', f: 10 });
  });

  it('is a line that could not be read rather than an answer that nobody waited for', () => {
    const why = [row({ f: 10 }), row({ f: 11, owes: 'agent', rule: 'no-line-end' })];
    expect(about({ why })).toMatchObject({ f: 11, culprit: 'client' });
  });

  it.each([
    [{ rule: 'unanswered' }, 'client'],
    [{ rule: 'no-line-end', owes: 'agent' }, 'client'],
    [{ rule: 'no-line-end', owes: 'agent', f: null }, 'agent'],
    [{ rule: 'stalled', owes: 'agent', stalled: { whose: 'client' } }, 'client'],
    [{ rule: 'stalled', owes: 'client', stalled: { whose: 'agent' } }, 'agent'],
    [{ rule: 'stdin-closed', owes: 'agent' }, 'client'],
    [{ rule: 'no-initialize', owes: 'agent' }, 'client'],
    [{ rule: 'in-tool', owes: 'agent' }, 'agent'],
    [{ rule: 'gone', owes: 'agent', sender: 'client' }, 'agent'],
    [{ rule: 'mistake', owes: 'agent', sender: 'client' }, 'client'],
  ] as [Partial<OpenProblem>, string][])('%o points to the %s', (one, culprit) => {
    expect(about({ why: [row(one)] }).culprit).toBe(culprit);
  });

  it('is then a broken rule, a bad exit, a long wait, and else nothing', () => {
    const wait = { f: 7, seconds: 40, kind: 'approval', tool: 'Shell' };
    const died = { exit: { code: 3, signal: null }, state: 'ended', read: null } as never;
    expect(about({ findings: [finding as never], summary: died })).toMatchObject({ kind: 'finding', f: 12 });
    expect(about({ summary: died, longestWait: wait })).toMatchObject({ kind: 'exit', culprit: 'agent', f: 20 });
    expect(about({ longestWait: wait })).toMatchObject({ kind: 'wait', f: 7, culprit: 'client' });
    expect(about({ longestWait: { ...wait, seconds: 3 } })).toMatchObject({
      kind: 'none',
      culprit: null,
      verdict: 'wiretape found no problem; the longest wait was for the approval of Shell (f7), 3.00 s',
    });
    expect(about({}).verdict).toBe('wiretape found no problem');
  });

  it('is what was asked for', () => {
    expect(about({ why: [row({})], findings: [finding as never] }, 12)).toMatchObject({ kind: 'asked', f: 12 });
    expect(about({ why: [row({})] }, 3)).toMatchObject({ f: 3, verdict: 'see f3', culprit: null });
  });
});
