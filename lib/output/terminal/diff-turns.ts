/** The conversation of a diff, turn by turn, in full and in one line each. */

import {
  DIFF_SECTIONS,
  type DiffEntry,
  INFORMAL_SECTIONS,
  type SessionDiff,
  type TurnDiff,
} from '../../analysis/diff/result.ts';
import { clip, visible } from '../../model/text/text.ts';
import { changesText, type DiffStyle, entryText, framesOf, paintOf } from './diff-entry.ts';
import { plural } from './words.ts';

/** Turns that are the same are one line, however many. */
export function* conversationText(
  entries: readonly DiffEntry[],
  turns: readonly TurnDiff[],
  style: DiffStyle,
): Generator<string> {
  let same: TurnDiff[] = [];
  for (const { turn, outside, own } of groupByTurn(entries, turns)) {
    if (outside.length + own.length > 0) {
      yield* sameText(same, style);
      same = [];
    }
    if (outside.length > 0 && turns.length > 0) yield `${style.theme.strong(`@ ${outsideName(turn)}`)}\n`;
    for (const entry of outside) yield* entryText(entry, style);
    if (turn && own.length === 0) same.push(turn);
    else if (turn) yield* turnText(turn, own, style);
  }
  yield* sameText(same, style);
}

interface TurnEntries {
  /** Null behind the last turn. */
  turn: TurnDiff | null;
  /** What comes before it and belongs to no turn. */
  outside: DiffEntry[];
  own: DiffEntry[];
}

/** Entries are in the order of the turns. */
function* groupByTurn(entries: readonly DiffEntry[], turns: readonly TurnDiff[]): Generator<TurnEntries> {
  let at = 0;
  const take = (wanted: (entry: DiffEntry) => boolean): DiffEntry[] => {
    const from = at;
    while (at < entries.length && wanted(entries[at]!)) at++;
    return entries.slice(from, at);
  };
  for (const turn of turns) {
    const outside = take((entry) => !entry.path.startsWith('/turn/') && isBefore(entry, turn));
    const own = take(({ a, b }) => isIn(a.path, turn.a) || isIn(b.path, turn.b));
    yield { turn, outside, own };
  }
  yield { turn: null, outside: entries.slice(at), own: [] };
}

/** By the frames of a side that has both. */
function isBefore({ a, b }: DiffEntry, turn: TurnDiff): boolean {
  if (a.f !== null && turn.a_f !== null) return a.f < turn.a_f;
  return b.f === null || turn.b_f === null || b.f < turn.b_f;
}

function isIn(path: string | null, turn: number | null): boolean {
  return path !== null && turn !== null && (path === `/turn/${turn}` || path.startsWith(`/turn/${turn}/`));
}

function* turnText(turn: TurnDiff, own: DiffEntry[], style: DiffStyle): Generator<string> {
  const { theme, columns } = style;
  const [first, ...rest] = own;
  const { kind, op, masked } = first!;
  if (kind === 'turn' && op !== 'changed') {
    for (const entry of own) yield* entryText(entry, style);
    return;
  }
  // Changes of the turn itself are below its heading.
  const isItself = kind === 'turn' && !masked;
  const frames = isItself ? framesOf(first!) : '';
  const name = turnName(turn);
  const prompt = clip(visible(turn.what), Math.max(20, columns - name.length - frames.length - 8));
  const right = frames === '' ? '' : theme.dim(`  ${frames}`);
  yield `${theme.strong(`@ ${name}`)}  ${theme.speaker.client(prompt)}${right}\n`;
  if (isItself) yield* changesText(first!, style);
  for (const entry of isItself ? rest : own) yield* entryText(entry, style);
}

function* sameText(turns: readonly TurnDiff[], { theme }: DiffStyle): Generator<string> {
  const [first] = turns;
  const last = turns.at(-1);
  if (!first || !last) return;
  const name = first === last ? turnName(first) : `turns ${first.a ?? first.b} to ${last.a ?? last.b}`;
  yield `  ${theme.dim(`${name}: same`)}\n`;
}

function turnName({ a, b }: TurnDiff): string {
  return a === b ? `turn ${a}` : `turn ${a ?? '-'} → ${b ?? '-'}`;
}

/** What belongs to no turn. */
function outsideName(next: TurnDiff | null): string {
  if (!next) return 'after the last turn';
  const { a, b } = next;
  return `before ${turnName({ ...next, a: a ?? b, b: b ?? a })}`;
}

/** One line for each turn, for what is outside of turns, and for each other section that differs. */
export function* diffStat({ turns, entries }: SessionDiff, { theme, columns }: DiffStyle): Generator<string> {
  const inTurns = turns.reduce((sum, { differences }) => sum + differences, 0);
  const others = DIFF_SECTIONS.flatMap((section) => {
    const all = entries.filter((entry) => entry.section === section && entry.op !== 'same' && !entry.masked).length;
    const [name, count] = section === 'conversation' ? ['outside of turns', all - inTurns] : [section, all];
    return count === 0 ? [] : [{ section, name, count }];
  });
  const names = [...turns.map(turnName), ...others.map(({ name }) => name)];
  const width = names.reduce((most, { length }) => Math.max(most, length), 0);
  for (const turn of turns) {
    const { op, what, differences } = turn;
    const word = op === 'changed' ? plural(differences, 'difference') : op;
    const prompt = clip(visible(what), Math.max(16, columns - width - WORD_WIDTH - 4));
    yield `${turnName(turn).padEnd(width)}  ${paintOf(op, theme)(word.padEnd(WORD_WIDTH))}  ${prompt}\n`;
  }
  for (const { section, name, count } of others)
    yield `${name.padEnd(width)}  ${(INFORMAL_SECTIONS.has(section) ? theme.dim : theme.warn)(plural(count, 'difference'))}\n`;
}

const WORD_WIDTH = '99 differences'.length;
