/**
 * What `play` shows: the end of the timeline as it was at that moment, and a line below it with the position and the
 * keys.
 */

import { traitsOf } from '../../dialects/index.ts';
import type { Frame, Metadata } from '../../model/frame.ts';
import { cells, clip, humanSeconds, visible, wholeSeconds } from '../../model/text/text.ts';
import type { Timeline } from '../../model/timeline/entries.ts';
import { tailOf } from '../../model/timeline/select.ts';
import type { SessionNames } from '../../session/session.ts';
import { frameLine } from './frame-line.ts';
import { keyLines } from './play-keys.ts';
import { sessionHead } from './session-head.ts';
import type { Theme } from './theme.ts';
import { TimelineTree } from './tree.ts';
import { paintedCells } from './wrap.ts';

/** A frame with the name that its dialect gives it. */
export interface RecentFrame {
  frame: Frame;
  type: string | null;
}

/** The session as it was at that moment. */
export interface PlayedSession {
  metadata: Metadata;
  names: SessionNames;
  dialect: string;
  timeline: Timeline;
  /** The last frames, in a dialect without a timeline. */
  recent: readonly RecentFrame[];
}

export interface PlayState {
  session: PlayedSession;
  mode: 'playing' | 'paused' | 'live' | 'end';
  /** The recorded time, for what is still open then; null if the session has ended. */
  clock: number | null;
  speed: number;
  /** The frame that is shown, and the last one that is known. */
  f: number;
  lastF: number;
  /** The recorded time, and that of the last frame that is known. */
  t: number;
  lastT: number;
  turn: number | null;
  /** How long the next frame is waited for, if that is long; or how many recorded seconds will be skipped before it. */
  ahead: { seconds: number; skips: boolean } | null;
  /** A short message. */
  note: string | null;
  /** What is typed after `/`. */
  typed: string | null;
  isHelp: boolean;
  /** How many lines above the end the view ends. */
  scroll: number;
  full: boolean;
}

export interface ScreenSize {
  columns: number;
  rows: number;
}

/** How many lines the headings of turns and steps may take whose first entries are left out. */
const MAX_HEADING_LINES = 60;

/** As many lines as the screen has, and how far it could be scrolled up, if that is known. */
export function playScreen(state: PlayState, size: ScreenSize, theme: Theme): { text: string; most: number | null } {
  const room = size.rows - 1;
  const { lines, isAll } = state.isHelp
    ? { lines: helpLines(theme), isAll: true }
    : linesOf(state, room + state.scroll, size.columns, theme);
  const most = isAll ? Math.max(0, lines.length - room) : null;
  const scroll = state.isHelp ? 0 : Math.min(state.scroll, most ?? state.scroll);
  const end = lines.length - scroll;
  const shown = lines.slice(Math.max(0, end - room), end);
  while (shown.length < room) shown.push('');
  return { text: [...shown, statusLine(state, size.columns, theme)].join('\n'), most };
}

/** At least the last `wanted` lines, if there are that many. */
function linesOf(state: PlayState, wanted: number, columns: number, theme: Theme): { lines: string[]; isAll: boolean } {
  const { session } = state;
  const { metadata, names, timeline, dialect, recent } = session;
  const head = () => {
    const options = { columns, theme, running: false, counts: true, ...names };
    return [...sessionHead(metadata, { ...timeline, dialect }, options), '\n'];
  };
  if (traitsOf(dialect).isGeneric) {
    const lines = recent.map(({ frame, type }) => frameLine(frame, type, columns, theme));
    return { lines: linesIn([...head(), ...lines]), isAll: true };
  }
  const clock = state.clock === null ? {} : { clock: state.clock };
  const last = { f: state.lastF, t: state.lastT };
  for (let count = 2 * wanted; ; count *= 4) {
    const { entries, isAll } = tailOf(timeline.entries, count);
    // Streamed text is not shortened as it grows.
    const tree = new TimelineTree({
      columns,
      theme,
      dialect,
      full: state.full,
      last,
      ...clock,
      lastChars: (count + MAX_HEADING_LINES) * columns,
    });
    const shown = [...tree.entries(entries)];
    const lines = linesIn(isAll ? [...head(), ...shown] : shown);
    const isWhole = isAll && !tree.isCut;
    if (isWhole || lines.length > wanted + MAX_HEADING_LINES) return { lines, isAll: isWhole };
  }
}

const linesIn = (texts: string[]): string[] => texts.join('').split('\n').slice(0, -1);

function helpLines(theme: Theme): string[] {
  return [theme.strong('keys'), ...keyLines().map((line) => `  ${line}`), '', theme.dim('press any key to continue')];
}

const GAP = '  ';

function statusLine(state: PlayState, columns: number, theme: Theme): string {
  if (state.typed !== null) return searchLine(state.typed, state.note, columns, theme);
  const { mode, f, lastF, t, lastT, turn } = state;
  const paint = mode === 'paused' ? theme.warn : theme.good;
  const speed = mode === 'end' ? '' : ` ${speedWords(state.speed)}`;
  const total = timeWords(Math.max(t, lastT));
  const parts = [
    paint(theme.strong(`${mode}${speed}`)),
    `${timeWords(t).padStart(total.length)}/${total}`,
    turn === null ? '' : `turn ${turn}`,
    `f${f}/f${Math.max(f, lastF)}`,
    state.scroll > 0 ? theme.warn(`${state.scroll} lines up`) : '',
  ];
  const remark = remarkText(state);
  const left = [...parts, remark === '' ? '' : theme.warn(remark)].filter((part) => part !== '').join(GAP);
  const room = columns - paintedCells(left);
  if (room < 0) return theme.dim(clip(joinUnpainted([...parts, remark]), columns));
  const keys = keyHints(state, room - GAP.length);
  return keys === '' ? left : `${left}${' '.repeat(room - cells(keys))}${theme.dim(keys)}`;
}

const joinUnpainted = (parts: string[]): string =>
  parts
    .filter((part) => part !== '')
    .join(GAP)
    .replace(/\x1b\[\d+m/g, '');

function remarkText({ note, ahead }: PlayState): string {
  if (note !== null) return visible(note);
  if (ahead === null) return '';
  if (ahead.skips) return `skipping ${humanSeconds(ahead.seconds)}`;
  return `next frame in ${wholeSeconds(ahead.seconds)} (→)`;
}

/** The most useful first, as many as fit; help and quit always, if anything fits. */
function keyHints({ mode }: PlayState, room: number): string {
  const last = ['? help', 'q quit'];
  const toggle = mode === 'end' ? [] : [mode === 'paused' ? 'space play' : 'space pause'];
  const some = [...toggle, '→← step', 't turn', 'a approval', '/ search', '+- speed'];
  for (let n = some.length; n >= 0; n--) {
    const line = [...some.slice(0, n), ...last].join(GAP);
    if (cells(line) <= room) return line;
  }
  return '';
}

/** Of a long query, the end is shown, where the cursor is. */
function searchLine(typed: string, note: string | null, columns: number, theme: Theme): string {
  const remark = note === null ? '' : `${GAP}${visible(note)}`;
  const room = Math.max(4, columns - Math.min(cells(remark), Math.floor(columns / 2)) - 2);
  const letters = [...visible(typed)];
  while (cells(letters.join('')) > room) letters.shift();
  const line = `/${letters.join('')}▏`;
  const left = columns - cells(line);
  return `${theme.strong(line)}${left > GAP.length ? theme.warn(clip(remark, left)) : ''}`;
}

/** `2x`, `0.5x`. */
export function speedWords(speed: number): string {
  return speed === Number.POSITIVE_INFINITY ? 'at once' : `${Number(speed.toPrecision(3))}x`;
}

/** `0:12.3`, `1:02:05.0`. */
function timeWords(seconds: number): string {
  const tenths = Math.floor(seconds * 10 + 1e-6);
  const [h, m, s] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const end = s.toFixed(1).padStart(4, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${end}` : `${m}:${end}`;
}
