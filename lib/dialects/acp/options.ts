/** The options of a permission request. What one means is its kind, never its id. */
import type { Cover, Decision, GrantRule, Option } from '../../core/event.ts';
import type { Json } from '../dialect.ts';
import { objectOf, objectsOf, stringOf } from '../fields.ts';

const DECISIONS: Record<string, Decision> = {
  allow_once: 'allow',
  allow_always: 'allow-always',
  reject_once: 'deny',
  reject_always: 'deny',
};

export function optionsOf(params: Json): Option[] {
  return objectsOf(params.options).map(({ optionId, name, kind, _meta }) => {
    const decision = typeof kind === 'string' && Object.hasOwn(DECISIONS, kind) ? DECISIONS[kind]! : null;
    const covers = decision === 'allow-always' ? coverOf(objectOf(_meta)) : null;
    return { id: stringOf(optionId) ?? '', decision, label: stringOf(name), ...(covers ? { covers } : {}) };
  });
}

/** vibe says which commands or paths its grants are for. */
function coverOf({ required_permissions }: Json): Cover | null {
  const patterns = objectsOf(required_permissions).map(({ session_pattern }) => stringOf(session_pattern));
  const rules = patterns.filter((pattern) => pattern !== null).map((pattern): GrantRule => ({ tool: null, pattern }));
  return rules.length > 0 ? { is: 'rules', rules, more: [] } : null;
}
