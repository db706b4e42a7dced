/** Rules for people: the list of them, and what one means. */
import type { RuleExplanation } from '../../dialects/rules/entry.ts';
import { type Rule, refOf } from '../../dialects/rules/rule.ts';
import { severityPaint } from './check-view.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

/** One rule of the list. */
export function* ruleText(rule: Rule, columns: number, theme: Theme): Generator<string> {
  yield* head(rule, columns, theme);
  for (const line of wrap(`    see ${rule.source}`, columns)) yield `${theme.dim(line)}\n`;
}

/** The entry of a rule. */
export function* entryText(
  rule: Rule,
  { means, fix }: RuleExplanation,
  columns: number,
  theme: Theme,
): Generator<string> {
  const { id, aliases = [], source } = rule;
  yield* head(rule, columns, theme);
  const width = Math.min(columns, 100) - 4;
  const indent = function* (text: string): Generator<string> {
    for (const line of wrap(text, width)) yield `    ${line}\n`;
  };
  yield '\n';
  yield* indent(means);
  yield* indent(`fix: ${fix}`);
  yield '\n';
  const earlier = aliases.length > 0 ? [`earlier id: ${aliases.join(', ')}`] : [];
  for (const text of [`source: ${source}`, ...earlier, `example: ${refOf(id)}`])
    for (const line of indent(text)) yield theme.dim(line);
}

function* head({ id, dialects, severity, fault, title }: Rule, columns: number, theme: Theme): Generator<string> {
  const who = fault === 'unknown' ? 'either side' : fault;
  const where = dialects === null ? 'all dialects' : dialects.join(', ');
  const [first = '', ...more] = wrap(`${id}  ${severity}, fault: ${who}; for ${where}`, columns);
  const rest = first.slice(id.length + 2 + severity.length);
  yield `${theme.strong(id)}  ${severityPaint(severity, theme)(severity)}${rest}\n`;
  for (const line of more) for (const part of wrap(`    ${line}`, columns)) yield `${part}\n`;
  for (const line of wrap(`    requires: ${title}`, columns)) yield `${line}\n`;
}
