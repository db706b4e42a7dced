/** JUnit XML is XML, whatever was recorded. */
import { describe, expect, it } from 'vitest';
import { junit, type UnreadableSession } from '../../../../lib/analysis/check/junit.ts';
import type { CheckReport } from '../../../../lib/analysis/check/report.ts';
import type { Finding, Rule } from '../../../../lib/dialects/rules/rule.ts';

const rule = (id: string): Rule => ({
  id,
  dialects: null,
  severity: 'error',
  fault: 'agent',
  title: `rule ${id}`,
  source: 'a book',
  open: () => ({ take: () => [] }),
});
const finding = (rule: string, message: string, severity: Finding['severity'] = 'error'): Finding => ({
  rule,
  severity,
  fault: 'agent',
  f: 3,
  frames: [1],
  message,
  ref: 'a book',
});

const report = (findings: Finding[], more: Partial<CheckReport> = {}): CheckReport => ({
  ...{ session: 's', command: [], dialect: 'wire', started: '2026-11-16T02:29:11.123456Z', isRunning: false },
  ...{ applied: [rule('a'), rule('b')], notApplied: [], findings },
  counts: new Map(findings.map(({ rule }) => [rule, findings.filter((one) => one.rule === rule).length])),
  severities: { error: 0, warning: 0, info: 0 },
  failed: false,
  read: { lines: 1, understood: 1, enough: true },
  ...more,
});

const text = (reports: (CheckReport | UnreadableSession)[], failOn: 'error' | 'warning' | 'never' = 'error') =>
  [...junit(reports, { least: failOn, incomplete: false })].join('');

/** Tags in order, with their attributes; throws where it is not well formed. */
function parse(xml: string): string[] {
  const body = xml.replace(/^<\?xml [^?]*\?>\n/, '');
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u.test(body))
    throw new Error('forbidden character');
  const open: string[] = [];
  const seen: string[] = [];
  for (const [piece, close, name, attributes, single] of body.matchAll(
    /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|[^<]+|</g,
  )) {
    if (name === undefined) {
      if (piece === '<' || /&(?!(?:amp|lt|gt|quot|apos);)/.test(piece)) throw new Error(`not well formed: ${piece}`);
      continue;
    }
    if (close && open.pop() !== name) throw new Error(`not closed: ${name}`);
    if (!close) seen.push(`${name}${attributes}`);
    if (!close && !single) open.push(name);
  }
  if (open.length > 0) throw new Error(`left open: ${open}`);
  return seen;
}

describe('JUnit', () => {
  it('has a suite a session and a case a rule', () => {
    expect(parse(text([report([finding('b', 'broken')])]))).toEqual([
      'testsuites name="wiretape check"',
      'testsuite name="s" tests="2" failures="1" errors="0" skipped="0" timestamp="2026-11-16T02:29:11.123456Z"',
      'testcase classname="wire" name="a: rule a"',
      'testcase classname="wire" name="b: rule b"',
      'failure message="broken" type="error"',
    ]);
  });

  it('says beside it what does not fail', () => {
    const found = [finding('a', 'odd', 'warning')];
    expect(text([report(found)])).toMatch(/failures="0"[\s\S]*<system-out>warning, agent, f3 f1: odd<\/system-out>/);
    expect(text([report(found)], 'warning')).toMatch(/failures="1"[\s\S]*<failure message="odd" type="warning">/);
    expect(text([report([finding('a', 'odd')])], 'never')).toMatch(/failures="0"/);
  });

  it('skips what was not applied, and has an error for what cannot be read', () => {
    const xml = text([report([], { notApplied: [rule('c')] }), { session: 'gone', message: 'no such file' }]);
    expect(parse(xml)).toContain('skipped message="the side of the client was not recorded"');
    expect(parse(xml)).toContain('error message="no such file"');
    expect(xml).toContain('skipped="1"');
  });

  it.each(['<script>&amp;"\'', ']]>', '\u0000\u0007\u001b[31m', '\ud800 \ufffe \uffff', 'a\r\nb\u2028c', '--><!--'])(
    'is well formed with %j in it',
    (hostile) => {
      const found = [finding('a', hostile), finding('b', hostile, 'info')];
      const suite = report(found, { session: hostile, dialect: hostile });
      expect(() => parse(text([suite, { session: hostile, message: hostile }]))).not.toThrow();
    },
  );
});
