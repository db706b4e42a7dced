import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Item, Span } from './shape.ts';

/** More of one text than this nobody reads here; the tape has all of it. */
const LONGEST_TEXT = 1 << 20;

export function makeItem(frame: Frame, event: Event): Item {
  const item: Item = {
    ...{ is: 'item', kind: event.kind, turn: null, step: null, f: frame.f, f_end: frame.f, t: frame.t, t_end: frame.t },
    ...{ subagent: event.subagent ?? null, parent: event.parent ?? null, text: '', longer: 0, parts: 1 },
    ...{ flags: event.flags ?? [], blocks: [], answer: null, call: null, ask: null, entries: [] },
    name: 'name' in event ? event.name : null,
  };
  if (event.text) appendText(item, event.text);
  return item;
}

export function appendText(item: Item, text: string): void {
  const room = Math.max(0, LONGEST_TEXT - item.text.length);
  item.text += text.length <= room ? text : text.slice(0, room);
  item.longer += Math.max(0, text.length - room);
}

export function reach(span: Span, { f, t }: Pick<Frame, 'f' | 't'>): void {
  span.f_end = Math.max(span.f_end, f);
  span.t_end = Math.max(span.t_end, t);
}
