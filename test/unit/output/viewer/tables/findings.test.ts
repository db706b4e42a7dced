/** Findings by rule, the gravest first. */
import { describe, expect, it } from 'vitest';
import type { Finding, Severity } from '../../../../../lib/dialects/rules/rule.ts';
import { countSeverities, findingsFor, groupByRule } from '../../../../../lib/output/viewer/findings/model.ts';

const finding = (rule: string, severity: Severity, f: number, frames: number[] = []): Finding => {
  return { rule, severity, fault: 'agent', f, frames, message: '', ref: '' };
};

describe('findings', () => {
  const all = [
    finding('a', 'info', 1),
    finding('a', 'info', 2),
    finding('b', 'warning', 9),
    finding('c', 'warning', 5),
    finding('b', 'warning', 3),
    finding('d', 'info', 8),
    finding('d', 'error', 7, [1]),
  ];

  it('stand together by rule, in the order of their frames; a rule is as grave as its gravest finding', () => {
    expect(
      groupByRule(all).map(({ rule, severity, findings }) => [rule, severity, findings.map(({ f }) => f)]),
    ).toEqual([
      ['d', 'error', [7, 8]],
      ['b', 'warning', [3, 9]],
      ['c', 'warning', [5]],
      ['a', 'info', [1, 2]],
    ]);
    expect(groupByRule([])).toEqual([]);
  });

  it('are left by a query if one of their frames was found', () => {
    expect(findingsFor(all, (f) => f === 1).map(({ f }) => f)).toEqual([1, 7]);
    expect(findingsFor(all, null)).toEqual(all);
    expect(countSeverities(all)).toEqual({ error: 1, warning: 3, info: 3 });
  });
});
