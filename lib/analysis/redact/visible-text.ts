/**
 * A text as a person sees it in a terminal: without control sequences and characters that have no width, and with what was
 * broken to fit a screen, a box, a listing or a literal joined again. Every character of such a view stands in the text as it is.
 */
import { TextView } from './views.ts';

/** How ESC is written in what a program prints of a string. */
const ESC = '(?:\\x1b|\\\\{1,8}(?:x1[bB]|u001[bB]|u\\{1[bB]\\}|033|e)|\\^\\[|\\u241b)';
/** Control sequences: CSI, OSC and other strings, and the rest; colours whose ESC was lost; what has no width; overstruck letters. */
const UNSEEN = new RegExp(
  [
    `(?:${ESC}\\[|\\x9b)[0-?]{0,64}[ -/]{0,4}[@-~]`,
    `(?:${ESC}[\\]PX^_]|\\x9d)[^\\x07\\x1b\\x9c\\n]{0,2048}(?:\\x07|\\x9c|${ESC}\\\\)`,
    `${ESC}[()*+][0-9A-Za-z]`,
    '\\x1b[@-Z\\\\^_a-z0-9=>]',
    '\\[(?:\\d{1,3}(?:;\\d{1,3}){0,8})?m(?=\\S)',
    '[\\u00ad\\u034f\\u061c\\u115f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u2066-\\u206f\\ufe00-\\ufe0f\\ufeff]',
    '[\\x00-\\x07\\x0e-\\x1a\\x7f]',
    '[^\\n]\\x08',
  ].join('|'),
  'g',
);
const MAY_BE_UNSEEN =
  /\u034f|[\x00-\x08\x0e-\x1b\x7f\x9b\x9d\u00ad\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u241b\ufeff]|[\ufe00-\ufe0f]|\\(?:x1|u001|u\{1|033|e\[)|\^\[|\[[\d;]*m/i;

/** Without what nobody sees; null if there is nothing of it. */
export function viewVisible(text: string): TextView | null {
  if (!MAY_BE_UNSEEN.test(text)) return null;
  const view = new TextView();
  let done = 0;
  for (const { index, 0: unseen } of text.matchAll(UNSEEN)) {
    if (index > done) view.add(text.slice(done, index), done);
    done = index + unseen.length;
  }
  if (done === 0) return null;
  view.add(text.slice(done), done);
  view.add('', text.length);
  return view;
}

/** What stands at the edges of a line: borders, numbers of lines, signs of a diff, quotes of a literal and what joins it. */
const BORDERS = '│┃║▏▕|¦';
const LINE_BREAK = new RegExp(
  `[ \\t]{0,200}(?:[${BORDERS}][ \\t]{0,8}|\\\\|(?:\\\\n)?["'\`][ \\t]{0,4}[+.,\\\\]?[ \\t]{0,4})?\\r?\\n` +
    `(?:[ \\t]{0,40}(?:[${BORDERS}>][ \\t]{0,8})?(?:\\d{1,7}[ \\t]{0,4}[\\t${BORDERS}:→][ \\t]{0,2})?(?:[+-](?=\\S))?(?:[rbf]?["'\`])?[ \\t]{0,8})`,
  'g',
);
/** What a key may end and go on with. */
const TAIL = /[A-Za-z0-9_+/=~.-]{6,}$/;
const HEAD = /[A-Za-z0-9_+/=~.-]{1,}/y;
const MAX_TAIL_CHARS = 200;
const isMixed = (text: string): boolean => /[0-9]/.test(text) && /[A-Za-z]/.test(text);

/** A view, and where something was left out of it. */
export interface JoinedLines {
  view: TextView;
  joints: readonly number[];
}

/** Numbers of lines, signs of a diff and borders, at the beginning of a line or of a string. */
const GUTTER = new RegExp(
  `(?<=\\n|^|")(?:[ \\t]{0,12}\\d{1,7}(?:\\t|→|[ \\t]{0,3}[${BORDERS}][ \\t]?)|[ \\t]{0,8}[${BORDERS}][ \\t]{0,8}|[+-](?=[^\\s+-]|[ \\t]))`,
  'g',
);

const RIGHT_BORDER = new RegExp(`(?<=[^ \\t])[ \\t]{1,200}[${BORDERS}](?=\\r?\\n|$|")`, 'g');

/**
 * Without what stands before each line of a listing, a diff or a box, and with the lines joined that look as if one word was
 * broken over them; null if there is none of this.
 */
export function viewJoined(text: string): JoinedLines | null {
  const gaps = [...gutters(text), ...breaks(text)].sort((a, b) => a.start - b.start || b.end - a.end);
  if (gaps.length === 0) return null;
  const view = new TextView();
  const joints: number[] = [];
  let done = 0;
  for (const { start, end } of gaps) {
    if (start < done) continue;
    view.add(text.slice(done, start), done);
    joints.push(view.text.length);
    done = end;
  }
  view.add(text.slice(done), done);
  view.add('', text.length);
  return { view, joints };
}

interface Gap {
  start: number;
  end: number;
}

function* gutters(text: string): Generator<Gap> {
  for (const form of [GUTTER, RIGHT_BORDER])
    for (const { index, 0: gutter } of text.matchAll(form)) yield { start: index, end: index + gutter.length };
}

function* breaks(text: string): Generator<Gap> {
  if (!text.includes('\n')) return;
  let lineStart = 0;
  for (const { index, 0: between } of text.matchAll(LINE_BREAK)) {
    const end = index + between.length;
    if (isFullBox(text, index, between) || isOneWord(text, index, end, lineStart)) yield { start: index, end };
    lineStart = end;
  }
}

/** Between the borders of a box is no room left. */
const FULL_BOX = new RegExp(`^ ?[${BORDERS}][ \\t]{0,8}\\r?\\n[ \\t]{0,40}[${BORDERS}]`);

function isFullBox(text: string, at: number, between: string): boolean {
  return FULL_BOX.test(between) && /\S/.test(text[at - 1] ?? '') && /\S/.test(text[at + between.length] ?? '');
}

/** The end of a line and the beginning of the next are mixed as keys are, and not both a whole line of the same length. */
function isOneWord(text: string, end: number, next: number, lineStart: number): boolean {
  const tail = TAIL.exec(text.slice(Math.max(lineStart, end - MAX_TAIL_CHARS), end))?.[0];
  HEAD.lastIndex = next;
  const head = HEAD.exec(text)?.[0];
  if (tail === undefined || head === undefined || !isMixed(tail)) return false;
  if (head.length >= 4 ? !isMixed(head) : /[a-z]/.test(head) && !/[0-9A-Z]/.test(head)) return false;
  // A list of numbers has as many characters in each line.
  const isWholeLine = tail.length === end - lineStart;
  return !(isWholeLine && tail.length === head.length && (tail.length <= 64 || /^[0-9a-f]+$/.test(tail)));
}
