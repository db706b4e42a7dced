/** The options of a permission request. What one means is its kind, never its id. */
import type { Cover, Decision, GrantRule, Option } from '../../model/event.ts';
import { commandIn } from '../../model/subject.ts';
import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { detailsOf } from './permission-subject.ts';

const DECISIONS: Record<string, Decision> = {
  allow_once: 'allow',
  allow_always: 'allow-always',
  reject_once: 'deny',
  reject_always: 'deny',
};

export function optionsOf(params: JsonObject): Option[] {
  const { kind: action, rawInput } = detailsOf(params);
  const isCommand = action === 'execute' || commandIn(rawInput) !== null;
  return objectsOf(params.options).map(({ optionId, name, kind, _meta }) => {
    const label = stringOf(name);
    const decision = typeof kind === 'string' && Object.hasOwn(DECISIONS, kind) ? DECISIONS[kind]! : null;
    const covers =
      decision === 'allow-always' ? (coverOf(objectOf(_meta)) ?? (isCommand ? coverIn(label) : null)) : null;
    return { id: stringOf(optionId) ?? '', decision, label, ...(covers ? { covers } : {}) };
  });
}

/** vibe says which commands or paths its grants are for. */
function coverOf({ required_permissions }: JsonObject): Cover | null {
  const patterns = objectsOf(required_permissions).map(({ session_pattern }) => stringOf(session_pattern));
  const rules = patterns.filter((pattern) => pattern !== null).map(ruleOf);
  return rules.length > 0 ? { is: 'rules', rules, more: [] } : null;
}

/** qwen: `Always Allow in project: npm run *, ls *` */
const OF_PATTERNS = /^Always Allow (?:in project|for user): (.+)$/;
/** codex-acp: `Yes, and don't ask again for commands that start with `npm run`` */
const OF_BEGINNING = /\bfor commands that start with `([^`]+)`$/;
/** claude-agent-acp: `Yes, and don't ask again for npm test commands`, `Yes, and allow access to src/ and npm run * commands` */
const OF_COMMANDS = /^Yes, and (?:don't ask again for|allow access to (\S+) and) (.+) commands$/;

/** Other agents name the commands only in what they show the user. Several without a separator are kept as one text. */
function coverIn(label: string | null): Cover | null {
  if (label === null || label.length > MAX_LABEL_LENGTH) return null;
  const [, list] = OF_PATTERNS.exec(label) ?? [];
  if (list !== undefined) return { is: 'rules', rules: list.split(', ').map(ruleOf), more: [] };
  const [, beginning] = OF_BEGINNING.exec(label) ?? [];
  if (beginning !== undefined) return { is: 'prefix', words: beginning.trim().split(/\s+/) };
  const [, folder, commands] = OF_COMMANDS.exec(label) ?? [];
  if (commands === undefined) return null;
  return { is: 'rules', rules: [ruleOf(commands)], more: folder === undefined ? [] : [`folder ${folder}`] };
}

/** A label for people is shorter. */
const MAX_LABEL_LENGTH = 1000;

const ruleOf = (pattern: string): GrantRule => ({ tool: null, pattern });
