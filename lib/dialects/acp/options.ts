/** The options of a permission request. What one means is its kind, never its id. */
import type { Decision, Option } from '../../core/event.ts';
import type { Json } from '../dialect.ts';
import { objectsOf, stringOf } from '../fields.ts';

const DECISIONS: Record<string, Decision> = {
  allow_once: 'allow',
  allow_always: 'allow-always',
  reject_once: 'deny',
  reject_always: 'deny',
};

export function optionsOf(params: Json): Option[] {
  return objectsOf(params.options).map(({ optionId, name, kind }) => ({
    id: stringOf(optionId) ?? '',
    decision: typeof kind === 'string' && Object.hasOwn(DECISIONS, kind) ? DECISIONS[kind]! : null,
    label: stringOf(name),
  }));
}
