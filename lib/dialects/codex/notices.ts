/** What the agent reports besides its items: states, warnings, plans, errors. Unknown names become `other`. */
import type { Event } from '../../model/event.ts';
import { todoOf } from '../common/content.ts';
import { objectOf, objectsOf, say, stringOf } from '../common/fields.ts';
import type { Json } from '../dialect.ts';

type Read = (params: Json, method: string) => Event;

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['error', failure],
  ['warning', notice],
  ['guardianWarning', notice],
  ['configWarning', notice],
  ['deprecationNotice', notice],
  ['windows/worldWritableWarning', notice],
  ['model/rerouted', ({ fromModel, toModel }, name) => ({ kind: 'notice', name, text: `${fromModel} to ${toModel}` })],
  ['thread/realtime/error', ({ message }) => say({ kind: 'error', code: null }, stringOf(message))],
  ['thread/compacted', () => ({ kind: 'compaction', done: true, restates: true })],
  ['turn/plan/updated', plan],
  ['item/autoApprovalReview/started', (_, name) => ({ kind: 'status', name })],
  ['item/autoApprovalReview/completed', reviewed],
  ['hook/started', ({ run }) => hook(objectOf(run))],
  ['hook/completed', ({ run }) => hooked(objectOf(run))],
  ['thread/status/changed', ({ status }, name) => say({ kind: 'status', name }, stateOf(objectOf(status)))],
  ['mcpServer/startupStatus/updated', startup],
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

export function readNotice(method: string, params: Json): Event {
  const read = READERS.get(method);
  if (read) return read(params, method);
  return { kind: STATES.test(method) ? 'status' : 'other', name: method };
}

/** A request to the model failed. Unless the agent tries again, the turn fails with it. */
function failure({ error, willRetry }: Json): Event {
  const { message, additionalDetails } = objectOf(error);
  const text = [stringOf(message), stringOf(additionalDetails)].filter((part) => part !== null).join(': ');
  if (willRetry === true) return { kind: 'notice', name: 'error', retry: true, text };
  return { kind: 'error', code: null, text };
}

function notice({ message, summary, details }: Json, name: string): Event {
  const parts = [stringOf(message) ?? stringOf(summary), stringOf(details)].filter((part) => part !== null);
  return { kind: 'notice', name, text: parts.join(': ') };
}

function plan({ plan, explanation }: Json): Event {
  const rows = objectsOf(plan).map(({ step, status }) => ({ title: step, status }));
  return say({ kind: 'plan', blocks: [todoOf(rows)], replace: true }, stringOf(explanation));
}

/** A model decides instead of the client. */
function reviewed({ review, targetItemId }: Json, name: string): Event {
  const { status, riskLevel, rationale } = objectOf(review);
  const words = [stringOf(status), stringOf(riskLevel), stringOf(targetItemId)].filter((word) => word !== null);
  const reason = stringOf(rationale);
  return { kind: 'notice', name, text: `${words.join(', ')}${reason === null ? '' : `: ${reason}`}` };
}

function hook({ id, eventName }: Json): Event {
  return { kind: 'hook', request: stringOf(id), event: stringOf(eventName) ?? '', target: null };
}

function hooked({ id, eventName, status, statusMessage, entries }: Json): Event {
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
function stateOf({ type, activeFlags }: Json): string | null {
  const flags = Array.isArray(activeFlags) ? activeFlags.filter((flag) => typeof flag === 'string') : [];
  return flags.length > 0 ? flags.join(', ') : stringOf(type);
}

function startup({ name: server, status, error }: Json, name: string): Event {
  const text = [stringOf(server), stringOf(status), stringOf(error)].filter((part) => part !== null).join(': ');
  return error ? { kind: 'notice', name, text } : { kind: 'status', name, text };
}
