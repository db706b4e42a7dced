/** The entries of docs/rules.md: each rule with what it means, who is at fault, how to fix it, and an example. */
import { entryOf } from '../../lib/analysis/check/entries.ts';
import { INCOMPLETE } from '../../lib/analysis/check/incomplete.ts';
import { RULES } from '../../lib/analysis/check/rules.ts';
import { DIALECTS } from '../../lib/dialects/index.ts';
import type { Rule } from '../../lib/dialects/rules/rule.ts';
import { visible } from '../../lib/model/text/text.ts';
import { type Example, findingsIn, readExamples } from '../support/rule-examples.ts';

const FAMILIES: readonly (readonly [prefix: string, title: string])[] = [
  ['io', 'the pipe, the process and the recording'],
  ['rpc', 'JSON-RPC 2.0'],
  ...DIALECTS.flatMap(({ conformance }) =>
    conformance?.title ? [[conformance.prefix, conformance.title] as const] : [],
  ),
];

const FAULTS = { client: 'the client', agent: 'the agent', unknown: 'the side that the finding names' };

export function ruleEntries(): string[] {
  const examples = readExamples();
  return FAMILIES.flatMap(([family, title]) => {
    const rules = [...RULES, INCOMPLETE].filter(({ id }) => id.startsWith(`${family}-`));
    return [`## ${family}: ${title}`, '', ...rules.flatMap((rule) => entry(rule, examples.get(rule.id)!))];
  });
}

function entry(rule: Rule, example: Example): string[] {
  const { id, aliases = [], severity, fault, title, source, dialects } = rule;
  const { means, fix } = entryOf(id)!;
  const where = dialects === null ? 'all dialects' : dialects.map((name) => `\`${name}\``).join(', ');
  const before = aliases.length > 0 ? ` Earlier id: ${aliases.map((alias) => `\`${alias}\``).join(', ')}.` : '';
  return [
    ...[`### ${id}`, '', `Requires: ${title}.`, ''],
    ...[`${means}`, '', `- Severity: ${severity}. At fault: ${FAULTS[fault]}.`, `- Fix: ${fix}`],
    ...[`- Applies to ${where}. Source: ${source}.${before}`, '', '```text', ...shown(example), '```', ''],
  ];
}

const LONGEST = 180;

/** The frames that the finding names, and what lies between them. */
function shown(example: Example): string[] {
  const { f, frames, severity, fault, message } = findingsIn(example).find(({ rule }) => rule === example.rule)!;
  const [first, last] = [Math.min(f, ...frames), Math.max(f, ...frames)];
  const lines = example.lines.slice(first - 1, last).map((line, i) => {
    const [, who = '', what = ''] = /^!?(\w+) ?(.*)$/.exec(line)!;
    const text = `f${first + i}`.padEnd(4) + who.padEnd(7) + what;
    return (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).trimEnd();
  });
  const whose = fault === 'unknown' ? '' : `, ${fault}`;
  return [...(first > 1 ? ['…'] : []), ...lines, `${severity}${whose}, f${f}: ${visible(message)}`];
}
