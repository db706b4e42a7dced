/**
 * Most frames of a long session are pieces of a text that the main agent streams, and each goes on with the piece before it.
 * Such a frame changes nothing but the text, so whoever has seen the one before need not look at the rest of it.
 */
import type { Event } from '../core/event.ts';
import type { Decoded } from './read.ts';

/** Whether it is such a piece, and nothing else. */
export function isPlainPiece({ message, pairing, events }: Decoded): boolean {
  const [event] = events;
  if (events.length !== 1 || event!.delta !== true || pairing !== null) return false;
  return message.envelope === 'notification' && message.id === null && isPlain(event!);
}

/** It begins, ends, repeats and replaces nothing, and is the main agent's. */
function isPlain(event: Event): boolean {
  const { subagent, parent, takes, joins, step, within, mode, replace, restates, flags } = event;
  const { block, blocks } = event as { block?: unknown; blocks?: unknown };
  const more = takes ?? joins ?? step ?? within ?? mode ?? replace ?? restates ?? flags ?? block ?? blocks;
  return more === undefined && subagent === undefined && parent === undefined;
}
