/** Findings on a screen: they fit, in any script; what was recorded is shown, never obeyed. */
import { expect, it } from 'vitest';
import type { CheckReport } from '../../../../lib/analysis/check/report.ts';
import { RULES } from '../../../../lib/analysis/check/rules.ts';
import type { Finding } from '../../../../lib/dialects/rules/rule.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { reportText } from '../../../../lib/output/terminal/check-view.ts';
import { ruleText } from '../../../../lib/output/terminal/rule-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';

const EVIL = '\x1b]0;owned\x07\u202e\u009b31m';

function text(columns: number, rules: readonly string[], message: string): string[] {
  const findings = rules.map((rule, i): Finding => {
    return { rule, severity: i % 2 ? 'info' : 'error', fault: 'unknown', f: 14, frames: [13], message, ref: '' };
  });
  const report: CheckReport = {
    ...{ session: '20261116T022911-k3f9', command: ['kimi', 'acp'], dialect: 'acp', started: '', isRunning: false },
    ...{ applied: [{} as never], notApplied: [], findings, counts: new Map(rules.map((rule) => [rule, 1])) },
    ...{ severities: { error: 1, warning: 0, info: 1 }, failed: true, read: { lines: 2, understood: 2, enough: true } },
  };
  return [...reportText(report, 'info', columns, themeFor(false))].join('').trimEnd().split('\n');
}

it.each([80, 200])('fits %i cells', (columns) => {
  for (const line of text(columns, ['acp-permission-cancelled', 'io-cut'], `选项 ${'文'.repeat(120)}${EVIL}`)) {
    expect(cells(line)).toBeLessThanOrEqual(columns);
    expect(line).not.toMatch(/[\x1b\x07\u202e\u009b]/);
  }
});

it('puts the message below where little of the line is left', () => {
  const long = text(80, ['acp-permission-cancelled'], 'the message');
  expect(long.slice(1, 3)).toEqual(['  error    acp-permission-cancelled  unknown', '           f14 f13  the message']);
  expect(text(80, ['io-cut'], 'the message')[1]).toBe('  error    io-cut  unknown  f14 f13  the message');
  expect(text(Infinity, ['acp-permission-cancelled'], 'the message')[1]).toMatch(/unknown {2}f14 f13 {2}the message$/);
});

it('proposes to explain the rules that it names, the gravest first, as many as fit', () => {
  expect(text(80, ['io-cut', 'io-gap'], 'x').at(-1)).toBe('  explained by: wiretape check --explain io-cut,io-gap');
  const many = Array.from({ length: 40 }, (_, i) => `io-rule-${i}`);
  const last = text(80, many, 'x').at(-1)!;
  expect(last).toMatch(/--explain io-rule-0,io-rule-2,/);
  expect(last.length).toBeLessThanOrEqual(80);
});

it('lists every rule within the screen', () => {
  const lines = RULES.flatMap((rule) => [...ruleText(rule, 80, themeFor(false))].join('').split('\n'));
  expect(lines.filter((line) => cells(line) > 80)).toEqual([]);
  // All dialects of a rule are still named.
  const [noise] = RULES.filter(({ id }) => id === 'io-noise');
  const text = [...ruleText(noise!, 80, themeFor(false))].join('').replaceAll(/\s+/g, ' ');
  expect(text).toContain(`error, fault: agent; for ${noise!.dialects!.join(', ')} `);
});
