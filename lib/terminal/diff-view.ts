/** A diff for people: what differs, section by section, and the conversation turn by turn. */
import { isObject } from '../core/message.ts';
import { clip, humanSeconds, visible } from '../core/text.ts';
import {
  type Change,
  type DiffEntry,
  INFORMAL,
  isDifference,
  type Op,
  SECTIONS,
  type Section,
  type SessionDiff,
  type Side,
  type TurnDiff,
} from '../diff/result.ts';
import { changeLines } from './diff-changes.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap, wrapParts } from './wrap.ts';

export interface DiffStyle {
  columns: number;
  theme: Theme;
  full: boolean;
}

const SIGNS: Record<Op, string> = { same: ' ', changed: '~', added: '+', removed: '-', moved: '>' };

export function* diffText(diff: SessionDiff, style: DiffStyle): Generator<string> {
  yield* diffHead(diff, style);
  for (const section of SECTIONS) {
    const entries = diff.entries.filter((entry) => entry.section === section);
    if (entries.length > 0) yield* sectionText(section, entries, diff, style);
  }
  yield `\n${diffSum(diff)}\n`;
}

/** The two sessions. */
export function* diffHead({ a, b }: SessionDiff, { columns, theme }: DiffStyle): Generator<string> {
  for (const [name, side, paint] of [
    ['a', a, theme.bad],
    ['b', b, theme.good],
  ] as const) {
    const [first = '', ...rest] = wrapParts(sideWords(side), '  ', columns - 4);
    yield `${paint(name === 'a' ? '---' : '+++')} ${first}\n`;
    for (const line of rest) yield `    ${line}\n`;
  }
}

function sideWords({ session, name, agent, agent_version, dialect, turns, frames }: Side): string[] {
  const program = [agent, agent_version].filter((word) => word !== null).join(' ');
  const words = [name === null ? session : `${name} (${session})`, program, dialect];
  return [
    ...words.filter((word) => word !== '').map((word) => visible(word)),
    `${plural(turns, 'turn')}, ${plural(frames, 'frame')}`,
  ];
}

function* sectionText(section: Section, entries: DiffEntry[], diff: SessionDiff, style: DiffStyle): Generator<string> {
  const { theme } = style;
  const note =
    INFORMAL.has(section) && diff.entries.some(isDifference) === false ? theme.dim('  (does not count)') : '';
  yield `\n${theme.strong(section)}${note}\n`;
  if (section === 'conversation') yield* conversation(entries, diff.turns, style);
  else if (section === 'stderr') yield* stderrText(entries, style);
  else if (section === 'shape') yield* shapeText(entries, style);
  else for (const entry of entries) yield* entryText(entry, '', style);
}

function* stderrText(entries: DiffEntry[], style: DiffStyle): Generator<string> {
  for (const { op, a, b, changes } of entries) {
    const text = String((op === 'removed' ? changes[0]?.a : changes[0]?.b) ?? '');
    const paint = op === 'removed' ? style.theme.bad : style.theme.good;
    const left = `${SIGNS[op]} f${a.f ?? b.f}  `;
    const lines = wrap(visible(text), style.columns - left.length);
    for (const [i, line] of lines.entries())
      yield `${paint(`${i === 0 ? left : ' '.repeat(left.length)}${line}`.trimEnd())}\n`;
  }
}

/** One block for a type of message, one line for a field. */
function* shapeText(entries: DiffEntry[], { theme, columns }: DiffStyle): Generator<string> {
  let last = '';
  for (const { kind, op, what, a, b, changes } of entries) {
    const paint = op === 'removed' ? theme.bad : op === 'added' ? theme.good : theme.warn;
    const f = theme.dim(`f${(op === 'removed' ? a.f : b.f) ?? '?'}`);
    if (kind === 'message') yield `${paint(`${SIGNS[op]} ${clip(visible(what), columns - 10)}`)}  ${f}\n`;
    else {
      if (what !== last) yield `  ${clip(visible(what), columns - 4)}\n`;
      last = what;
      const [change] = changes;
      const types = [change?.a, change?.b].filter((type) => type !== null).join(' → ');
      yield `${paint(`${SIGNS[op]}   ${visible(change?.path ?? '')}`)}  ${theme.dim(visible(types))}  ${f}\n`;
    }
  }
}

/** Turns that are the same are one line, however many. */
function* conversation(entries: DiffEntry[], turns: readonly TurnDiff[], style: DiffStyle): Generator<string> {
  const { theme } = style;
  const left = [...entries];
  const take = (wanted: (entry: DiffEntry) => boolean): DiffEntry[] => {
    const n = left.findIndex((entry) => !wanted(entry));
    return left.splice(0, n < 0 ? left.length : n);
  };
  let same: TurnDiff[] = [];
  const flush = function* (): Generator<string> {
    if (same.length > 0) yield `  ${theme.dim(`${turnWords(same)}: same`)}\n`;
    same = [];
  };
  for (const turn of turns) {
    const isOf = ({ a, b }: DiffEntry) =>
      (turn.a !== null && isBelow(a.path, turn.a)) || (turn.b !== null && isBelow(b.path, turn.b));
    const outside = take((entry) => !isTurnEntry(entry));
    if (outside.length > 0) yield* flush();
    for (const entry of outside) yield* entryText(entry, '', style);
    const own = take(isOf);
    if (own.length === 0) {
      same.push(turn);
      continue;
    }
    yield* flush();
    const [first, ...rest] = own;
    const isHead = first!.kind === 'turn' && first!.op === 'changed' && !first!.masked;
    if (first!.kind !== 'turn' || isHead) yield* turnHead(turn, isHead ? framesOf(first!) : '', style);
    // What changed of the turn itself stands below its heading.
    if (isHead) yield* changesText(first!, '', style);
    for (const entry of isHead ? rest : own) yield* entryText(entry, '', style);
  }
  yield* flush();
  for (const entry of left) yield* entryText(entry, '', style);
}

const isTurnEntry = ({ path }: DiffEntry): boolean => path.startsWith('/turn/');
const isBelow = (path: string | null, n: number): boolean =>
  path === `/turn/${n}` || (path?.startsWith(`/turn/${n}/`) ?? false);

function turnWords(turns: readonly TurnDiff[]): string {
  const numbers = turns.map(({ a, b }) => a ?? b!);
  const [first, last] = [numbers[0]!, numbers.at(-1)!];
  return first === last ? `turn ${first}` : `turns ${first} to ${last}`;
}

function* turnHead({ a, b, what }: TurnDiff, frames: string, { theme, columns }: DiffStyle): Generator<string> {
  const name = turnName(a, b);
  const said = clip(visible(what), Math.max(20, columns - name.length - frames.length - 8));
  yield `${theme.strong(`@ ${name}`)}  ${theme.speaker.client(said)}${frames === '' ? '' : theme.dim(`  ${frames}`)}\n`;
}

export function* entryText(entry: DiffEntry, indent: string, style: DiffStyle): Generator<string> {
  const { theme, columns } = style;
  const { op, masked } = entry;
  const paint = masked
    ? theme.dim
    : { same: theme.dim, changed: theme.warn, added: theme.good, removed: theme.bad, moved: theme.warn }[op];
  const frames = framesOf(entry);
  const words = entryWords(entry);
  const [first = '', ...rest] = wrap(
    `${masked ? '≈' : SIGNS[op]} ${words}`,
    columns - indent.length - frames.length - 2,
  );
  yield `${indent}${paint(first)}${frames === '' ? '' : theme.dim(`  ${frames}`)}\n`;
  for (const line of rest) yield `${indent}    ${paint(line)}\n`;
  if (!isSaid(entry)) yield* changesText(entry, indent, style);
}

function* changesText({ changes, section }: DiffEntry, indent: string, style: DiffStyle): Generator<string> {
  const { theme, columns, full } = style;
  const inner = `${indent}    `;
  for (const change of section === 'timing' ? changes.map(inSeconds) : changes)
    for (const line of changeLines(change, { columns: columns - inner.length, theme, full })) yield `${inner}${line}\n`;
}

const inSeconds = (change: Change): Change => {
  return { ...change, a: humanSeconds(change.a as number), b: humanSeconds(change.b as number) };
};

/** All that was added or removed is a text that the heading shows. */
function isSaid({ op, kind, what, changes, section }: DiffEntry): boolean {
  if (section !== 'conversation' || (op !== 'added' && op !== 'removed')) return false;
  const value = op === 'added' ? changes[0]?.b : changes[0]?.a;
  if (!isObject(value)) return false;
  const inside = value.inside;
  if (kind === 'step') {
    const [only] = Array.isArray(inside) ? inside : [];
    return Array.isArray(inside) && inside.length === 1 && isObject(only) && only.kind === 'text' && only.text === what;
  }
  const { name, text, ...rest } = value;
  return Object.keys(rest).length === 0 && [name, text].filter((word) => word !== undefined).join(' ') === what;
}

function framesOf({ a, b }: DiffEntry): string {
  if (a.f === null || b.f === null) return a.f === b.f ? '' : `f${a.f ?? b.f}`;
  return a.f === b.f ? `f${a.f}` : `f${a.f} f${b.f}`;
}

/** `step 2 Shell rm -rf build`, where it is within its turn, and what. */
function entryWords({ kind, path, what, section, op, a, b }: DiffEntry): string {
  const label = visible(what);
  if (section !== 'conversation') return label === '' ? section : label;
  const where = op === 'moved' ? `${placeWords(a.path ?? '')} → ${placeWords(b.path ?? '')}` : placeWords(path);
  const isPlace = kind === 'step' || kind === 'turn';
  const own = kind === 'tool-call' || isPlace ? label : label === '' ? kind : `${kind} ${label}`;
  return [where, own].filter((word) => word !== '').join('  ');
}

/** The turn is in the heading, unless it is what differs. */
function placeWords(path: string): string {
  const steps = path.split('/').slice(1);
  const words: string[] = [];
  for (let i = 0; i + 1 < steps.length; i += 2) {
    const [kind, n] = [steps[i]!, steps[i + 1]!];
    if (kind === 'step' || (kind === 'turn' && steps.length === 2)) words.push(`${kind} ${n}`);
    else if (kind === 'turn-begin') words.push('subagent');
  }
  return words.join(' ');
}

/** `2 differences: 1 changed, 1 added; 12 masked (--show-masked)`. */
export function diffSum(diff: SessionDiff): string {
  const counted = diff.entries.filter(isDifference);
  const masked = diff.masked > 0 ? `; ${diff.masked} more only in ids, times and paths (--show-masked)` : '';
  if (counted.length === 0) return `no differences${masked}`;
  const parts = SECTIONS.flatMap((section) => {
    const n = diff.counts[section] ?? 0;
    return n > 0 ? [`${n} in ${WORDS[section] ?? section}`] : [];
  });
  return `${plural(counted.length, 'difference')}: ${parts.join(', ')}${masked}`;
}

const WORDS: Partial<Record<Section, string>> = {
  handshake: 'the handshake',
  conversation: 'the conversation',
  end: 'how it ended',
  shape: 'the shape of messages',
};

/** One line for each turn. */
export function* diffStat(diff: SessionDiff, { theme, columns }: DiffStyle): Generator<string> {
  const told = SECTIONS.filter(
    (name) => name !== 'conversation' && diff.entries.some(({ section }) => section === name),
  );
  const width = [...told, ...diff.turns.map(({ a, b }) => turnName(a, b))].reduce(
    (most, { length }) => Math.max(most, length),
    4,
  );
  for (const { a, b, op, what, differences } of diff.turns) {
    const word =
      op === 'same'
        ? theme.dim('same')
        : op === 'changed'
          ? theme.warn(plural(differences, 'difference'))
          : (op === 'added' ? theme.good : theme.bad)(op);
    const plain = op === 'same' ? 'same' : op === 'changed' ? plural(differences, 'difference') : op;
    const gap = ' '.repeat(Math.max(1, 16 - plain.length));
    yield `${turnName(a, b).padEnd(width)}  ${word}${gap}${clip(visible(what), Math.max(16, columns - width - 20))}\n`;
  }
  for (const section of SECTIONS) {
    const n = diff.entries.filter((entry) => entry.section === section && !entry.masked).length;
    if (section === 'conversation' || n === 0) continue;
    const plain = plural(n, 'difference');
    yield `${section.padEnd(width)}  ${INFORMAL.has(section) ? theme.dim(plain) : theme.warn(plain)}\n`;
  }
}

const turnName = (a: number | null, b: number | null): string =>
  a === b ? `turn ${a}` : `turn ${a ?? '-'} → ${b ?? '-'}`;
