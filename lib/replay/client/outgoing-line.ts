/** Recorded lines of the client as the live agent gets them: with its ids, and in the working directory of this run. */
import { headerOf } from '../../model/content-length.ts';
import type { Frame } from '../../model/frame.ts';
import { isObject, textIn } from '../../model/message.ts';
import type { StreamMessage } from '../message-reader.ts';
import { isRedactedPath } from '../pseudonyms.ts';
import type { LineRole } from '../script-step.ts';
import type { LiveIds } from './live-ids.ts';

/** A recorded line of the client. */
export interface OutgoingLine {
  frame: Frame;
  value: unknown;
  role: LineRole;
}

/** The recorded working directory and the live one. */
export type WorkingDirectories = readonly [recorded: string, live: string];

/** Null if they are the same, or if the recorded one is the root, which every path begins with. */
export function workingDirectories(recorded: unknown, live: string): WorkingDirectories | null {
  return typeof recorded === 'string' && recorded.length > 1 && recorded !== live ? [recorded, live] : null;
}

/** Only what has to change is changed. */
export function toLiveMessage(
  { frame, value, role }: OutgoingLine,
  ids: LiveIds,
  paths: WorkingDirectories | null,
): StreamMessage {
  const { head, eol } = frame;
  const text = textIn(frame);
  const live = text === null ? null : ids.toLive(text, value, role);
  const moved = live === null || paths === null || !isObject(value) ? live : inLiveFolder(live, value, paths);
  if (moved === null || moved === text) return { raw: Buffer.from(frame.raw), eol, ...(head ? { head } : {}) };
  return { raw: Buffer.from(moved), eol, ...(head ? { head: headerOf(moved) } : {}) };
}

/** A folder of the session that a redaction has taken away becomes that of this run, too. */
function inLiveFolder(text: string, { params }: Record<string, unknown>, paths: WorkingDirectories): string {
  const moved = movePaths(text, paths);
  const cwd = isObject(params) ? params.cwd : null;
  return isRedactedPath(cwd) ? movePaths(moved, [cwd, paths[1]]) : moved;
}

/** A character that continues a name: a path does not end before it. */
const NAME_CHARACTER = /[\w.-]/;

function movePaths(text: string, [recorded, live]: WorkingDirectories): string {
  const from = JSON.stringify(recorded).slice(1, -1);
  const to = JSON.stringify(live).slice(1, -1);
  const parts = text.split(from);
  if (parts.length === 1) return text;
  return parts.reduce((moved, part, i) => {
    if (i === 0) return part;
    const isInside = NAME_CHARACTER.test(part[0] ?? '') || NAME_CHARACTER.test(moved.at(-1) ?? '');
    return moved + (isInside ? from : to) + part;
  }, '');
}
