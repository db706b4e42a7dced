/** What stands beside the trouble of a report, on its first screen. */
import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../../lib/dialects/rules/rule.ts';
import { indentedJson } from '../../../../lib/output/report/indented-json.ts';
import { faultOf, relatedTroubles } from '../../../../lib/output/report/related-troubles.ts';
import { findTrouble, type OpenProblem, type Trouble } from '../../../../lib/output/report/trouble.ts';
import { WORDS } from '../../../../lib/output/report/words.ts';

const open = (more: Partial<OpenProblem>): OpenProblem => ({
  ...{ f: 10, owes: 'client', what: 'approval of Shell', cause: 'the client closed stdin (f11)', hint: null },
  ...{ send: null, sender: null, open: true, waited: 6, rule: 'unanswered', follows: false, stalled: null },
  ...more,
});
const finding = (more: Partial<Finding>): Finding =>
  ({ rule: 'wire-id', severity: 'error', f: 11, frames: [], fault: 'client', message: 'm', ...more }) as Finding;
const trouble = (more: Partial<Trouble>): Trouble => ({
  ...{ kind: 'open', f: 10, verdict: 'v', culprit: 'client', expected: null, hint: null, frames: [10, 11] },
  ...more,
});
const ended = { exit: { code: 0, signal: null }, state: 'ended', read: null } as const;
const about = (more: object) => ({ trouble: trouble({}), why: [], findings: [], summary: ended, look: 11, ...more });

describe('beside the trouble', () => {
  it('stands what followed from it, what else is open, other rules, and who else is blamed', () => {
    const why = [
      open({}),
      open({ f: 4, owes: 'agent', what: 'prompt 1 (hi @all)', follows: true }),
      open({ f: 12, what: 'roots/list' }),
    ];
    const findings = [finding({ fault: 'agent' }), finding({ f: 3, rule: 'wire-shape' })];
    expect(relatedTroubles(about({ why, findings }), WORDS.en)).toEqual([
      'Because of it, this was never answered: `prompt 1 (hi @all)` (f4).',
      'Also never answered: `roots/list` (f12).',
      'The rule `wire-id` (f11) also blames the agent.',
      'Other broken rules, see below: `wire-shape` (f3).',
    ]);
  });

  it('says that a mistake had no effect, and only then', () => {
    const remark = trouble({ kind: 'remark', verdict: 'the client made a mistake in f2' });
    expect(relatedTroubles(about({ trouble: remark }), WORDS.en)).toEqual([WORDS.en.nothingFailed]);
    const killed = { exit: { code: null, signal: 'SIGKILL' }, state: 'ended' };
    expect(relatedTroubles(about({ trouble: remark, summary: killed }), WORDS.en)).toEqual([]);
    expect(
      relatedTroubles(about({ trouble: { ...remark, verdict: 'Shell ended with an error (f13)' } }), WORDS.en),
    ).toEqual([]);
  });

  it('says of findings that nobody is blamed for that they follow from it', () => {
    const why = [open({}), open({ f: 4, follows: true })];
    const told = (f: number, fault: Finding['fault'], more = {}) =>
      faultOf(finding({ f, fault }), about({ why, ...more }), WORDS.en);
    expect(told(4, 'unknown')).toBe('follows from f11');
    expect(told(87, 'unknown')).toBe('follows from f11');
    expect(told(3, 'unknown')).toBe('not known');
    expect(told(4, 'agent')).toBe('agent');
    expect(told(4, 'unknown', { trouble: trouble({ culprit: null }) })).toBe('not known');
  });
});

describe('the verdict', () => {
  const verdict = (one: OpenProblem) =>
    findTrouble({ why: [one], findings: [], summary: ended, end: 20, longestWait: null }, null).verdict;

  it('says what was done once, and who answered wrongly did answer', () => {
    expect(verdict(open({ cause: 'left unanswered for 6.00 s (id "x-1"), then the client closed stdin (f11)' }))).toBe(
      'the client never answered approval of Shell (f10, open for 6.00 s): the client closed stdin (f11)',
    );
    expect(verdict(open({ cause: 'the client answered with id 7 (f11), which matches no request', rule: 'id' }))).toBe(
      'the client gave no valid answer to approval of Shell (f10, open for 6.00 s): the client answered with id 7 (f11), which matches no request',
    );
    expect(
      verdict(open({ owes: 'agent', cause: 'the client made a mistake in it: x', sender: 'client', rule: 'bad' })),
    ).toBe('the client made a mistake in f10: x; so the agent never answered approval of Shell (f10, open for 6.00 s)');
  });
});

describe('an indented line', () => {
  it('is the line as it was written, but for the blanks', () => {
    const line = `{"id":1.0,"big":12345678901234567890,"s":"a\\u0041, {\\"b\\": [1]}","list":[${'{"a":1},'.repeat(20)}{}],"e":[]}`;
    const text = indentedJson(line);
    expect(text.split('\n').length).toBeGreaterThan(10);
    expect(text).toContain('  "big":12345678901234567890,\n  "s":"a\\u0041, {\\"b\\": [1]}",');
    expect(text.replace(/\n\s*/g, '')).toBe(line);
    expect(indentedJson('not {json')).toBe('not {json');
    expect(indentedJson(`${'['.repeat(3000)}${']'.repeat(3000)}`).length).toBeLessThan(7000);
  });
});
