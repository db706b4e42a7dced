/** Codex: the client answers requests in the form that the agent can read. It treats anything else as a denial. */

import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { textOfValue } from '../../../model/text/text.ts';
import { objectOf } from '../../common/fields.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';
import { defineRules, error, quoted, type RuleHit, warning } from '../../rules/rule.ts';
import { optionOf, optionsOf } from '../decisions.ts';
import { versionOf } from '../requests.ts';

const REF = 'codex app-server 0.166.0';

const RULES = {
  'codex-decision': error.client(
    'the client answers an approval with a decision that the agent knows',
    `${REF}, CommandExecutionApprovalDecision, ReviewDecision`,
  ),
  'codex-answer': error.client(
    'questions, elicitations, permissions and client tools are answered in their own form',
    `${REF}, ServerRequest`,
  ),
  'codex-refused': warning.client('the client can answer every request of the agent', `${REF}: an error is a denial`),
};

type CodexAnswerRule = keyof typeof RULES;

const DECISIONS = new Set([
  ...['item/commandExecution/requestApproval', 'item/fileChange/requestApproval'],
  ...['execCommandApproval', 'applyPatchApproval'],
]);

/** What an answer must have; null if it has it. */
const FORMS: Readonly<Record<string, (result: unknown) => string | null>> = {
  'item/permissions/requestApproval': (result) =>
    isObject(objectOf(result).permissions) ? null : 'an object with the permissions that are granted, and their scope',
  'mcpServer/elicitation/request': (result) =>
    ['accept', 'decline', 'cancel'].includes(textOfValue(objectOf(result).action))
      ? null
      : 'an object with the action accept, decline or cancel',
  'item/tool/requestUserInput': (result) =>
    isObject(objectOf(result).answers) && Object.values(objectOf(objectOf(result).answers)).every(isAnswer)
      ? null
      : 'an object whose answers map the id of each question to {"answers": ["…"]}',
  'item/tool/call': (result) =>
    Array.isArray(objectOf(result).contentItems) && typeof objectOf(result).success === 'boolean'
      ? null
      : 'an object with contentItems and success',
};

const isAnswer = (value: unknown): boolean => Array.isArray(objectOf(value).answers);

function checkAnswer(read: ReadFrame): RuleHit<CodexAnswerRule>[] {
  const line = rpcLine(read);
  if (line?.from !== 'client' || line.is !== 'answer') return [];
  const { method, f, askedF } = line;
  const isChecked = DECISIONS.has(method) || Object.hasOwn(FORMS, method);
  if (!isChecked) return [];
  const broken = line.ok ? findWrongAnswer(line, read.message.body) : null;
  if (broken) return [{ f, frames: [askedF], ...broken }];
  if (line.ok) return [];
  return [{ rule: 'codex-refused', f, frames: [askedF], message: `${method} was answered with an error` }];
}

function findWrongAnswer(
  { method }: RpcLine,
  result: unknown,
): Pick<RuleHit<CodexAnswerRule>, 'rule' | 'message'> | null {
  if (!DECISIONS.has(method)) {
    const form = FORMS[method]!(result);
    return form === null
      ? null
      : { rule: 'codex-answer', message: `${method} requires ${form}, not ${quoted(result)}` };
  }
  const { decision } = objectOf(result);
  const version = versionOf(method);
  if (optionOf(decision, version)) return null;
  const words = optionsOf(null, version).map(({ id }) => id);
  return { rule: 'codex-decision', message: `the decision is ${quoted(decision)}, not one of ${words.join(', ')}` };
}

export const CODEX_ANSWER_RULES = defineRules(['codex'], RULES, () => ({ take: checkAnswer }));
