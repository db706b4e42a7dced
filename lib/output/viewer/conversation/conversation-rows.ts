/** Which rows of the tree tell the conversation, and how they are divided: by turns, and long turns into pieces. */
import { KIND, ROW_KINDS, type RowTable, STATE, type TreeRowKind } from '../../page/page.ts';

const CONVERSATION_KINDS = new Set<TreeRowKind>([
  ...(['prompt', 'text', 'thinking', 'tool-call', 'plan', 'approval', 'question', 'steer', 'cancel'] as const),
  ...(['error', 'turn-begin', 'subagent', 'compaction', 'mode', 'step-retry', 'step-interrupted', 'notice'] as const),
]);

const IS_CONVERSATION_KIND = Uint8Array.from(ROW_KINDS, (kind) => (CONVERSATION_KINDS.has(kind) ? 1 : 0));

/** Hooks only where they stopped something; calls of the client only if no tool call shows them. */
function isInConversation({ kind, state, parent }: RowTable, row: number): boolean {
  const sort = kind[row]!;
  if (IS_CONVERSATION_KIND[sort] === 1) return true;
  if (sort === KIND.hook) return state[row] === STATE.denied;
  return sort === KIND['client-call'] && (parent[row]! < 0 || kind[parent[row]!] !== KIND['tool-call']);
}

/** The rows of the conversation in order. `keep`: which rows a filter leaves; null: all. */
export function conversationRows(rows: RowTable, keep: ((row: number) => boolean) | null): Uint32Array {
  const out = new Uint32Array(rows.count);
  let count = 0;
  for (let row = 0; row < rows.count; row++)
    if (isInConversation(rows, row) && (!keep || keep(row))) out[count++] = row;
  return out.slice(0, count);
}

/** From and to: indices of the rows of the conversation. */
export interface Section {
  from: number;
  to: number;
  /** The row of its turn if it begins one, else -1. */
  turn: number;
}

const MAX_SECTION_ROWS = 60;

export function sectionsOf(rows: RowTable, shown: Uint32Array): Section[] {
  const sections: Section[] = [];
  let last = -2;
  for (let i = 0; i < shown.length; i++) {
    const turn = turnOf(rows, shown[i]!);
    const open = sections.at(-1);
    if (open && turn === last && i - open.from < MAX_SECTION_ROWS) open.to = i + 1;
    else sections.push({ from: i, to: i + 1, turn: turn === last ? -1 : turn });
    last = turn;
  }
  return sections;
}

/** The row of the turn that contains a row, or -1. */
export function turnOf({ kind, parent }: RowTable, row: number): number {
  let up = row;
  while (up >= 0 && kind[up] !== KIND.turn) up = parent[up]!;
  return up;
}

const MAX_INDENT = 6;

/** In how many calls it is: what a subagent says is inside the call that started it. */
export function indentOf({ kind, parent }: RowTable, row: number): number {
  let indent = 0;
  for (let up = parent[row]!; up >= 0 && indent < MAX_INDENT; up = parent[up]!)
    if (kind[up] === KIND['tool-call']) indent++;
  return indent;
}

/** The first row of the conversation at or after a row; the last one if there is none. */
export function nearestRow(shown: Uint32Array, row: number): number {
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (shown[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return Math.min(low, shown.length - 1);
}

/**
 * The row of the conversation that shows a row: itself, the first one inside a turn or a step, or the call that it is in. -1 if what is
 * selected is no part of the conversation.
 */
export function indexShowing(rows: RowTable, shown: Uint32Array, row: number): number {
  const next = nearestRow(shown, row);
  if (next >= 0 && shown[next]! >= row && shown[next]! < rows.end[row]!) return next;
  for (let up = rows.parent[row]!; up >= 0; up = rows.parent[up]!) {
    const index = nearestRow(shown, up);
    if (shown[index] === up) return index;
  }
  return -1;
}

/** The section that has this index of `shown`. */
export function sectionAt(sections: readonly Section[], index: number): number {
  let [low, high] = [0, sections.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (sections[middle]!.from <= index) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** What the process did at last: how the recording ended. */
export function lastProcessRows({ kind, count }: RowTable): number[] {
  const found: number[] = [];
  for (let row = count - 1; row >= 0 && found.length < 8; row--) if (kind[row] === KIND.process) found.unshift(row);
  return found;
}
