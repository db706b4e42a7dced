/** Making items, adding to them, and letting go of what nobody will look at. */
import type { Event } from '../event.ts';
import type { Frame } from '../frame.ts';
import type { Ask, Call, Item, Span } from './shape.ts';

/** More of one text than this nobody reads here; the tape has all of it. */
const LONGEST_TEXT = 1 << 20;

/** Where in the session something is. */
export type Place = Pick<Frame, 'f' | 't'>;

/** What an entry is part of. A symbol, so that nobody who writes the timeline as JSON runs in circles. */
export const INSIDE = Symbol('inside');

export function makeItem(frame: Frame, event: Event): Item {
  // One literal: there is one of these for most frames.
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
    [INSIDE]: null,
  };
  // What was said before is there already.
  if (event.text && !event.restates) appendText(item, event.text);
  return item;
}

/** What a person needs to tell it from others of its kind: which mode, which request was withdrawn, whose noise. */
function nameOf({ from }: Frame, event: Event): string | null {
  if (event.kind === 'noise') return from;
  if (event.kind === 'mode') return event.mode;
  if (event.kind === 'step-retry') return event.reason;
  if (event.kind === 'cancel') return event.of;
  return 'name' in event ? event.name : null;
}

export function appendText(item: Item, text: string): void {
  const room = Math.max(0, LONGEST_TEXT - item.text.length);
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

export function flagged(item: Item, flag: string): void {
  if (!item.flags.includes(flag)) item.flags = [...item.flags, flag];
}

export function reach(span: Span, f: number, t: number): void {
  if (f > span.f_end) span.f_end = f;
  if (t > span.t_end) span.t_end = t;
}

/** Leaves what sums and later frames need, and nothing that was said. */
export function shed(item: Item): void {
  item.text = '';
  if (item.blocks.length > 0) item.blocks = [];
  if (item.answer) item.answer.text = '';
  if (item.call) {
    item.call.args = '';
    if (item.call.result) shedResult(item.call.result);
  }
  if (item.ask) shedAsk(item.ask);
}

function shedResult(result: NonNullable<Call['result']>): void {
  result.blocks = [];
  result.displays = [];
}

function shedAsk(ask: Ask): void {
  ask.arguments = null;
  ask.description = null;
  ask.displays = [];
  ask.questions = [];
  ask.options = [];
  ask.answers = null;
  ask.edited = undefined;
  ask.feedback = null;
}
