/** Recorded lines of the client as the live agent gets them: with its ids, and in the working directory of this run. */
import type { Frame } from '../../core/frame.ts';
import { textIn } from '../../core/message.ts';
import type { LiveIds } from './live-ids.ts';

/** The recorded working directory and the live one. */
export type Paths = readonly [recorded: string, live: string];

/** Null if they are the same, or if nothing can be said: everything is below the root. */
export function pathsOf(recorded: unknown, live: string): Paths | null {
  return typeof recorded === 'string' && recorded.length > 1 && recorded !== live ? [recorded, live] : null;
}

/** The bytes of a line without its end. Only what has to change is changed. */
export function outgoing(
  frame: Frame,
  value: unknown,
  isAnswer: boolean,
  ids: LiveIds,
  paths: Paths | null,
): Uint8Array {
  const text = textIn(frame);
  if (text === null) return frame.raw;
  const live = ids.toLive(text, value, isAnswer);
  const moved = paths === null || typeof value !== 'object' ? live : movePaths(live, paths);
  return moved === text ? frame.raw : Buffer.from(moved);
}

/** A path ends where a name cannot go on. */
const NAME = /[\w.-]/;

function movePaths(text: string, [recorded, live]: Paths): string {
  const from = JSON.stringify(recorded).slice(1, -1);
  const to = JSON.stringify(live).slice(1, -1);
  const parts = text.split(from);
  if (parts.length === 1) return text;
  return parts.reduce((moved, part, i) => {
    if (i === 0) return part;
    const isInside = NAME.test(part[0] ?? '') || NAME.test(moved.at(-1) ?? '');
    return moved + (isInside ? from : to) + part;
  }, '');
}
