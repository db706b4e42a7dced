/** What all parts of the timeline show: the session, which rows are open, what is in the window, and in which colours. */
import type { RowTable } from '../../page/page.ts';
import type { App } from '../app.ts';
import { KIND_WORDS } from '../kinds.ts';
import type { FrameSource } from '../source.ts';
import type { TimelineColours } from './palette.ts';
import { stepNumbers } from './rows.ts';
import { type Fold, foldsOf, makeScale, type Scale, type Window } from './scale.ts';
import { FOUND, foundRows, keptWith, Tree } from './tree.ts';
import { WORDS } from './words.ts';

/** Before the first moment, and behind the last one for what is written there. */
export const MARGIN = 10;
const WIDEST_MARGIN = 132;
const NARROWEST_MARGIN = 64;

export class TimelineModel {
  readonly app: App;
  readonly source: FrameSource;
  readonly rows: RowTable;
  readonly duration: number;
  readonly tree: Tree;
  readonly steps: Uint32Array;
  readonly words;
  readonly kinds;
  palette: TimelineColours;
  /** All of the session, on the overview; and the part in sight, on the waterfall. Both begin at `MARGIN` of their plot. */
  whole: Scale;
  scale: Scale;
  /** Pixels of the waterfall and of the overview. */
  width = 0;
  overviewWidth = 0;
  readonly #folds: readonly Fold[];
  #isFolded = true;
  #found: Uint8Array | null = null;

  constructor(app: App, palette: TimelineColours) {
    this.app = app;
    this.source = app.source;
    this.rows = app.source.rows;
    this.duration = app.source.head.duration;
    this.words = app.words(WORDS);
    this.kinds = app.words(KIND_WORDS);
    this.palette = palette;
    this.tree = new Tree(this.rows);
    this.steps = stepNumbers(this.rows);
    this.#folds = foldsOf(this.rows, this.duration);
    this.whole = makeScale(0, this.duration, 1, []);
    this.scale = this.whole;
    this.find();
  }

  get hasFolds(): boolean {
    return this.#folds.length > 0;
  }

  get isFolded(): boolean {
    return this.#isFolded && this.hasFolds;
  }

  set isFolded(isFolded: boolean) {
    this.#isFolded = isFolded;
    this.measure(this.width, this.overviewWidth);
  }

  get zoom(): Window {
    return this.app.state.value.zoom;
  }

  /** The plots have so many pixels, or show another window. */
  measure(width: number, overviewWidth: number): void {
    this.width = width;
    this.overviewWidth = overviewWidth;
    this.whole = makeScale(0, this.duration, roomIn(overviewWidth), this.#shownFolds);
    this.scale = this.scaleOn(width);
  }

  /** The part in sight on a plot of so many pixels. */
  scaleOn(width: number): Scale {
    const [from, to] = this.zoom ?? [0, this.duration];
    return makeScale(Math.max(0, from), Math.min(this.duration, to), roomIn(width), this.#shownFolds);
  }

  get #shownFolds(): readonly Fold[] {
    return this.isFolded ? this.#folds : [];
  }

  /** The query, or what it found, is another one. */
  find(): void {
    const { hits, dim } = this.app.state.value;
    this.#found = hits && foundRows(this.rows, this.source.frames, hits.bytes);
    this.#keep(dim);
  }

  /** The selected row is another one: it is shown even if the query did not find it. */
  select(): void {
    const { row, dim } = this.app.state.value;
    if (row < 0) return;
    this.tree.reveal(row);
    if (this.#found && !dim && this.tree.indexOf(row) < 0) this.#keep(dim);
  }

  #keep(dim: boolean): void {
    const { row } = this.app.state.value;
    this.tree.keep(this.#found && !dim ? keptWith(this.#found, this.rows, row) : null);
  }

  /** The query found it. Without a query, everything is found. */
  isFound(row: number): boolean {
    return !this.#found || (this.#found[row]! & FOUND.self) !== 0;
  }

  /** Neither the row nor one inside it was found. */
  isOut(row: number): boolean {
    return this.#found !== null && this.#found[row] === 0;
  }
}

function roomIn(width: number): number {
  return Math.max(40, width - MARGIN - Math.max(NARROWEST_MARGIN, Math.min(width * 0.16, WIDEST_MARGIN)));
}
