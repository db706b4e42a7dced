/**
 * What the agent asked, and the outcome. A journal does not contain the client's answer, only what the agent made of
 * it. An approval has two such records, and the second repeats the first. Old journals have only the second, which then
 * also serves as the request.
 */
import type { Decision, Event } from '../../model/event.ts';
import { Recent } from '../../model/recent.ts';
import { blocksOf } from '../common/content.ts';
import { listOf, objectOf, say, stringOf } from '../common/fields.ts';
import { questionOf } from '../common/question.ts';
import type { Json } from '../dialect.ts';
import { displaysOf } from './loop.ts';
import type { Read } from './records.ts';

interface Asked {
  kind: unknown;
  call: string | null;
}

export class Interactions {
  /** Open requests by id. */
  readonly #asked = new Recent<string, Asked>();
  /** Resolved approvals by call, until the outcome is repeated. */
  readonly #resolved = new Recent<string, string>();
  #any = false;
  readonly #reads = new Map<unknown, Read>([
    ['interaction.request', (record) => [this.#request(record)]],
    ['interaction.resolved', (record) => [this.#outcome(record)]],
    ['permission.record_approval_result', (record) => this.#result(record)],
  ]);

  reads(type: unknown): Read | undefined {
    return this.#reads.get(type);
  }

  #request({ id, kind, toolCallId, request }: Json): Event {
    const asked = objectOf(request);
    const named = stringOf(id);
    const call = stringOf(toolCallId) ?? stringOf(asked.toolCallId);
    this.#any = true;
    if (named !== null) this.#asked.set(named, { kind, call });
    if (kind === 'approval') return approval(named, call, asked);
    if (kind === 'question')
      return { kind: 'question', request: named, call, questions: listOf(asked.questions).map(questionOf) };
    if (kind !== 'user_tool') return { kind: 'other', name: `interaction.request ${stringOf(kind) ?? ''}`.trimEnd() };
    const what = stringOf(asked.toolName) ?? stringOf(asked.name) ?? '';
    return { kind: 'client-call', request: named, call, tool: what || null, what, arguments: asked.args };
  }

  #outcome({ id, response }: Json): Event {
    const request = stringOf(id);
    const asked = request === null ? undefined : this.#asked.get(request);
    if (request !== null) this.#asked.delete(request);
    switch (asked?.kind) {
      case 'approval':
        if (asked.call !== null) this.#resolved.set(asked.call, request!);
        return resolved(request, response);
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
          : resolved(request, response);
    }
  }

  #result({ toolCallId, toolName, action, result }: Json): Event[] {
    const call = stringOf(toolCallId);
    const request = call === null ? undefined : this.#resolved.get(call);
    if (request !== undefined) {
      this.#resolved.delete(call!);
      return [{ ...resolved(request, result), restates: true }];
    }
    if (this.#any || call === null) return [resolved(null, result)];
    return [approval(call, call, { toolName, action }), resolved(call, result)];
  }
}

function approval(request: string | null, call: string | null, asked: Json): Event {
  const { toolName, action, display, toolInput } = asked;
  const displays = displaysOf(display);
  const said = stringOf(action);
  const event: Event = {
    kind: 'approval',
    request,
    call,
    tool: stringOf(toolName),
    action: said,
    description: stringOf(objectOf(display).description),
    arguments: toolInput,
    options: [],
    displays,
  };
  return say(event, said);
}

function resolved(request: string | null, outcome: unknown): Event {
  const said = objectOf(outcome);
  return { kind: 'approval-resolved', request, decision: decisionOf(said), feedback: stringOf(said.feedback) || null };
}

function decisionOf({ decision, scope }: Json): Decision | null {
  if (decision === 'approved') return scope === 'session' ? 'allow-always' : 'allow';
  return decision === 'rejected' ? 'deny' : decision === 'cancelled' ? 'cancelled' : null;
}
