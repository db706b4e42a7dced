/**
 * What a request of the agent is about, apart from its ids: its kind, its tool and its arguments. An answer on the tape is
 * given again only to a request that means the same.
 */

import type { Event, Option } from '../../model/event.ts';
import { isReplayed } from '../../model/ledger/ledger.ts';
import { parseJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { textOfValue } from '../../model/text/text.ts';

export interface RequestMeaning {
  kind: string;
  method: string;
  tool: string | null;
  /** Everything that a decision would be based on. */
  about: Record<string, unknown>;
  options: readonly Option[];
}

/** The agent asks the client something: not a second time, and not as part of a history that it sends again. */
export function asksClient({ frame, pairing, events, ledger }: ReadFrame): boolean {
  if (frame.from !== 'agent' || pairing?.role !== 'asks') return false;
  const isResent = ledger.notes.some(({ ask, isNew }) => ask !== null && !isNew);
  return !isResent && !(events[0] && isReplayed(events[0]));
}

/** `read`: a frame that asks. */
export function meaningOf({ message, events, ledger }: ReadFrame): RequestMeaning {
  const at = events.findIndex(isAsk);
  const event = events[Math.max(0, at)];
  const kind = event?.kind ?? 'other';
  const method = [message.method, message.type].filter((word) => word !== null).join(' ');
  if (!event || at < 0) return { kind, method, tool: null, about: { body: message.body }, options: [] };
  const tool = 'tool' in event ? (event.tool ?? null) : null;
  const ask = ledger.notes[at]?.ask ?? null;
  const args = ask?.call?.args ?? null;
  const about = { ...detailsOf(event), called_with: args === null ? null : (parseJson(args) ?? args) };
  return { kind, method, tool, about, options: event.kind === 'approval' ? event.options : [] };
}

function isAsk({ kind }: Event): boolean {
  return kind === 'approval' || kind === 'question' || kind === 'hook' || kind === 'client-call';
}

function detailsOf(event: Event): Record<string, unknown> {
  switch (event.kind) {
    case 'approval': {
      const { action, description, displays } = event;
      return { action, description, displays, arguments: event.arguments };
    }
    case 'question':
      return { questions: event.questions };
    case 'hook':
      return { event: event.event, target: event.target };
    case 'client-call':
      return { what: event.what, arguments: event.arguments };
    default:
      return {};
  }
}

/** What to call it: `approval of Shell`. */
export function requestName({ kind, method, tool, about }: RequestMeaning): string {
  const what = tool ?? (typeof about.what === 'string' ? about.what : null);
  if (kind === 'approval') return what === null ? 'approval' : `approval of ${what}`;
  if (kind === 'client-call') return what ?? method;
  if (kind === 'hook') return `hook ${textOfValue(about.event)}`;
  return kind === 'question' ? kind : method;
}
