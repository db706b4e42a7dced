/** What the agent reports besides its items: states, warnings, plans, errors. Unknown names become `other`. */
import type { Event } from '../../model/event.ts';
import { todoOf } from '../common/content.ts';
import { objectOf, objectsOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

type ReadCodexNotice = (params: JsonObject, method: string) => Event;

const READERS: ReadonlyMap<string, ReadCodexNotice> = new Map<string, ReadCodexNotice>([
  ['error', readFailure],
  ['warning', readWarning],
  ['guardianWarning', readWarning],
  ['configWarning', readWarning],
  ['deprecationNotice', readWarning],
  ['windows/worldWritableWarning', readWarning],
  ['model/rerouted', ({ fromModel, toModel }, name) => ({ kind: 'notice', name, text: `${fromModel} to ${toModel}` })],
  ['thread/realtime/error', ({ message }) => withText({ kind: 'error', code: null }, stringOf(message))],
  ['thread/compacted', () => ({ kind: 'compaction', done: true, restates: true })],
  ['turn/plan/updated', readPlan],
  ['item/autoApprovalReview/started', (_, name) => ({ kind: 'status', name })],
  ['item/autoApprovalReview/completed', readReview],
  ['hook/started', ({ run }) => readHook(objectOf(run))],
  ['hook/completed', ({ run }) => readHookEnd(objectOf(run))],
  ['thread/status/changed', ({ status }, name) => withText({ kind: 'status', name }, stateOf(objectOf(status)))],
  ['mcpServer/startupStatus/updated', readStartup],
]);

/** Names that only report a changed state. */
const STATES = new RegExp(
  [
    '^(?:thread|account|app|fs|skills|mcpServer|model|modelProvider|remoteControl|fuzzyFileSearch|project|process|command)/',
    '^(?:windowsSandbox|externalAgentConfig|rawResponse|rawResponseItem|autoApprovalReview)/',
    '^turn/(?:diff/updated|moderationMetadata)$',
    '^item/reasoning/summaryPartAdded$',
    // Of the protocol before threads.
    '^(?:authStatusChange|loginChatGptComplete|sessionConfigured)$',
  ].join('|'),
);

export function readNotice(method: string, params: JsonObject): Event {
  const read = READERS.get(method);
  if (read) return read(params, method);
  return { kind: STATES.test(method) ? 'status' : 'other', name: method };
}

/** A request to the model failed. Unless the agent tries again, the turn fails with it. */
function readFailure({ error, willRetry }: JsonObject): Event {
  const { message, additionalDetails } = objectOf(error);
  const text = [stringOf(message), stringOf(additionalDetails)].filter((part) => part !== null).join(': ');
  if (willRetry === true) return { kind: 'notice', name: 'error', retry: true, text };
  return { kind: 'error', code: null, text };
}

function readWarning({ message, summary, details }: JsonObject, name: string): Event {
  const parts = [stringOf(message) ?? stringOf(summary), stringOf(details)].filter((part) => part !== null);
  return { kind: 'notice', name, text: parts.join(': ') };
}

function readPlan({ plan, explanation }: JsonObject): Event {
  const rows = objectsOf(plan).map(({ step, status }) => ({ title: step, status }));
  return withText({ kind: 'plan', blocks: [todoOf(rows)], replace: true }, stringOf(explanation));
}

/** A model decides instead of the client. */
function readReview({ review, targetItemId }: JsonObject, name: string): Event {
  const { status, riskLevel, rationale } = objectOf(review);
  const words = [stringOf(status), stringOf(riskLevel), stringOf(targetItemId)].filter((word) => word !== null);
  const reason = stringOf(rationale);
  return { kind: 'notice', name, text: `${words.join(', ')}${reason === null ? '' : `: ${reason}`}` };
}

function readHook({ id, eventName }: JsonObject): Event {
  return { kind: 'hook', request: stringOf(id), event: stringOf(eventName) ?? '', target: null };
}

function readHookEnd({ id, eventName, status, statusMessage, entries }: JsonObject): Event {
  const texts = objectsOf(entries).map(({ text }) => stringOf(text));
  const reason = [stringOf(statusMessage), ...texts].filter((text) => text !== null).join('\n') || null;
  const event: Event = {
    ...{ kind: 'hook-resolved', request: stringOf(id), event: stringOf(eventName) ?? '', target: null, reason },
    decision: status === 'blocked' || status === 'stopped' ? 'deny' : 'allow',
  };
  if (status === 'failed') event.failed = true;
  return event;
}

/** What it waits for says more than that it is active. */
function stateOf({ type, activeFlags }: JsonObject): string | null {
  const flags = Array.isArray(activeFlags) ? activeFlags.filter((flag) => typeof flag === 'string') : [];
  return flags.length > 0 ? flags.join(', ') : stringOf(type);
}

function readStartup({ name: server, status, error }: JsonObject, name: string): Event {
  const text = [stringOf(server), stringOf(status), stringOf(error)].filter((part) => part !== null).join(': ');
  return error ? { kind: 'notice', name, text } : { kind: 'status', name, text };
}
