/**
 * What the agent asked, and the outcome. A journal does not contain the client's answer, only what the agent made of
 * it. An approval has two such records, and the second repeats the first. Old journals have only the second, which then
 * also serves as the request.
 */
import type { Decision, Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { blocksOf } from '../common/content.ts';
import { listOf, objectOf, stringOf, withText } from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { JsonObject } from '../dialect.ts';
import { displaysOf } from './loop.ts';
import type { ReadRecord } from './records.ts';

interface JournalRequest {
  kind: unknown;
  call: string | null;
}

export class Interactions {
  /** Open requests by id. */
  readonly #requests = new LimitedMap<string, JournalRequest>();
  /** Resolved approvals by call, until the outcome is repeated. */
  readonly #resolved = new LimitedMap<string, string>();
  #hasRequests = false;
  readonly #reads = new Map<unknown, ReadRecord>([
    ['interaction.request', (record) => [this.#readRequest(record)]],
    ['interaction.resolved', (record) => [this.#readOutcome(record)]],
    ['permission.record_approval_result', (record) => this.#readResult(record)],
  ]);

  reads(type: unknown): ReadRecord | undefined {
    return this.#reads.get(type);
  }

  #readRequest({ id, kind, toolCallId, request }: JsonObject): Event {
    const details = objectOf(request);
    const named = stringOf(id);
    const call = stringOf(toolCallId) ?? stringOf(details.toolCallId);
    this.#hasRequests = true;
    if (named !== null) this.#requests.set(named, { kind, call });
    if (kind === 'approval') return makeApproval(named, call, details);
    if (kind === 'question')
      return { kind: 'question', request: named, call, questions: listOf(details.questions).map(questionOf) };
    if (kind !== 'user_tool') return { kind: 'other', name: `interaction.request ${stringOf(kind) ?? ''}`.trimEnd() };
    const what = stringOf(details.toolName) ?? stringOf(details.name) ?? '';
    return { kind: 'client-call', request: named, call, tool: what || null, what, arguments: details.args };
  }

  #readOutcome({ id, response }: JsonObject): Event {
    const request = stringOf(id);
    const open = request === null ? undefined : this.#requests.get(request);
    if (request !== null) this.#requests.delete(request);
    switch (open?.kind) {
      case 'approval':
        if (open.call !== null) this.#resolved.set(open.call, request!);
        return makeResolved(request, response);
      case 'question':
        return { kind: 'question-answer', request, answers: response, ok: response !== null };
      case 'user_tool': {
        const { output, isError } = objectOf(response);
        return { kind: 'client-call-answer', request, ok: isError !== true, blocks: blocksOf(output) };
      }
      default:
        // The request is not in this journal.
        return decisionOf(objectOf(response)) === null
          ? { kind: 'other', name: 'interaction.resolved' }
          : makeResolved(request, response);
    }
  }

  #readResult({ toolCallId, toolName, action, result }: JsonObject): Event[] {
    const call = stringOf(toolCallId);
    const request = call === null ? undefined : this.#resolved.get(call);
    if (request !== undefined) {
      this.#resolved.delete(call!);
      return [{ ...makeResolved(request, result), restates: true }];
    }
    if (this.#hasRequests || call === null) return [makeResolved(null, result)];
    return [makeApproval(call, call, { toolName, action }), makeResolved(call, result)];
  }
}

function makeApproval(request: string | null, call: string | null, details: JsonObject): Event {
  const { toolName, action, display, toolInput } = details;
  const displays = displaysOf(display);
  const actionText = stringOf(action);
  const event: Event = {
    kind: 'approval',
    request,
    call,
    tool: stringOf(toolName),
    action: actionText,
    description: stringOf(objectOf(display).description),
    arguments: toolInput,
    options: [],
    displays,
  };
  return withText(event, actionText);
}

function makeResolved(request: string | null, outcome: unknown): Event {
  const details = objectOf(outcome);
  return {
    kind: 'approval-resolved',
    request,
    decision: decisionOf(details),
    feedback: stringOf(details.feedback) || null,
  };
}

function decisionOf({ decision, scope }: JsonObject): Decision | null {
  if (decision === 'approved') return scope === 'session' ? 'allow-always' : 'allow';
  return decision === 'rejected' ? 'deny' : decision === 'cancelled' ? 'cancelled' : null;
}
