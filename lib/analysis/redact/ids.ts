/** The ids of a session: random-looking values that stand where its protocol has ids. They stay, so that messages can be matched. */
import type { Event } from '../../model/event.ts';
import type { RedactionDetector } from './detector.ts';
import type { Edit } from './edits.ts';
import type { HarmlessIds } from './harmless-ids.ts';

/** Under these keys stand ids. */
const ID_KEY = /^(?:[A-Za-z_]*(?:[iI]ds?|I[dD]s?)|uuid|session|snapshot|checkpoint|cursor|[a-z]*(?:[hH]ash|[sS]ha))$/;
/** But these belong to keys, or to people. */
const PRIVATE_ID_KEY =
  /(?:key|access|client|secret|token|app|account|user|tenant|customer|org|organization|email)_?ids?$/i;
/** A longer one is none. */
const MAX_ID_CHARS = 200;
/** The key before a string, or before the list that begins with it. */
const KEY_BEFORE = /"([A-Za-z_]{1,60})"\s{0,3}:\s{0,3}(?:\[\s{0,3})?$/;

/** What is found in a line, without what turns out to be an id; that is known from now on. */
export function withoutIds(
  edits: readonly Edit[],
  text: string,
  events: readonly Event[],
  known: HarmlessIds,
): readonly Edit[] {
  if (!edits.some(isRandom)) return edits;
  const ids = events.flatMap(idsIn);
  return edits.filter((edit) => {
    if (!isRandom(edit)) return true;
    const id = idAt(text, edit) ?? ids.find((one) => one.includes(edit.value));
    if (id === undefined) return true;
    known.add(id);
    return false;
  });
}

function isRandom({ kind, inside }: Edit): boolean {
  return kind === 'random' && inside === null;
}

/** The string that contains it, if its position shows that it is an id. */
function idAt(text: string, { start, end }: Edit): string | null {
  const first = Math.max(0, start - MAX_ID_CHARS);
  const open = first + text.slice(first, start).lastIndexOf('"');
  const close = end + text.slice(end, end + MAX_ID_CHARS).indexOf('"');
  if (open < first || close < end) return null;
  const id = text.slice(open + 1, close);
  if (/[\\\s]/.test(id)) return null;
  const key = KEY_BEFORE.exec(text.slice(Math.max(0, open - 72), open))?.[1];
  return key !== undefined && ID_KEY.test(key) && !PRIVATE_ID_KEY.test(key) ? id : null;
}

/** What its dialect takes for ids. */
function idsIn(event: Event): string[] {
  const { call, request, of, about } = event as { call?: unknown; request?: unknown; of?: unknown; about?: unknown };
  const session = (about as { session?: unknown } | undefined)?.session;
  const all = [event.subagent, event.parent, call, request, of, session];
  return all.filter((id): id is string => typeof id === 'string' && id.length <= MAX_ID_CHARS);
}

/** Whether it was found before it was known to be an id. */
export function isKnownId(edit: Edit, detector: RedactionDetector): boolean {
  return isRandom(edit) && !detector.find(edit.value).some(({ kind }) => kind === 'random');
}
