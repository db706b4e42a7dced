/**
 * Parts of the documents that the program's own tables make. A part stands between `<!-- generated: name -->` and
 * `<!-- end -->`. `npx vitest run test/meta/documents -u` writes them.
 */
import { RULES } from '../../lib/analysis/check/rules.ts';
import { MARKS } from '../../lib/analysis/facts/marks.ts';
import { EXAMPLE_QUERIES } from '../../lib/analysis/query/help.ts';
import { QUALIFIERS } from '../../lib/analysis/query/qualifiers.ts';
import type { Rule } from '../../lib/dialects/rules/rule.ts';
import { COMMAND_WORDS } from '../../lib/output/viewer/shell/command-words.ts';
import { COMMANDS } from '../../lib/output/viewer/shell/commands.ts';
import { ruleEntries } from './rule-page.ts';

const PARTS: Record<string, () => string[]> = {
  qualifiers: () =>
    table(
      ['qualifier', 'of the', 'meaning', 'example'],
      QUALIFIERS.map(({ name, of, help, example }) => [code(`${name}:`), of, help, code(example)]),
    ),
  marks: () =>
    table(
      ['term', 'matches'],
      MARKS.map(({ of, word, help }) => [code(`${of}:${word}`), help]),
    ),
  words: () =>
    table(
      ['qualifier', 'words'],
      QUALIFIERS.filter(({ type }) => type === 'word' || type === 'state').map(({ name, words }) => [
        code(`${name}:`),
        words!.map(code).join(' '),
      ]),
    ),
  examples: () =>
    table(
      ['query', 'finds'],
      EXAMPLE_QUERIES.map(({ query, finds }) => [code(query), finds]),
    ),
  rules: () => [...groups()].flatMap(([group, rules]) => [`### ${group}`, '', ...ruleTable(rules), '']).slice(0, -1),
  keys: () =>
    table(
      ['keys', 'what they do'],
      COMMANDS.filter(({ keys }) => keys.length > 0).map(({ name, keys }) => [
        keys.map(code).join(' '),
        COMMAND_WORDS.en[name],
      ]),
    ),
  entries: () => ruleEntries().slice(0, -1),
};

export function withGenerated(page: string): string {
  return page.replaceAll(/(<!-- generated: (\w+) -->\n)[\s\S]*?(<!-- end -->)/g, (_, begin, name, end) => {
    const part = PARTS[name];
    if (!part) throw new Error(`nothing makes the part ${name}`);
    return `${begin}${part().join('\n')}\n${end}`;
  });
}

/** Rules are listed under the dialects they apply to, in the order of `check --list`. */
function groups(): Map<string, Rule[]> {
  const groups = new Map<string, Rule[]>();
  for (const rule of RULES) {
    const title = rule.dialects ? rule.dialects.map(code).join(', ') : 'All dialects';
    groups.set(title, [...(groups.get(title) ?? []), rule]);
  }
  return groups;
}

function ruleTable(rules: readonly Rule[]): string[] {
  return table(
    ['rule', 'severity', 'fault', 'what it requires'],
    rules.map(({ id, severity, fault, title }) => [
      `[${code(id)}](rules.md#${id})`,
      severity,
      fault === 'unknown' ? 'either' : fault,
      title,
    ]),
  );
}

function table(head: string[], rows: readonly string[][]): string[] {
  return [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function code(text: string): string {
  return `\`${text}\``;
}
