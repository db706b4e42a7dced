/** A diff for people: the two sessions, then what differs, section by section. */

import {
  DIFF_SECTIONS,
  type DiffEntry,
  type DiffSection,
  type DiffSide,
  INFORMAL_SECTIONS,
  isDifference,
  type SessionDiff,
} from '../../analysis/diff/result.ts';
import { formatTolerance } from '../../analysis/diff/tolerance.ts';
import { traitsOf } from '../../dialects/index.ts';
import { withoutSequences } from '../../model/text/sequences.ts';
import { clip, visible } from '../../model/text/text.ts';
import { type DiffStyle, entryText, paintOf, SIGNS } from './diff-entry.ts';
import { conversationText } from './diff-turns.ts';
import { plural } from './words.ts';
import { wrap, wrapParts } from './wrap.ts';

export function* diffText(diff: SessionDiff, style: DiffStyle): Generator<string> {
  yield* diffHead(diff, style);
  for (const section of DIFF_SECTIONS) {
    const entries = diff.entries.filter((entry) => entry.section === section);
    if (entries.length === 0) continue;
    yield `\n${style.theme.strong(section)}${style.theme.dim(sectionNote(section, diff))}\n`;
    yield* sectionText(section, entries, diff, style);
  }
  yield '\n';
  for (const line of [...leftOutLines(diff), diffTotals(diff)].flatMap((text) => wrap(text, style.columns)))
    yield `${line}\n`;
}

function sectionNote(section: DiffSection, { tolerance }: SessionDiff): string {
  if (INFORMAL_SECTIONS.has(section)) return '  (does not count)';
  return section === 'timing' && tolerance ? `  (beyond a tolerance of ${formatTolerance(tolerance)})` : '';
}

/** What only one of two protocols has. */
function leftOutLines({ left_out, a, b }: SessionDiff): string[] {
  const words = ([name, kinds]: [string, Record<string, number>]): string[] => {
    const parts = Object.entries(kinds).map(([kind, count]) => (count > 1 ? `${kind} ×${count}` : kind));
    return parts.length === 0 ? [] : [`${parts.join(', ')} (${name})`];
  };
  const uncompared = [...words([a.dialect, left_out.a]), ...words([b.dialect, left_out.b])];
  return uncompared.length === 0 ? [] : [`not compared, because only one protocol has it: ${uncompared.join('; ')}`];
}

/** The two sessions. */
export function* diffHead({ a, b }: SessionDiff, { columns, theme }: DiffStyle): Generator<string> {
  const rows = [
    [theme.bad('---'), a],
    [theme.good('+++'), b],
  ] as const;
  for (const [sign, side] of rows) {
    const [first = '', ...rest] = wrapParts(sideWords(side), '  ', columns - 4);
    yield `${sign} ${first}\n`;
    for (const line of rest) yield `    ${line}\n`;
  }
}

function sideWords({ session, name, agent, agent_version, dialect, turns, frames }: DiffSide): string[] {
  const program = [agent, agent_version].filter((word) => word !== null).join(' ');
  const words = [name === null ? session : `${name} (${session})`, program, dialect].filter((word) => word !== '');
  return [...words.map((word) => visible(word)), `${plural(turns, 'turn')}, ${plural(frames, 'frame')}`];
}

function sectionText(
  section: DiffSection,
  entries: DiffEntry[],
  diff: SessionDiff,
  style: DiffStyle,
): Iterable<string> {
  if (section === 'conversation') {
    const isServer = traitsOf(diff.a.dialect).clientCallsTools;
    return conversationText(entries, diff.turns, { ...style, isServer });
  }
  if (section === 'stderr') return stderrText(entries, style);
  return section === 'shape' ? shapeText(entries, style) : plainText(entries, style);
}

function* plainText(entries: DiffEntry[], style: DiffStyle): Generator<string> {
  for (const entry of entries) yield* entryText(entry, style);
}

/** Lines that came or went one after another, as a traceback does: of many, the first and the last. */
const FIRST_STDERR_LINES = 8;
const LAST_STDERR_LINES = 4;

function* stderrText(entries: DiffEntry[], style: DiffStyle): Generator<string> {
  for (let from = 0; from < entries.length; ) {
    const { op } = entries[from]!;
    let end = from;
    while (end < entries.length && entries[end]!.op === op) end++;
    const run = entries.slice(from, end);
    const isLong = !style.full && run.length > FIRST_STDERR_LINES + LAST_STDERR_LINES + 1;
    for (const entry of isLong ? run.slice(0, FIRST_STDERR_LINES) : run) yield* stderrLine(entry, style);
    if (isLong) {
      yield `${style.theme.dim(`  … ${plural(run.length - FIRST_STDERR_LINES - LAST_STDERR_LINES, 'more line')} (--full)`)}\n`;
      for (const entry of run.slice(-LAST_STDERR_LINES)) yield* stderrLine(entry, style);
    }
    from = end;
  }
}

function* stderrLine({ op, a, b, changes }: DiffEntry, { theme, columns }: DiffStyle): Generator<string> {
  const text = withoutSequences(String((op === 'removed' ? changes[0]?.a : changes[0]?.b) ?? ''));
  const left = `${SIGNS[op]} f${a.f ?? b.f}  `;
  for (const [i, line] of wrap(visible(text), columns - left.length).entries())
    yield `${paintOf(op, theme)(`${i === 0 ? left : ' '.repeat(left.length)}${line}`.trimEnd())}\n`;
}

/** One block for a type of message, one line for a field. */
function* shapeText(entries: DiffEntry[], { theme, columns }: DiffStyle): Generator<string> {
  let last = '';
  for (const { kind, op, what, a, b, changes } of entries) {
    const f = theme.dim(`f${(op === 'removed' ? a.f : b.f) ?? '?'}`);
    const name = clip(visible(what), Math.max(20, columns - 12));
    if (kind === 'message') {
      yield `${paintOf(op, theme)(`${SIGNS[op]} ${name}`)}  ${f}\n`;
      continue;
    }
    if (what !== last) yield `  ${name}\n`;
    last = what;
    const [change] = changes;
    const types = [change?.a, change?.b].filter((type) => type !== null).join(' → ');
    yield `${paintOf(op, theme)(`${SIGNS[op]}   ${visible(change?.path ?? '')}`)}  ${theme.dim(visible(types))}  ${f}\n`;
  }
}

/** `2 differences: 1 in the handshake, 1 in the conversation; more only in masked values (--show-masked)`. */
export function diffTotals({ entries, counts, masked, tolerance }: SessionDiff): string {
  const counted = entries.filter(isDifference).length;
  const within =
    tolerance === null || counts.timing ? '' : `; times are within a tolerance of ${formatTolerance(tolerance)}`;
  const hidden = `${within}${masked === 0 ? '' : `; ${maskedWords(entries, counted > 0)}`}`;
  if (counted === 0) return `no differences${hidden}`;
  const parts = DIFF_SECTIONS.flatMap((section) => {
    const n = counts[section] ?? 0;
    return n > 0 ? [`${n} in ${SECTION_NAMES[section] ?? section}`] : [];
  });
  return `${plural(counted, 'difference')}: ${parts.join(', ')}${hidden}`;
}

/** What was not listed was not counted one by one either: a turn that has many of them was one look at a hash. */
function maskedWords(entries: readonly DiffEntry[], isMore: boolean): string {
  const listed = entries.filter((entry) => entry.masked).length;
  if (listed === 0) return `${isMore ? 'more' : 'some'} only in masked values (--show-masked)`;
  return `${listed}${isMore ? ' more' : ''} only in masked values`;
}

const SECTION_NAMES: Partial<Record<DiffSection, string>> = {
  handshake: 'the handshake',
  replayed: 'what was sent again',
  conversation: 'the conversation',
  end: 'how it ended',
  shape: 'the shape of messages',
};
