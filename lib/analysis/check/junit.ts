/**
 * Findings as JUnit XML, which CI systems read: a suite a session, a case a rule. A finding of the chosen severity or above is a
 * failure; other findings are output.
 */

import type { Finding, Rule } from '../../dialects/rules/rule.ts';
import { visible } from '../../model/text/text.ts';
import { attributes, escaped } from '../../model/text/xml.ts';
import { type CheckReport, type FailOn, isFailure } from './report.ts';

/** A session that could not be read. */
export interface UnreadableSession {
  session: string;
  message: string;
}

export function* junit(reports: Iterable<CheckReport | UnreadableSession>, failOn: FailOn): Generator<string> {
  yield '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="wiretape check">\n';
  for (const report of reports) yield* 'findings' in report ? suite(report, failOn) : unread(report);
  yield '</testsuites>\n';
}

function* suite(report: CheckReport, failOn: FailOn): Generator<string> {
  const { session, dialect, started, applied, notApplied } = report;
  const isGrave = (finding: Finding) => isFailure(finding, failOn);
  const failed = new Set(report.findings.filter(isGrave).map(({ rule }) => rule));
  const head = {
    ...{ name: session, tests: applied.length + notApplied.length, failures: failed.size, errors: 0 },
    ...{ skipped: notApplied.length, timestamp: started },
  };
  yield `  <testsuite${attributes(head)}>\n`;
  for (const rule of applied) {
    const ours = report.findings.filter((finding) => finding.rule === rule.id);
    yield* testCase(rule, dialect, ours, isGrave, (report.counts.get(rule.id) ?? 0) - ours.length);
  }
  for (const rule of notApplied) {
    const reasonAttributes = attributes({ message: 'the side of the client was not recorded' });
    yield `    <testcase${caseOf(rule, dialect)}>\n      <skipped${reasonAttributes}/>\n    </testcase>\n`;
  }
  yield '  </testsuite>\n';
}

function* testCase(
  rule: Rule,
  dialect: string,
  findings: Finding[],
  isGrave: (finding: Finding) => boolean,
  more: number,
): Generator<string> {
  if (findings.length === 0) return yield `    <testcase${caseOf(rule, dialect)}/>\n`;
  yield `    <testcase${caseOf(rule, dialect)}>\n`;
  const failures = findings.filter(isGrave);
  const [first] = failures;
  if (first) {
    const lines = [...failures.map(line), ...(more > 0 ? [`and ${more} more`] : []), `see ${first.ref}`];
    const failureAttributes = attributes({ message: first.message, type: first.severity });
    yield `      <failure${failureAttributes}>${escaped(lines.join('\n'))}</failure>\n`;
  }
  const rest = findings.filter((finding) => !isGrave(finding));
  if (rest.length > 0) yield `      <system-out>${escaped(rest.map(line).join('\n'))}</system-out>\n`;
  yield '    </testcase>\n';
}

function* unread({ session, message }: UnreadableSession): Generator<string> {
  yield `  <testsuite${attributes({ name: session, tests: 1, failures: 0, errors: 1, skipped: 0 })}>\n`;
  yield `    <testcase${attributes({ classname: 'wiretape', name: 'the session can be read' })}>\n`;
  yield `      <error${attributes({ message })}/>\n    </testcase>\n  </testsuite>\n`;
}

function line({ severity, fault, f, frames, message }: Finding): string {
  return `${severity}, ${fault}, ${[f, ...frames].map((one) => `f${one}`).join(' ')}: ${visible(message)}`;
}

function caseOf({ id, title }: Rule, dialect: string): string {
  return attributes({ classname: dialect, name: `${id}: ${title}` });
}
