/** One difference for people: what it is and where, then its values. */

import { REQUEST_KINDS } from '../../analysis/diff/entry-content.ts';
import type { Change, DiffEntry, DiffOp, DiffSection, EntryKind } from '../../analysis/diff/result.ts';
import { isObject } from '../../model/message.ts';
import { humanSeconds, visible } from '../../model/text/text.ts';
import { changeLines } from './diff-changes.ts';
import { groupChanges } from './diff-groups.ts';
import { changeColumns } from './diff-side-by-side.ts';
import type { Theme } from './theme.ts';
import { wrap } from './wrap.ts';

export interface DiffStyle {
  columns: number;
  theme: Theme;
  /** Do not shorten values. */
  full: boolean;
  /** Both values side by side. */
  beside: boolean;
  /** What is inside a call is no subagent's: the client itself calls the tools. */
  isServer?: boolean;
}

export const SIGNS: Readonly<Record<DiffOp, string>> = {
  same: ' ',
  changed: '~',
  added: '+',
  removed: '-',
  moved: '>',
};

export function paintOf(op: DiffOp, theme: Theme): (text: string) => string {
  if (op === 'added') return theme.good;
  if (op === 'removed') return theme.bad;
  return op === 'same' ? theme.dim : theme.warn;
}

export function* entryText(entry: DiffEntry, style: DiffStyle): Generator<string> {
  const { theme, columns } = style;
  const { op, masked } = entry;
  const paint = masked ? theme.dim : paintOf(op, theme);
  const frames = framesOf(entry);
  const sign = masked ? '≈' : SIGNS[op];
  const [first = '', ...rest] = wrap(`${sign} ${entryWords(entry, style)}`, columns - frames.length - 2);
  yield `${paint(first)}${frames === '' ? '' : theme.dim(`  ${frames}`)}\n`;
  for (const line of rest) yield `    ${paint(line)}\n`;
  yield* changesText(withoutHeadingText(entry), style);
}

const INDENT = '    ';

export function* changesText({ changes, section }: DiffEntry, style: DiffStyle): Generator<string> {
  const { theme, full, beside } = style;
  const inside = { columns: style.columns - INDENT.length, theme, full };
  const linesOf = beside ? changeColumns : changeLines;
  const shownChanges = section === 'timing' ? changes.map(inSeconds) : groupChanges(changes, full);
  for (const change of beside ? pairRemovedWithAdded(shownChanges) : shownChanges)
    for (const line of linesOf(change, inside)) yield `${INDENT}${line}\n`;
}

/** Pairs what was removed from a list with what was added to it, to show them side by side. */
function pairRemovedWithAdded(changes: readonly Change[]): Change[] {
  const out: Change[] = [];
  for (const change of changes) {
    const before = out.at(-1);
    const faces = before?.op === 'removed' && change.op === 'added' && before.path === change.path;
    if (faces) out[out.length - 1] = { ...before, op: 'changed', b: change.b };
    else out.push(change);
  }
  return out;
}

function inSeconds(change: Change): Change {
  return { ...change, a: humanSeconds(change.a as number), b: humanSeconds(change.b as number) };
}

/** Sections whose entries have a place in a conversation. */
const ALIGNED: ReadonlySet<DiffSection> = new Set<DiffSection>(['conversation', 'replayed']);

/** Of what was added or removed, what the heading does not show. */
function withoutHeadingText(entry: DiffEntry): DiffEntry {
  const { op, kind, changes, section } = entry;
  const [change] = changes;
  if (!change || !ALIGNED.has(section) || (op !== 'added' && op !== 'removed')) return entry;
  const value = op === 'added' ? change.b : change.a;
  const rest = isObject(value) ? restOf(value, kind, entry.what) : value;
  if (rest === value) return entry;
  return { ...entry, changes: rest === null ? [] : [{ ...change, [op === 'added' ? 'b' : 'a']: rest }] };
}

/** Without the name and the text that say what it is; null if nothing is left. */
function restOf(value: Record<string, unknown>, kind: DiffEntry['kind'], what: string): unknown {
  if (kind === 'step') {
    const [only, ...others] = Array.isArray(value.inside) ? value.inside : [];
    const isText = isObject(only) && only.kind === 'text' && others.length === 0;
    return isText && restOf(only, 'text', what) === null ? null : value;
  }
  if (kind === 'tool-call') {
    const { tool, ...rest } = value;
    return typeof tool === 'string' && what.startsWith(tool) ? rest : value;
  }
  const { name, text, kind: _, ...rest } = value;
  const heading = [name, text].filter((word) => word !== undefined).join(' ');
  if (heading === '' || heading.replace(/\s+/g, ' ').trim() !== what) return value;
  return Object.keys(rest).length === 0 ? null : rest;
}

export function framesOf({ a, b }: DiffEntry): string {
  if (a.f === null || b.f === null) return a.f === b.f ? '' : `f${a.f ?? b.f}`;
  return a.f === b.f ? `f${a.f}` : `f${a.f} f${b.f}`;
}

/** `step 2  Shell rm -rf build`: where it is within its turn, and what. */
function entryWords({ kind, path, what, section, op, a, b }: DiffEntry, { isServer = false }: DiffStyle): string {
  const label = visible(what);
  if (!ALIGNED.has(section) || kind === 'replayed') return label === '' ? section : label;
  const place = (at: string | null) =>
    placeWords((at ?? '').replace(/^\/replayed/, ''), isServer ? 'inside' : 'subagent');
  const where = op === 'moved' ? `${place(a.path)} → ${place(b.path)}` : place(path);
  const isPlain =
    kind === 'tool-call' || kind === 'step' || kind === 'turn' || (kind === 'turn-begin' && where === OWN_TURN);
  // The place already names the subagent.
  const own = isPlain || where.endsWith(kind) ? label : label === '' ? kind : `${kind} ${label}`;
  return [where, own].filter((word) => word !== '').join('  ');
}

const OWN_TURN = 'turn of the agent';

/** Kinds inside a call that are about the call itself. */
const ABOUT_CALL_KINDS: ReadonlySet<EntryKind> = new Set<EntryKind>([...REQUEST_KINDS, 'notice']);

/** The turn is in the heading, unless it is what differs. `inner`: who acts inside a call. */
function placeWords(path: string, inner: string): string {
  const steps = path.split('/').slice(1);
  const words: string[] = [];
  for (let i = 0; i + 1 < steps.length; i += 2) {
    const [kind, n, next] = [steps[i]!, steps[i + 1]!, steps[i + 2]];
    if (kind === 'step' || (kind === 'turn' && steps.length === 2)) words.push(`${kind} ${n}`);
    // Requests and notices about the call are inside it too.
    else if (kind === 'tool-call' && next !== undefined && !ABOUT_CALL_KINDS.has(next as EntryKind)) words.push(inner);
    else if (kind === 'turn-begin' && i === 0) words.push(OWN_TURN);
    else if (kind === 'turn-begin' && words.at(-1) !== inner) words.push(inner);
  }
  return words.join(' ');
}
