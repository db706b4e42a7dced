/** What the parts of the shell need of each other, beyond what views see. */
import type { SessionDiff } from '../../../analysis/diff/result.ts';
import type { PageHead } from '../../page/page.ts';
import type { App } from '../app.ts';
import type { Searcher } from '../page-parts.ts';
import type { FrameSource } from '../source.ts';
import type { Settings } from './settings.ts';

/** A page that has been opened. */
export interface OpenPage {
  readonly head: PageHead;
  readonly sources: readonly FrameSource[];
  diff(): Promise<SessionDiff | null>;
}

export interface Shell extends App {
  readonly head: PageHead;
  readonly settings: Readonly<Settings>;
  /** Changes what the reader prefers, and keeps it. */
  prefer(patch: Partial<Settings>): void;
  /** Of the session that is shown. */
  readonly search: Searcher;
  /** The address of what is shown now. */
  link(): string;
  readonly controls: ShellControls;
}

/** The parts of the page that commands reach. */
export interface ShellControls {
  /** Moves the focus into the view, the detail pane or the query. */
  focus(pane: 'view' | 'detail' | 'query'): void;
  /** The next part of the page, or the one before. */
  cycle(step: 1 | -1): void;
  showDetail(isShown: boolean): void;
  readonly isDetailShown: boolean;
  ask(query: string): void;
  /** Opens the palette; with `:` it goes to a frame, a turn or a time. */
  palette(first: string): void;
  help(): void;
  download(): void;
}
