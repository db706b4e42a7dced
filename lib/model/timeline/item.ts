/** Makes items, adds to them, and drops text that is not needed. */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Ask, Call } from '../ledger/records.ts';
import type { FrameSpan, Item } from './entries.ts';

/** Longer texts are cut off here; the tape has all of them. */
const MAX_TEXT_CHARS = 1 << 20;

/** The entry that contains an entry. A symbol, so that `JSON.stringify` does not follow it. */
export const CONTAINER = Symbol('inside');

export function makeItem(frame: Frame, event: Event): Item {
  // One literal for speed: most frames make one.
  const item: Item = {
    is: 'item',
    kind: event.kind,
    turn: null,
    step: null,
    f: frame.f,
    f_end: frame.f,
    t: frame.t,
    t_end: frame.t,
    subagent: event.subagent ?? null,
    parent: event.parent ?? null,
    text: '',
    longer: 0,
    parts: 1,
    flags: event.flags ?? [],
    blocks: [],
    answer: null,
    call: null,
    ask: null,
    entries: [],
    name: nameOf(frame, event),
    code: event.kind === 'error' ? event.code : null,
    [CONTAINER]: null,
  };
  // Repeated text is already there.
  if (event.text && !event.restates) appendText(item, event.text);
  return item;
}

/** What distinguishes it from others of its kind: the mode, the cancelled request, the source of noise. */
function nameOf({ from }: Frame, event: Event): string | null {
  if (event.kind === 'noise') return from;
  if (event.kind === 'mode') return event.mode;
  if (event.kind === 'step-retry') return event.reason;
  if (event.kind === 'cancel') return event.of;
  return 'name' in event ? event.name : null;
}

export function appendText(item: Item, text: string): void {
  const room = Math.max(0, MAX_TEXT_CHARS - item.text.length);
  if (text.length <= room) item.text += text;
  else {
    item.text += text.slice(0, room);
    item.longer += text.length - room;
  }
}

export function replaceText(item: Item, text: string): void {
  item.text = '';
  item.longer = 0;
  appendText(item, text);
}

export function addFlag(item: Item, flag: string): void {
  if (!item.flags.includes(flag)) item.flags = [...item.flags, flag];
}

export function extendSpan(span: FrameSpan, f: number, t: number): void {
  if (f > span.f_end) span.f_end = f;
  if (t > span.t_end) span.t_end = t;
}

/** Drops the text, which sums and later frames do not need. */
export function dropText(item: Item): void {
  item.text = '';
  if (item.blocks.length > 0) item.blocks = [];
  if (item.answer) item.answer.text = '';
}

/** The item shows this call or request. */
export function setItem(record: Call | Ask, item: Item): void {
  record.item = item;
}

export function itemOf(record: Call | Ask): Item | null {
  return record.item as Item | null;
}
