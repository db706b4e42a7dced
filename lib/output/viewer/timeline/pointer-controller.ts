/** What the pointer and the focus do in the rows, on the axis and in the lanes. */
import type { Axis } from './axis.ts';
import type { Grid } from './grid.ts';
import { zoomToSelection } from './keys.ts';
import type { LaneStrip } from './lane-strip.ts';
import type { TimelineModel } from './model.ts';
import { dragOn, tipOn, wheelOn } from './pointer.ts';
import type { Tip } from './tip.ts';

/** Moving through rows shows no times; resting on one does. */
const KEY_REST_MS = 700;

interface PointerTargets {
  model: TimelineModel;
  grid: Grid;
  lanes: LaneStrip;
  axis: Axis;
}

interface PointerActions {
  /** Moves to the row at an index, and selects it. */
  go(index: number): void;
  toggle(row: number): void;
}

export class PointerController {
  readonly #parts: PointerTargets;
  readonly #tip: Tip;
  readonly #actions: PointerActions;
  #isOnBars = false;
  #isOnKeys = false;
  #resting = 0;

  constructor(parts: PointerTargets, tip: Tip, actions: PointerActions) {
    this.#parts = parts;
    this.#tip = tip;
    this.#actions = actions;
    const { model, grid, lanes, axis } = parts;
    const { root } = grid.list;
    const left = (): number => this.#left;
    const hide = (): void => tip.hide();
    const isDragged = dragOn(root, model, left, hide);
    dragOn(axis.plot, model, left, hide);
    for (const element of [root, axis.plot, lanes.plot]) wheelOn(element, model, left);
    tipOn(root, tip, model, (event) => (event.clientX > this.#left ? rowOf(event.target) : -1));
    tipOn(lanes.plot, tip, model, (event) => lanes.rowAt(event));
    root.addEventListener('scroll', hide, { passive: true });
    root.addEventListener('pointerdown', () => {
      this.#isOnKeys = false;
    });
    root.addEventListener('click', (event) => {
      if (!isDragged()) this.#click(event);
    });
    root.addEventListener('dblclick', (event) => this.#doubleClick(event));
    root.addEventListener('focusin', (event) => this.#rest(event));
    root.addEventListener('focusout', () => {
      clearTimeout(this.#resting);
      hide();
    });
  }

  /** The pointer was last pressed on bars, so that the keys of the time axis are meant for it. */
  get isOnBars(): boolean {
    return this.#isOnBars;
  }

  useKeys(): void {
    this.#isOnKeys = true;
  }

  /** Where the bars begin. */
  get #left(): number {
    return this.#parts.axis.plot.getBoundingClientRect().left;
  }

  #click({ target, clientX }: MouseEvent): void {
    const { tree } = this.#parts.model;
    const row = rowOf(target);
    if (row < 0) return;
    this.#isOnBars = clientX > this.#left;
    const isTwisty = target instanceof Element && target.classList.contains('tl-twisty');
    if (isTwisty && tree.hasInside(row)) this.#actions.toggle(row);
    else this.#actions.go(tree.indexOf(row));
  }

  #doubleClick({ target, clientX }: MouseEvent): void {
    const { model } = this.#parts;
    const row = rowOf(target);
    if (row < 0) return;
    if (clientX > this.#left) zoomToSelection(model);
    else if (model.tree.hasInside(row)) this.#actions.toggle(row);
  }

  /** Those who use keys see the times of the row with the focus, below its bar, when they rest there. */
  #rest({ target }: FocusEvent): void {
    clearTimeout(this.#resting);
    const row = rowOf(target);
    if (row < 0 || !this.#isOnKeys) return;
    this.#resting = window.setTimeout(() => {
      const { model } = this.#parts;
      if (document.activeElement !== target || model.width <= 0) return;
      const x = Math.max(0, Math.min(model.scale.x(model.rows.t[row]!), model.scale.width / 2));
      this.#tip.show(model, row, this.#left + x, (target as Element).getBoundingClientRect().top + 12);
    }, KEY_REST_MS);
  }
}

/** -1: it is not in a row. */
function rowOf(target: EventTarget | null): number {
  const element = target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
  return Number(element?.dataset.row ?? -1);
}
