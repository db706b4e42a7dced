import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Item, Span } from './shape.ts';

/** More of one text than this nobody reads here; the tape has all of it. */
const LONGEST_TEXT = 1 << 20;

export function makeItem(frame: Frame, event: Event): Item {
  // Every key by itself: there is one of these for every other frame, and spreads would cost more than all else.
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
    name: (event as { name?: string | null }).name ?? null,
  };
  if (event.text) appendText(item, event.text);
  return item;
}

export function appendText(item: Item, text: string): void {
  const room = Math.max(0, LONGEST_TEXT - item.text.length);
  if (text.length <= room) {
    item.text += text;
    return;
  }
  item.text += text.slice(0, room);
  item.longer += text.length - room;
}

export function reach(span: Span, { f, t }: Pick<Frame, 'f' | 't'>): void {
  if (f > span.f_end) span.f_end = f;
  if (t > span.t_end) span.t_end = t;
}
