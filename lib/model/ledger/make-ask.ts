/** Makes the record of a request to the client from its event. */
import type { Id } from '../id.ts';
import type { Ask, AskEvent, Call, FramePosition } from './records.ts';

export function makeAsk(event: AskEvent, n: number, { f, t }: FramePosition, id: Id, call: Call | null): Ask {
  const ask: Ask = {
    f,
    t,
    kind: event.kind,
    n,
    id,
    request: event.request,
    call,
    call_id: event.call ?? null,
    bound: call?.announced ?? false,
    turn: null,
    subagent: event.subagent ?? null,
    outside: false,
    dead: false,
    background: false,
    hasClientSide: true,
    tool: 'tool' in event ? (event.tool ?? null) : null,
    target: null,
    action: null,
    subject: null,
    description: null,
    arguments: null,
    options: [],
    displays: [],
    questions: [],
    text: event.text ?? null,
    resent: [],
    flags: new Set(),
    first: null,
    decided: null,
    resolved: null,
    settled: null,
    cancel: null,
    gone: null,
    decision: null,
    edited: undefined,
    feedback: null,
    answers: null,
    wait: null,
    item: null,
  };
  fillInKind(ask, event);
  return ask;
}

/** Fills in what depends on the kind. */
function fillInKind(ask: Ask, event: AskEvent): void {
  switch (event.kind) {
    case 'approval':
      ask.action = event.action;
      ask.subject = event.subject ?? null;
      ask.description = event.description;
      ask.arguments = event.arguments;
      ask.options = event.options;
      ask.displays = event.displays;
      return;
    case 'question':
      ask.questions = event.questions;
      return;
    case 'client-call':
      ask.action = event.what;
      ask.arguments = event.arguments;
      return;
    case 'hook':
      ask.action = event.event;
      ask.target = event.target;
      if (/tool/i.test(event.event)) ask.tool = event.target;
      else ask.description = event.target;
  }
}
