/** The entry of each rule, by its id. A test holds that every rule has one, with an example that breaks it. */
import { DIALECTS } from '../../dialects/index.ts';
import { COMMON_ENTRIES } from '../../dialects/rules/entries-common.ts';
import { IO_ENTRIES } from '../../dialects/rules/entries-io.ts';
import { RPC_ENTRIES } from '../../dialects/rules/entries-rpc.ts';
import type { RuleExplanation } from '../../dialects/rules/entry.ts';

const OWN_ENTRIES: Readonly<Record<string, RuleExplanation>> = Object.assign(
  { ...IO_ENTRIES, ...RPC_ENTRIES },
  ...DIALECTS.map(({ conformance }) => conformance?.entries),
);

/** Undefined: there is no such rule. */
export function entryOf(id: string): RuleExplanation | undefined {
  return OWN_ENTRIES[id] ?? COMMON_ENTRIES[id.slice(id.indexOf('-') + 1)];
}
