/** The text output of `check`: the findings of a session. */
import type { CheckReport } from '../../analysis/check/report.ts';
import { isAtLeast, SEVERITIES } from '../../analysis/check/report.ts';
import { traitsOf } from '../../dialects/index.ts';
import type { Finding, Severity } from '../../dialects/rules/rule.ts';
import { cells, clip, visible } from '../../model/text/text.ts';
import { describeShare, isMostlyUnread, type ReadShare } from '../../session/understanding.ts';
import { type Theme, themeFor } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

export function* reportText(report: CheckReport, minimum: Severity, columns: number, theme: Theme): Generator<string> {
  const { session, command, counts } = report;
  const shown = report.findings.filter(({ severity }) => isAtLeast(severity, minimum));
  const notes = notesOf(report);
  const id = visible(session);
  // The command takes the rest of the line.
  const title = (used: number) => clip(visible(command.join(' ')), Math.max(8, columns - used));
  if (shown.length + notes.length === 0) {
    const words = summary(report, theme);
    return yield `${theme.strong(id)}  ${words}  ${theme.dim(title(cells(id) + cells(plainSummary(report)) + 4))}\n`;
  }
  yield `${`${theme.strong(id)} ${title(cells(id) + 1)}`.trimEnd()}\n`;
  const width = Math.max(0, ...shown.map(({ rule }) => rule.length));
  for (const finding of shown) yield* findingText(finding, width, columns, theme);
  for (const [rule, count] of counts) {
    const kept = report.findings.filter((finding) => finding.rule === rule).length;
    if (kept < count) yield theme.dim(`  ${rule}: and ${count - kept} more\n`);
  }
  if (report.applied.length > 0) yield `  ${summary(report, theme)}\n`;
  if (shown.length > 0) yield theme.dim(`${explainHint(shown, columns)}\n`);
  for (const note of notes) for (const line of wrap(`  ${note}`, columns)) yield `${theme.dim(line)}\n`;
}

/** A command that can be pasted: as many of the rules as fit, worst first. */
function explainHint(shown: readonly Finding[], columns: number): string {
  const worst = SEVERITIES.flatMap((severity) => shown.filter((finding) => finding.severity === severity));
  const [first, ...more] = new Set(worst.map(({ rule }) => rule));
  let text = `  explained by: wiretape check --explain ${first}`;
  for (const rule of more) if (text.length + rule.length < columns) text += `,${rule}`;
  return text;
}

/** Which rules were not applied, because too little of the session was understood. */
export function unreadNote(dialect: string, read: ReadShare): string {
  const rules = traitsOf(dialect).isGeneric
    ? 'what it did was not checked'
    : `the rules of ${visible(dialect)} were not applied`;
  return `${describeShare(read)}: ${rules}`;
}

function notesOf({ dialect, applied, notApplied, isRunning, read }: CheckReport): string[] {
  const notes: string[] = isMostlyUnread(read) ? [unreadNote(dialect, read)] : [];
  if (applied.length + notApplied.length === 0) notes.push(`no rules for ${visible(dialect)}`);
  if (notApplied.length > 0)
    notes.push(`not applied, because the client's side was not recorded: ${notApplied.map(({ id }) => id).join(', ')}`);
  if (isRunning) notes.push('still running: missing messages are not reported');
  return notes;
}

/** If less than this is left of the line, the message is on the next line. */
const MIN_MESSAGE_COLUMNS = 44;
const MESSAGE_INDENT = ' '.repeat(11);

function* findingText(finding: Finding, width: number, columns: number, theme: Theme): Generator<string> {
  const { severity, rule, fault, f, frames, message } = finding;
  const where = [f, ...frames].map((one) => `f${one}`).join(' ');
  const head = `  ${severity.padEnd(7)}  ${rule.padEnd(width)}  ${fault.padEnd(7)}  `;
  const text = `${where}  ${visible(message)}`;
  const room = columns - head.length;
  if (room < MIN_MESSAGE_COLUMNS) {
    yield `${severityPaint(severity, theme)(head.trimEnd())}\n`;
    for (const line of wrap(text, Math.max(24, columns - MESSAGE_INDENT.length))) yield `${MESSAGE_INDENT}${line}\n`;
    return;
  }
  const [first = '', ...rest] = wrap(text, room);
  const indent = ' '.repeat(head.length);
  yield `${severityPaint(severity, theme)(head)}${first}\n`;
  for (const line of rest) yield `${indent}${line}\n`;
}

function plainSummary(report: CheckReport): string {
  return summary(report, themeFor(false));
}

function summary({ severities, applied }: CheckReport, theme: Theme): string {
  const parts = SEVERITIES.filter((severity) => severities[severity] > 0).map((severity) =>
    severityPaint(
      severity,
      theme,
    )(severity === 'info' ? `${severities.info} info` : plural(severities[severity], severity)),
  );
  return parts.length > 0 ? parts.join(', ') : theme.good(`no findings (${plural(applied.length, 'rule')})`);
}

export function severityPaint(severity: Severity, theme: Theme): (text: string) => string {
  return severity === 'error' ? theme.bad : severity === 'warning' ? theme.warn : theme.dim;
}
