/**
 * The timeline: overview, lanes, the tree with its waterfall, and tokens, all over one time axis. This file puts the parts
 * together and tells them what changed; what is shown is in the state of the page and in the model of the timeline.
 */
import type { App, State, View } from '../app.ts';
import { fill, h } from '../h.ts';
import { Axis } from '../timeline/axis.ts';
import { CrossHair } from '../timeline/cross-hair.ts';
import { Grid } from '../timeline/grid.ts';
import { timelineKey } from '../timeline/keys.ts';
import { LaneStrip } from '../timeline/lane-strip.ts';
import { TimelineModel } from '../timeline/model.ts';
import { Overview } from '../timeline/overview.ts';
import { onColours, TimelineColours } from '../timeline/palette.ts';
import { PointerController } from '../timeline/pointer-controller.ts';
import { zoomed } from '../timeline/scale.ts';
import { Tip } from '../timeline/tip.ts';
import { makeToolbar, makeTreeTools } from '../timeline/toolbar.ts';
import { TreeEdge } from '../timeline/tree-edge.ts';
import { UsageStrip } from '../timeline/usage-strip.ts';

export function makeTimeline(app: App): View {
  return new TimelineView(app);
}

interface TimelineElements {
  model: TimelineModel;
  overview: Overview;
  lanes: LaneStrip;
  axis: Axis;
  grid: Grid;
  usage: UsageStrip;
}

class TimelineView implements View {
  readonly root = h('div', { class: 'tl' });
  readonly #app: App;
  readonly #tip = new Tip();
  /** Null before the view is first shown. */
  #parts: TimelineElements | null = null;
  #pointer: PointerController | null = null;
  /** The theme has changed out of sight. */
  #isFaded = false;

  constructor(app: App) {
    this.#app = app;
    app.state.watch(['zoom'], () => this.#rescale());
    app.state.watch(['hits', 'dim'], () => this.#filter());
    app.state.watch(['row', 'f'], (now, before) => this.#select(now, before));
    app.state.watch(['bookmarks'], () => this.#redraw());
    app.state.watch(['theme'], () => this.#recolour());
    onColours(() => this.#recolour());
  }

  show(): void {
    if (!this.#parts) this.#build();
    if (this.#isFaded) this.#recolour();
    this.#measure();
    const { row } = this.#app.state.value;
    const index = row < 0 ? -1 : this.#parts!.model.tree.nearest(row);
    if (index >= 0) this.#parts!.grid.list.scrollTo(index, 'center');
  }

  hide(): void {
    this.#tip.hide();
  }

  focus(): void {
    if (!this.#parts) return;
    const { grid } = this.#parts;
    if (grid.cursor >= 0) grid.list.focus(grid.cursor);
    else grid.list.root.focus();
  }

  key(event: KeyboardEvent): boolean {
    this.#pointer?.useKeys();
    const parts = this.#parts;
    if (!parts) return false;
    if (event.key === 'Escape' && this.#tip.isShown) {
      this.#tip.hide();
      return true;
    }
    const { model, grid, axis } = parts;
    const [from, to] = grid.list.range;
    return timelineKey(event, {
      model,
      cursor: grid.cursor,
      page: Math.max(1, to - from - 2),
      hasAxis: document.activeElement === axis.plot || (this.#pointer!.isOnBars && 'wasd'.includes(event.key)),
      go: (index) => this.#go(index),
      setOpen: (row, isOpen) => this.#reshape(() => model.tree.setOpen(row, isOpen)),
      setAll: (isOpen) => this.#reshape(() => model.tree.setAll(isOpen)),
      setLevel: (isOpen) => this.#reshape(() => model.tree.setLevel(isOpen)),
    });
  }

  #build(): void {
    // The palette is read in the page.
    const model = new TimelineModel(this.#app, new TimelineColours(this.root));
    const grid = new Grid(model);
    const edge = new TreeEdge(this.root, model.words.resize, () => this.#measure());
    const tools = makeTreeTools(model.words, (isOpen) => this.#reshape(() => model.tree.setAll(isOpen)));
    const parts = {
      model,
      overview: new Overview(model),
      lanes: new LaneStrip(model),
      axis: new Axis(model, edge.root, tools),
      grid,
      usage: new UsageStrip(model),
    };
    this.#parts = parts;
    const { overview, lanes, axis, usage } = parts;
    const cross = new CrossHair(model);
    cross.follow([axis.plot, grid.list.root], axis.plot);
    fill(
      this.root,
      this.#toolbar(parts),
      overview.root,
      lanes.root,
      axis.root,
      grid.list.root,
      usage.root,
      cross.root,
      this.#tip.root,
    );
    this.#pointer = new PointerController(parts, this.#tip, {
      go: (index) => this.#go(index),
      toggle: (row) => this.#reshape(() => model.tree.setOpen(row, !model.tree.isOpen(row))),
    });
    const { row } = this.#app.state.value;
    model.select();
    if (row >= 0) grid.cursor = model.tree.nearest(row);
    grid.refresh();
    new ResizeObserver(() => this.#measure()).observe(grid.list.root);
    this.#measure();
    model.source.usage().then((points) => {
      overview.usage = points;
      usage.usage = points;
    });
  }

  #toolbar({ model, lanes, usage }: TimelineElements): HTMLElement {
    const { state } = this.#app;
    const shown = (part: { root: HTMLElement; draw(): void }) => (isShown: boolean) => {
      part.root.hidden = !isShown;
      part.draw();
    };
    return makeToolbar(model.words, model.hasFolds, {
      zoom: (factor) => {
        const { whole, zoom, scale } = model;
        state.set({ zoom: zoomed(whole, zoom, factor, scale.t(scale.width / 2)) });
      },
      fit: () => state.set({ zoom: null }),
      fold: (isFolded) => {
        model.isFolded = isFolded;
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

  /** Moves to a row and selects it. */
  #go(index: number): void {
    const { grid, model } = this.#parts!;
    const row = model.tree.row(index);
    grid.cursor = index;
    if (row !== this.#app.state.value.row) this.#app.select({ row });
    else grid.list.repaint();
    grid.list.focus(index);
  }

  /** Changes which rows are open; the row that keys move from stays, or becomes the one that now hides it. */
  #reshape(change: () => void): void {
    const { model, grid } = this.#parts!;
    const row = grid.cursor < 0 ? -1 : model.tree.row(grid.cursor);
    const hadFocus = grid.list.root.contains(document.activeElement);
    change();
    if (row >= 0) grid.cursor = model.tree.nearest(row);
    grid.refresh();
    if (hadFocus && grid.cursor >= 0) grid.list.focus(grid.cursor);
  }

  #select(now: Readonly<State>, before: Readonly<State>): void {
    if (!this.#parts) return;
    const { model, grid, lanes } = this.#parts;
    const shown = model.tree.count;
    model.select();
    const index = now.row < 0 ? -1 : model.tree.nearest(now.row);
    if (index >= 0) grid.cursor = index;
    if (model.tree.count === shown) grid.list.repaint();
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
    this.#reshape(() => this.#parts!.model.find());
    this.#parts.lanes.draw();
  }

  #rescale(): void {
    if (!this.#parts) return;
    const { model, overview } = this.#parts;
    model.measure(model.width, model.overviewWidth);
    overview.placeWindow();
    this.#redrawWindow();
  }

  #recolour(): void {
    if (!this.#parts) return;
    // The theme is set by others who watch the same key. Colours can only be read in the page.
    requestAnimationFrame(() => {
      this.#isFaded = !this.root.isConnected;
      if (!this.#parts || this.#isFaded) return;
      this.#parts.model.palette = new TimelineColours(this.root);
      this.#redraw();
    });
  }

  #measure(): void {
    if (!this.#parts) return;
    const { model, grid, axis, overview } = this.#parts;
    const { clientWidth, offsetWidth } = grid.list.root;
    if (clientWidth === 0) return;
    // The plots of all strips end where the rows do, beside the scroll bar.
    this.root.style.setProperty('--tl-bar', `${offsetWidth - clientWidth}px`);
    model.measure(axis.plot.clientWidth, overview.plot.clientWidth);
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
