/** What a client may answer to an approval, in the words of the app-server (v2) and of older versions (v1). */
import type { Cover, Decision, Event, Option } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { errorText, listOf, objectOf, stringOf } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';

type DecisionWords = Readonly<Record<string, { decision: Decision; label: string }>>;

const V2: DecisionWords = {
  accept: { decision: 'allow', label: 'accept' },
  acceptForSession: { decision: 'allow-always', label: 'accept this for the session' },
  acceptWithExecpolicyAmendment: { decision: 'allow-always', label: 'always accept commands that begin with' },
  applyNetworkPolicyAmendment: { decision: 'allow-always', label: 'always allow the host' },
  decline: { decision: 'deny', label: 'decline' },
  cancel: { decision: 'cancelled', label: 'decline and interrupt the turn' },
};

const V1: DecisionWords = {
  approved: { decision: 'allow', label: 'approve' },
  approved_for_session: { decision: 'allow-always', label: 'approve this for the session' },
  approved_execpolicy_amendment: { decision: 'allow-always', label: 'always approve commands that begin with' },
  approved_mcp_policy_amendment: { decision: 'allow-always', label: 'always approve the tool' },
  network_policy_amendment: { decision: 'allow-always', label: 'always allow the host' },
  denied: { decision: 'deny', label: 'deny' },
  timed_out: { decision: 'cancelled', label: 'timed out' },
  abort: { decision: 'cancelled', label: 'deny and interrupt the turn' },
};

/** The decisions that need no further words. */
const PLAIN = {
  v2: ['accept', 'acceptForSession', 'decline', 'cancel'],
  v1: ['approved', 'approved_for_session', 'denied', 'abort'],
} as const;

export type DecisionVersion = keyof typeof PLAIN;

const wordsOf = (version: DecisionVersion): DecisionWords => (version === 'v1' ? V1 : V2);

/** The options of a request: those that it lists, and the plain words, which the agent takes whether it lists them or not. */
export function optionsOf(listed: unknown, version: DecisionVersion): Option[] {
  const given = listOf(listed).flatMap((choice) => optionOf(choice, version) ?? []);
  const others = PLAIN[version].filter((word) => given.every(({ id }) => id !== word));
  return [...given, ...others.map((word) => optionOf(word, version)!)];
}

/** What a decision means; null for an unknown word. It is a word, or an object with the word as its only key. */
export function optionOf(choice: unknown, version: DecisionVersion): Option | null {
  const word = stringOf(choice) ?? Object.keys(objectOf(choice))[0] ?? '';
  const words = wordsOf(version);
  if (!Object.hasOwn(words, word)) return null;
  const { decision, label } = words[word]!;
  const details = objectOf(objectOf(choice)[word]);
  const { execpolicy_amendment, proposed_execpolicy_amendment, network_policy_amendment } = details;
  const prefix = execpolicy_amendment ?? proposed_execpolicy_amendment;
  if (Array.isArray(prefix)) return { id: word, decision, label: `${label}: ${prefix.join(' ')}` };
  const { host, action } = objectOf(network_policy_amendment);
  if (typeof host !== 'string') return { id: word, decision, label };
  if (action === 'deny') return { id: word, decision: 'deny', label: `always deny the host: ${host}` };
  return { id: word, decision, label: `${label}: ${host}` };
}

type CodexApprovalAnswer = Event & { kind: 'approval-answer' };

const NONE: CodexApprovalAnswer = {
  kind: 'approval-answer',
  request: null,
  decision: null,
  option: null,
  feedback: null,
};

/** An error, or nothing that can be read as a result. */
export function readFailedAnswer({ value, message }: DialectLine): CodexApprovalAnswer | null {
  if (message.envelope !== 'error') return null;
  const flags = 'result' in value ? ['client-error', 'both'] : ['client-error'];
  return { ...NONE, text: errorText(message.body) ?? '', flags };
}

/** `{decision}`. The agent takes an answer that it cannot read for a denial. */
export function readDecisionAnswer(result: unknown, version: DecisionVersion): CodexApprovalAnswer {
  const { decision } = objectOf(result);
  if (typeof decision !== 'string' && !isObject(decision)) return { ...NONE, flags: ['bad-shape'] };
  const chosen = optionOf(decision, version);
  const answeredWord = stringOf(decision) ?? Object.keys(objectOf(decision))[0] ?? '';
  if (!chosen) return { ...NONE, option: answeredWord, text: answeredWord, flags: ['bad-word'] };
  const feedback = stringOf(objectOf(objectOf(decision).denied).rejection);
  const answer: CodexApprovalAnswer = { ...NONE, decision: chosen.decision, option: chosen.id, feedback };
  const covers = coverOf(decision, chosen.id);
  if (covers) answer.covers = covers;
  return { ...answer, text: chosen.label ?? chosen.id };
}

/** A session's grant is for the same again, an amendment for all commands that begin so. */
function coverOf(decision: unknown, word: string): Cover | null {
  if (word === 'acceptForSession' || word === 'approved_for_session') return { is: 'same' };
  const { execpolicy_amendment, proposed_execpolicy_amendment } = objectOf(objectOf(decision)[word]);
  const prefix = listOf(execpolicy_amendment ?? proposed_execpolicy_amendment).filter(
    (part) => typeof part === 'string',
  );
  return prefix.length > 0 ? { is: 'prefix', words: prefix } : null;
}

const ACTIONS: Readonly<Record<string, Decision>> = { accept: 'allow', decline: 'deny', cancel: 'cancelled' };

/** `{action}` to an elicitation that is an approval. It may be kept for the session or for good. */
export function readActionAnswer(result: unknown): CodexApprovalAnswer {
  const { action, _meta } = objectOf(result);
  if (typeof action !== 'string') return { ...NONE, flags: ['bad-shape'] };
  if (!Object.hasOwn(ACTIONS, action)) return { ...NONE, option: action, text: action, flags: ['bad-word'] };
  const { persist } = objectOf(_meta);
  const kept = action === 'accept' && typeof persist === 'string' ? persist : null;
  if (kept === null) return { ...NONE, decision: ACTIONS[action]!, option: action, text: action };
  return { ...NONE, decision: 'allow-always', option: kept, text: `${action}, ${kept}` };
}

/** `{permissions, scope}`: what is granted, for the turn or for the session. Nothing granted is a denial. */
export function readPermissionsAnswer(result: unknown): CodexApprovalAnswer {
  const { permissions, scope } = objectOf(result);
  if (!isObject(permissions)) return { ...NONE, flags: ['bad-shape'] };
  const isNothing = Object.values(permissions).every((granted) => granted === null || granted === undefined);
  if (isNothing) return { ...NONE, decision: 'deny', option: 'none', text: 'nothing granted' };
  const option = stringOf(scope) ?? 'turn';
  return { ...NONE, decision: option === 'session' ? 'allow-always' : 'allow', option, text: `for the ${option}` };
}

export const PERMISSION_OPTIONS: Option[] = [
  { id: 'turn', decision: 'allow', label: 'grant for the turn' },
  { id: 'session', decision: 'allow-always', label: 'grant for the session' },
  { id: 'none', decision: 'deny', label: 'grant nothing' },
];

/** `persist` lists for how long an approval may be kept. */
export function actionOptions(meta: JsonObject): Option[] {
  const kept = [meta.persist].flat().filter((word) => typeof word === 'string');
  return [
    { id: 'accept', decision: 'allow', label: 'accept' },
    ...kept.map((word): Option => ({ id: word, decision: 'allow-always', label: KEPT[word] ?? `accept: ${word}` })),
    { id: 'decline', decision: 'deny', label: 'decline' },
    { id: 'cancel', decision: 'cancelled', label: 'cancel' },
  ];
}

const KEPT: Readonly<Record<string, string>> = {
  session: 'accept the tool for the session',
  always: 'always accept the tool',
};
