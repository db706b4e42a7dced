/** What every view gets: the sessions, the shared state, and the few things that only the page as a whole can do. */
import type { SessionDiff } from '../../analysis/diff/result.ts';
import type { Signal } from './signal.ts';
import type { FrameSource } from './source.ts';

export const VIEWS = ['timeline', 'conversation', 'frames', 'approvals', 'findings', 'stats', 'diff'] as const;
export type ViewName = (typeof VIEWS)[number];

export type Language = 'en' | 'zh';

/** Which frames the query found: one byte for each index of `source.frames`. */
export interface Hits {
  readonly bytes: Uint8Array;
  readonly count: number;
  /** Not all frames have been searched yet. */
  readonly partial: boolean;
  /** How much has been searched, from 0 to 1, if it is not all. */
  readonly share?: number;
}

export interface State {
  view: ViewName;
  /** The session that is shown, of those in the page. */
  session: number;
  /** The selected frame and its row; null and -1 if nothing is selected. */
  f: number | null;
  row: number;
  /** The last frame of a range that begins at `f`; null: one frame. */
  to: number | null;
  /** The text of the query, and what it found; null: everything. */
  query: string;
  hits: Hits | null;
  /** Others are hidden, or only dimmed. */
  dim: boolean;
  /** The visible part of the session, in seconds; null: all of it. */
  zoom: readonly [number, number] | null;
  bookmarks: readonly number[];
  /** A frame that was marked to be compared with another. */
  marked: number | null;
  language: Language;
  theme: 'system' | 'light' | 'dark';
}

export interface App {
  readonly sources: readonly FrameSource[];
  /** The one that is shown. */
  readonly source: FrameSource;
  readonly state: Signal<State>;
  /** Null if the page has one session. */
  diff(): Promise<SessionDiff | null>;
  /** Selects a frame, or a row of the tree: shows it, and moves the focus if asked to. A jump can be undone with Back. */
  select(to: { f: number } | { row: number }, how?: { focus?: boolean; jump?: boolean; view?: ViewName }): void;
  /** The words in the language of the page. Each module has its own table. */
  words<T>(table: Record<Language, T>): T;
  /** Tells the user something for a moment, and screen readers too. */
  notify(message: string): void;
  /** Puts text on the clipboard and says so. */
  copy(text: string, what: string): void;
}

/** A part of the page. It is made once, when it is first shown. */
export interface View {
  readonly root: HTMLElement;
  /** Is shown, or is shown again. */
  show(): void;
  hide?(): void;
  /**
   * Takes a key that is pressed while no text field has the focus; true: it was meant for this view. `sequence`: its name,
   * or both names of two keys in a row, such as `y p`, which only the detail pane is given.
   */
  key?(event: KeyboardEvent, sequence: string): boolean;
  /** Moves the focus to where the user would continue. */
  focus?(): void;
}

export type MakeView = (app: App) => View;
