/** All rules: those of any protocol, and those of each dialect. */
import type { Dialect } from '../../dialects/dialect.ts';
import { DIALECTS, dialectNamed } from '../../dialects/index.ts';
import { RPC_RULES } from '../../dialects/rules/envelope.ts';
import { LINE_RULES } from '../../dialects/rules/lines.ts';
import { PROCESS_RULES } from '../../dialects/rules/process.ts';
import { RECORDING_RULES } from '../../dialects/rules/recording.ts';
import type { Rule, RuleDefinition } from '../../dialects/rules/rule.ts';
import type { MessageSchemas } from '../../dialects/rules/schema.ts';
import { makeShapeRule } from '../../dialects/rules/shape-rule.ts';

/** The names of the dialects that a rule holds for. */
function resolveDialects(rule: RuleDefinition): Rule {
  const { id, dialects } = rule;
  if (typeof dialects !== 'function') return { ...rule, dialects };
  const held = ({ traits, conformance }: Dialect) => dialects(traits) && !conformance?.exempt?.includes(id);
  return { ...rule, dialects: DIALECTS.filter(held).map(({ name }) => name) };
}

/** Related dialects have one rule for their shapes. */
function shapeRules(): Rule[] {
  const byPrefix = new Map<string, Record<string, MessageSchemas>>();
  for (const { name, conformance } of DIALECTS) {
    if (!conformance?.shapes) continue;
    const { prefix, shapes } = conformance;
    byPrefix.set(prefix, { ...byPrefix.get(prefix), [name]: shapes });
  }
  return [...byPrefix].map(([prefix, schemas]) => makeShapeRule(prefix, schemas));
}

export const SHAPE_RULES: readonly Rule[] = shapeRules();

export const RULES: readonly Rule[] = [
  ...SHAPE_RULES,
  ...[...LINE_RULES, ...PROCESS_RULES, ...RECORDING_RULES, ...RPC_RULES].map(resolveDialects),
  ...DIALECTS.flatMap(({ conformance }) => conformance?.rules ?? []).map(resolveDialects),
];

/** The rules that a word names, by their ids or those that they had before; case does not count. */
export function rulesNamed(word: string, rules: readonly Rule[] = RULES): Rule[] {
  const name = word.trim().toLowerCase();
  return rules.filter(({ id, aliases = [] }) => [id, ...aliases].some((one) => one.toLowerCase() === name));
}

/** Those of these rules that judge the messages of a dialect, wherever they are: not its lines, and not its process. */
export function messageRules(dialect: string, rules: readonly Rule[]): Rule[] {
  const conformance = dialectNamed(dialect)?.conformance;
  const own = new Set([...RPC_RULES, ...(conformance?.rules ?? [])].map(({ id }) => id)).add(
    `${conformance?.prefix}-shape`,
  );
  return rules.filter(({ id, dialects }) => own.has(id) && dialects?.includes(dialect));
}
