/** What is asked, of every kind, as the beginning of a row. */
import type { Event, Option } from '../core/event.ts';
import type { ReadFrame } from '../dialects/read.ts';
import type { Call } from './case.ts';
import { type ApprovalRow, makeRow } from './row.ts';

export type Asking = Event & { kind: 'approval' | 'question' | 'client-call' | 'hook' };

export function readRequest({ frame, message }: ReadFrame, event: Asking, n: number, call: Call | null): ApprovalRow {
  const row = makeRow(event.kind, frame.f, n, frame.t);
  row.subagent = event.subagent ?? null;
  row.request_id = message.id ?? event.request;
  row.tool_call_id = event.call ?? call?.id ?? null;
  Object.assign(row, about(event));
  row.tool ??= call?.tool ?? null;
  return row;
}

function about(event: Asking): Partial<ApprovalRow> {
  switch (event.kind) {
    case 'approval': {
      const { tool = null, action, description, options, displays } = event;
      return { tool, action, description, options, displays, arguments: event.arguments ?? null };
    }
    case 'question': {
      const { questions, text } = event;
      const options = questions.length === 1 ? questions[0]!.options : [];
      return { description: text ?? null, options: options.map(choice), arguments: { questions } };
    }
    case 'client-call':
      return {
        tool: event.tool ?? null,
        action: event.what,
        description: event.text ?? null,
        arguments: event.arguments ?? null,
      };
    case 'hook': {
      const { event: name, target } = event;
      const isTool = /tool/i.test(name);
      return isTool ? { action: name, tool: target } : { action: name, description: target };
    }
  }
}

function choice({ label }: { label: string }): Option {
  return { id: label, decision: null, label };
}
