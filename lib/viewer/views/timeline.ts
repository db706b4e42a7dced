/**
 * The timeline: overview, lanes, the tree with its waterfall, and tokens, all over one time axis. This file puts the parts
 * together and tells them what changed; what is shown is in the state of the page and in the stage.
 */
import type { App, State, View } from '../app.ts';
import { fill, h } from '../h.ts';
import { Axis } from '../timeline/axis.ts';
import { Grid } from '../timeline/grid.ts';
import { timelineKey, zoomToSelection } from '../timeline/keys.ts';
import { LaneStrip } from '../timeline/lane-strip.ts';
import { Overview } from '../timeline/overview.ts';
import { onColours, Palette } from '../timeline/palette.ts';
import { dragOn, tipOn, wheelOn } from '../timeline/pointer.ts';
import { zoomed } from '../timeline/scale.ts';
import { Stage } from '../timeline/stage.ts';
import { Tip } from '../timeline/tip.ts';
import { makeToolbar, makeTreeTools } from '../timeline/toolbar.ts';
import { TreeEdge } from '../timeline/tree-edge.ts';
import { UsageStrip } from '../timeline/usage-strip.ts';

export function makeTimeline(app: App): View {
  return new Timeline(app);
}

/** Moving through rows shows no times; resting on one does. */
const REST_MS = 700;

interface Parts {
  stage: Stage;
  overview: Overview;
  lanes: LaneStrip;
  axis: Axis;
  grid: Grid;
  usage: UsageStrip;
}

class Timeline implements View {
  readonly root = h('div', { class: 'tl' });
  readonly #app: App;
  readonly #tip = new Tip();
  /** Those of the session that is shown; null before the view is first shown. */
  #parts: Parts | null = null;
  /** The pointer was last pressed on bars, so that the keys of the time axis are meant for it. */
  #isOnBars = false;
  #resting = 0;

  constructor(app: App) {
    this.#app = app;
    app.state.watch(['session', 'language'], () => this.#build());
    app.state.watch(['zoom'], () => this.#rescale());
    app.state.watch(['hits', 'dim'], () => this.#filter());
    app.state.watch(['row', 'f'], (now, before) => this.#select(now, before));
    app.state.watch(['bookmarks'], () => this.#redraw());
    app.state.watch(['theme'], () => this.#recolour());
    onColours(() => this.#recolour());
  }

  show(): void {
    if (!this.#parts) this.#build();
    this.#measure();
    const { row } = this.#app.state.value;
    const index = row < 0 ? -1 : this.#parts!.stage.tree.nearest(row);
    if (index >= 0) this.#parts!.grid.list.scrollTo(index, 'center');
  }

  hide(): void {
    this.#tip.hide();
  }

  focus(): void {
    const { grid } = this.#parts!;
    if (grid.cursor >= 0) grid.list.focus(grid.cursor);
    else grid.list.root.focus();
  }

  key(event: KeyboardEvent): boolean {
    const parts = this.#parts;
    if (!parts) return false;
    if (event.key === 'Escape' && this.#tip.isShown) {
      this.#tip.hide();
      return true;
    }
    const { stage, grid, axis } = parts;
    const [from, to] = grid.list.range;
    return timelineKey(event, {
      stage,
      cursor: grid.cursor,
      page: Math.max(1, to - from - 2),
      hasAxis: document.activeElement === axis.plot || (this.#isOnBars && 'wasd'.includes(event.key)),
      go: (index) => this.#go(index),
      setOpen: (row, isOpen) => this.#reshape(() => stage.tree.setOpen(row, isOpen)),
      setAll: (isOpen) => this.#reshape(() => stage.tree.setAll(isOpen)),
      setLevel: (isOpen) => this.#reshape(() => stage.tree.setLevel(isOpen)),
    });
  }

  #build(): void {
    // The palette is read in the page.
    const stage = new Stage(this.#app, new Palette(this.root));
    const grid = new Grid(stage);
    const edge = new TreeEdge(this.root, stage.words.resize, () => this.#measure());
    const tools = makeTreeTools(stage.words, (isOpen) => this.#reshape(() => stage.tree.setAll(isOpen)));
    const parts = {
      stage,
      overview: new Overview(stage),
      lanes: new LaneStrip(stage),
      axis: new Axis(stage, edge.root, tools),
      grid,
      usage: new UsageStrip(stage),
    };
    this.#parts = parts;
    const { overview, lanes, axis, usage } = parts;
    fill(
      this.root,
      this.#toolbar(parts),
      overview.root,
      lanes.root,
      axis.root,
      grid.list.root,
      usage.root,
      this.#tip.root,
    );
    this.#listen(parts);
    const { row } = this.#app.state.value;
    stage.select();
    if (row >= 0) grid.cursor = stage.tree.nearest(row);
    grid.refresh();
    new ResizeObserver(() => this.#measure()).observe(grid.list.root);
    this.#measure();
    stage.source.usage().then((points) => {
      overview.usage = points;
      usage.usage = points;
    });
  }

  #toolbar({ stage, lanes, usage }: Parts): HTMLElement {
    const { state } = this.#app;
    const shown = (part: { root: HTMLElement; draw(): void }) => (isShown: boolean) => {
      part.root.hidden = !isShown;
      part.draw();
    };
    return makeToolbar(stage.words, stage.hasFolds, {
      zoom: (factor) => {
        const { whole, zoom, scale } = stage;
        state.set({ zoom: zoomed(whole, zoom, factor, scale.t(scale.width / 2)) });
      },
      fit: () => state.set({ zoom: null }),
      fold: (isFolded) => {
        stage.isFolded = isFolded;
        this.#redraw();
      },
      lanes: shown(lanes),
      tokens: shown(usage),
      pane: (name) => {
        this.root.dataset.pane = name;
        this.#measure();
      },
    });
  }

  #listen({ stage, grid, lanes, axis }: Parts): void {
    const { root } = grid.list;
    const plotLeft = (): number => axis.plot.getBoundingClientRect().left;
    const rowOf = (target: EventTarget | null): HTMLElement | null =>
      target instanceof Element ? target.closest<HTMLElement>('[data-row]') : null;
    const isDragged = dragOn(
      root,
      () => stage,
      plotLeft,
      () => this.#tip.hide(),
    );
    dragOn(
      axis.plot,
      () => stage,
      plotLeft,
      () => this.#tip.hide(),
    );
    wheelOn(root, () => stage, plotLeft);
    wheelOn(axis.plot, () => stage, plotLeft);
    wheelOn(lanes.plot, () => stage, plotLeft);
    const rowUnder = (event: PointerEvent): number =>
      event.clientX > plotLeft() ? Number(rowOf(event.target)?.dataset.row ?? -1) : -1;
    tipOn(root, this.#tip, () => stage, rowUnder);
    tipOn(
      lanes.plot,
      this.#tip,
      () => stage,
      (event) => lanes.rowAt(event),
    );
    root.addEventListener('scroll', () => this.#tip.hide(), { passive: true });
    root.addEventListener('click', (event) => {
      const element = rowOf(event.target);
      if (!element || isDragged()) return;
      this.#isOnBars = event.clientX > plotLeft();
      const row = Number(element.dataset.row);
      const index = stage.tree.indexOf(row);
      const isTwisty = event.target instanceof Element && event.target.classList.contains('tl-twisty');
      if (isTwisty && stage.tree.hasInside(row)) this.#reshape(() => stage.tree.setOpen(row, !stage.tree.isOpen(row)));
      else if (index >= 0) this.#go(index);
    });
    root.addEventListener('dblclick', (event) => {
      const row = Number(rowOf(event.target)?.dataset.row ?? -1);
      if (row < 0) return;
      if (event.clientX > plotLeft()) zoomToSelection(stage);
      else if (stage.tree.hasInside(row)) this.#reshape(() => stage.tree.setOpen(row, !stage.tree.isOpen(row)));
    });
    root.addEventListener('focusin', (event) => this.#tipAtFocus(event, stage, plotLeft));
    root.addEventListener('focusout', () => {
      clearTimeout(this.#resting);
      this.#tip.hide();
    });
  }

  /** Those who use keys see the times of the row with the focus, below its bar, when they rest there. */
  #tipAtFocus(event: FocusEvent, stage: Stage, left: () => number): void {
    const element = event.target as HTMLElement;
    clearTimeout(this.#resting);
    if (!element.dataset.row || !element.matches(':focus-visible')) return;
    this.#resting = window.setTimeout(() => {
      if (document.activeElement !== element || stage.width <= 0) return;
      const row = Number(element.dataset.row);
      const x = Math.max(0, Math.min(stage.scale.x(stage.rows.t[row]!), stage.scale.width / 2));
      this.#tip.show(stage, row, left() + x, element.getBoundingClientRect().top + 12);
    }, REST_MS);
  }

  /** Moves to a row and selects it. */
  #go(index: number): void {
    const { grid, stage } = this.#parts!;
    const row = stage.tree.row(index);
    grid.cursor = index;
    if (row !== this.#app.state.value.row) this.#app.select({ row });
    else grid.list.repaint();
    grid.list.focus(index);
  }

  /** Changes which rows are open; the row that keys move from stays, or becomes the one that now hides it. */
  #reshape(change: () => void): void {
    const { stage, grid } = this.#parts!;
    const row = grid.cursor < 0 ? -1 : stage.tree.row(grid.cursor);
    const hadFocus = grid.list.root.contains(document.activeElement);
    change();
    if (row >= 0) grid.cursor = stage.tree.nearest(row);
    grid.refresh();
    if (hadFocus && grid.cursor >= 0) grid.list.focus(grid.cursor);
  }

  #select(now: Readonly<State>, before: Readonly<State>): void {
    if (!this.#parts) return;
    const { stage, grid, lanes } = this.#parts;
    const shown = stage.tree.count;
    stage.select();
    const index = now.row < 0 ? -1 : stage.tree.nearest(now.row);
    if (index >= 0) grid.cursor = index;
    if (stage.tree.count === shown) grid.list.repaint();
    else grid.refresh();
    if (index >= 0 && now.row !== before.row) {
      const [from, to] = grid.list.range;
      const isFar = index < from - 2 || index > to + 2;
      grid.list.scrollTo(index, isFar ? 'center' : 'nearest');
    }
    lanes.mark();
  }

  #filter(): void {
    if (!this.#parts) return;
    this.#reshape(() => this.#parts!.stage.find());
    this.#parts.lanes.draw();
  }

  #rescale(): void {
    if (!this.#parts) return;
    const { stage, overview } = this.#parts;
    stage.measure(stage.width, stage.overviewWidth);
    overview.placeWindow();
    this.#redrawWindow();
  }

  #recolour(): void {
    if (!this.#parts) return;
    // The theme is set by others who watch the same key.
    requestAnimationFrame(() => {
      this.#parts!.stage.palette = new Palette(this.root);
      this.#redraw();
    });
  }

  #measure(): void {
    if (!this.#parts) return;
    const { stage, grid, axis, overview } = this.#parts;
    const { clientWidth, offsetWidth } = grid.list.root;
    if (clientWidth === 0) return;
    // The plots of all strips end where the rows do, beside the scroll bar.
    this.root.style.setProperty('--tl-bar', `${offsetWidth - clientWidth}px`);
    stage.measure(axis.plot.clientWidth, overview.plot.clientWidth);
    this.#redraw();
  }

  #redraw(): void {
    if (!this.#parts) return;
    const { overview, grid } = this.#parts;
    overview.draw();
    grid.list.repaint();
    this.#redrawWindow();
  }

  /** What depends on the window. */
  #redrawWindow(): void {
    const { lanes, axis, grid, usage } = this.#parts!;
    lanes.draw();
    axis.draw();
    grid.draw();
    usage.draw();
  }
}
