/** The keys of the timeline: through the tree, and through time. */

import type { TimelineModel } from './model.ts';
import { moved, windowOf, zoomed } from './scale.ts';
import { endOf } from './segments.ts';

export interface KeyTarget {
  readonly model: TimelineModel;
  /** Index of the row that keys move from. */
  readonly cursor: number;
  /** How many rows are in sight. */
  readonly page: number;
  /** The keys for zooming and moving are meant for the time axis. */
  readonly hasAxis: boolean;
  go(index: number): void;
  setOpen(row: number, isOpen: boolean): void;
  setAll(isOpen: boolean): void;
  setLevel(isOpen: boolean): void;
}

/** True: the key did something, or would have if there were more. */
export function timelineKey(event: KeyboardEvent, target: KeyTarget): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  return timeKey(event.key, target) || treeKey(event, target);
}

function timeKey(key: string, { model, hasAxis }: KeyTarget): boolean {
  const { whole, zoom, app, scale } = model;
  const middle = (): number => scale.t(scale.width / 2);
  const set = (window: typeof zoom): true => {
    app.state.set({ zoom: window });
    return true;
  };
  const name = hasAxis
    ? ({ w: '+', s: '-', ArrowUp: '+', ArrowDown: '-', ArrowLeft: 'a', ArrowRight: 'd' }[key] ?? key)
    : key;
  if (name === '+' || name === '=') return set(zoomed(whole, zoom, 1 / 1.5, middle()));
  if (name === '-') return set(zoomed(whole, zoom, 1.5, middle()));
  if (name === '0') return set(null);
  if (name === 'z') return zoomToSelection(model);
  if (hasAxis && name === 'a') return set(moved(whole, zoom, -0.2));
  if (hasAxis && name === 'd') return set(moved(whole, zoom, 0.2));
  return false;
}

/** The selected row with a little on both sides. */
export function zoomToSelection({ app, rows, duration, whole }: TimelineModel): boolean {
  const { row } = app.state.value;
  if (row < 0) return false;
  const from = rows.t[row]!;
  const length = Math.max(endOf(rows, row, duration) - from, duration * 0.002);
  app.state.set({ zoom: windowOf(whole, from - length * 0.05, from + length * 1.05) });
  return true;
}

function treeKey({ key, shiftKey }: KeyboardEvent, target: KeyTarget): boolean {
  const { model, cursor, page } = target;
  const { tree } = model;
  if (key === '[' || key === ']') {
    target.setAll(key === '[');
    return true;
  }
  if (key === 'o' || key === 'p') {
    target.setLevel(key === 'o');
    return true;
  }
  if (tree.count === 0) return false;
  if (key === 'ArrowLeft' || key === 'ArrowRight') return sideways(key === 'ArrowRight', target);
  const by = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, ' ': shiftKey ? -page : page }[key];
  // Until something is selected, the way down begins with the row that keys move from.
  const from = model.app.state.value.f === null && by !== undefined && by > 0 ? cursor - 1 : cursor;
  const to = key === 'Home' ? 0 : key === 'End' ? tree.count - 1 : by === undefined ? null : from + by;
  if (to === null) return false;
  target.go(Math.max(0, Math.min(to, tree.count - 1)));
  return true;
}

/** Right opens a row, then goes into it; left closes it, then goes to the row that contains it. */
function sideways(isRight: boolean, target: KeyTarget): boolean {
  const { tree, rows } = target.model;
  const row = tree.row(target.cursor);
  const isOpen = tree.hasInside(row) && tree.isOpen(row);
  if (isRight && isOpen && target.cursor + 1 < tree.count) {
    const next = tree.row(target.cursor + 1);
    if (next < rows.end[row]!) target.go(target.cursor + 1);
  } else if (isRight === !isOpen && tree.hasInside(row)) target.setOpen(row, isRight);
  else if (!isRight && rows.parent[row]! >= 0) target.go(tree.nearest(rows.parent[row]!));
  return true;
}
