/** `session/request_permission` and its answer, whose meaning is the kind of the chosen option, never its id. */
import type { Event, Option } from '../../model/event.ts';
import { AMBIGUOUS } from '../../model/ledger/records.ts';
import { textOfBlocks } from '../common/content.ts';
import { errorText, objectOf, stringOf } from '../common/fields.ts';
import type { DialectLine, JsonObject } from '../dialect.ts';
import { type AcpCalls, about, contentOf } from './calls.ts';
import { detailsOf, linesOf } from './permission-subject.ts';

/** The request, and its call if that was not announced before. */
export function readApproval(params: JsonObject, options: Option[], calls: AcpCalls): Event[] {
  const details = detailsOf(params);
  const { call, others, events, input } = calls.readRequest(details);
  const { blocks, displays } = contentOf(details.content);
  const description =
    linesOf(params.title, params.description) ?? (blocks.length > 0 ? textOfBlocks(blocks) : stringOf(details.title));
  const approval: Event = {
    kind: 'approval',
    call: call.id === '' ? stringOf(details.toolCallId) : call.id,
    tool: call.tool,
    ...about(call),
    request: null,
    action: call.kind,
    description,
    arguments: input,
    options,
    displays,
    ...calls.speakers.of(details),
    ...(description === null ? {} : { text: description }),
    ...(others.length > 0 ? { others } : {}),
    ...(call.doubtful ? { flags: [AMBIGUOUS] } : {}),
  };
  return [approval, ...events];
}

/** Valid: `selected` with an option that was offered, or `cancelled`. */
export function readApprovalAnswer({ value, message }: DialectLine, options: Option[]): Event {
  const none = { kind: 'approval-answer', request: null, decision: null, option: null, feedback: null } as const;
  if (message.envelope === 'error') {
    const flags = 'result' in value ? ['client-error', 'both'] : ['client-error'];
    return { ...none, text: errorText(message.body) ?? '', flags };
  }
  const { outcome, optionId } = objectOf(objectOf(message.body).outcome);
  if (outcome === 'cancelled') return { ...none, decision: 'cancelled', text: outcome };
  const option = stringOf(optionId);
  if (outcome !== 'selected' || option === null) return { ...none, option, flags: ['bad-shape'] };
  const chosen = options.find(({ id }) => id === option);
  if (!chosen) return { ...none, option, text: option, flags: ['bad-word'] };
  const covers = chosen.covers ? { covers: chosen.covers } : {};
  return { ...none, decision: chosen.decision, option, text: chosen.label ?? option, ...covers };
}
