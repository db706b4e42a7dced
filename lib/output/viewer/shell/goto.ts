/** What is typed after `:`: a frame (`123`, `f123`), a turn (`t3`), or a time since the start (`1m20s`, `1:20.5`). */
import { parseDuration } from '../../../model/text/quantity.ts';

export type JumpTarget = { is: 'frame'; f: number } | { is: 'turn'; turn: number } | { is: 'time'; seconds: number };

/** Null: it is none of these. */
export function readTarget(typed: string): JumpTarget | null {
  const text = typed.trim().replace(/^:/, '').trim().toLowerCase();
  const [, f] = /^f?(\d{1,15})$/.exec(text) ?? [];
  if (f !== undefined) return { is: 'frame', f: Number(f) };
  const [, turn] = /^t(?:urn)? ?(\d{1,9})$/.exec(text) ?? [];
  if (turn !== undefined) return { is: 'turn', turn: Number(turn) };
  const seconds = clock(text.replace(/^\+/, '')) ?? spans(text.replace(/^\+/, ''));
  return seconds === null ? null : { is: 'time', seconds };
}

/** `1:20.5`, `1:02:03`. */
function clock(text: string): number | null {
  if (!/^\d+(?::\d{1,2}){1,2}(?:\.\d+)?$/.test(text)) return null;
  return text.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);
}

/** `1m20s`, `500ms`. */
function spans(text: string): number | null {
  const parts = text.match(/\d+(?:\.\d+)?\s*[a-z]+/g);
  if (parts === null || parts.join('') !== text.replace(/(?<=[a-z])\s+(?=\d)/g, '')) return null;
  let sum = 0;
  for (const part of parts) {
    const seconds = parseDuration(part);
    if (seconds === null) return null;
    sum += seconds;
  }
  return sum;
}
