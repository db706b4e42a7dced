/**
 * The whole screen of a terminal, for as long as something is watched. It is drawn on the alternate screen, so that the
 * terminal is as it was afterwards: also after Ctrl-C, Ctrl-Z, an error of ours, and while it is suspended.
 */
import { cells } from '../../model/text/text.ts';

/** What is needed of `process.stdout`. */
export interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize' | 'error', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** Takes keys one by one while it is on, and leaves the terminal to others while it is off. */
export interface Keys {
  on(): void;
  off(): void;
}

export interface ScreenWatcher {
  /** Everything has to be drawn again: the size has changed, or another program used the screen. */
  resized(): void;
  /** The terminal is gone. */
  closed?(): void;
  readonly keys?: Keys | null;
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const REST_OF_LINE = '\x1b[K';
const COLOUR = /\x1b\[\d+m/g;

export class Screen {
  readonly #out: Terminal;
  readonly #watcher: ScreenWatcher;
  #drawn = '';
  #isEntered = false;
  #isGone = false;

  constructor(out: Terminal, watcher: ScreenWatcher) {
    this.#out = out;
    this.#watcher = watcher;
    out.on('resize', this.#redraw);
    // Stays: a write may fail after the screen was closed.
    out.on('error', this.#lost);
    process.on('exit', this.#leave);
    this.#listen();
    this.#enter();
  }

  get columns(): number {
    return this.#out.columns || 80;
  }

  get rows(): number {
    return Math.max(2, this.#out.rows || 24);
  }

  /** Lines that do not fit below are left out, and counted. */
  draw(text: string): void {
    const { columns, rows } = this;
    const lines = text.trimEnd().split('\n');
    const widths = lines.map((line) => cells(line.replace(COLOUR, '')));
    let used = 0;
    let shown = 0;
    for (const width of widths) {
      const high = Math.max(1, Math.ceil(width / columns));
      const isLast = shown === lines.length - 1;
      if (used + high > rows - (isLast ? 0 : 1)) break;
      used += high;
      shown++;
    }
    // At the end of a full row, erasing the rest would erase its last character.
    const drawn = lines
      .slice(0, shown)
      .map((line, n) => (widths[n]! > 0 && widths[n]! % columns === 0 ? line : `${line}${REST_OF_LINE}`));
    const left = lines.length - shown;
    if (left > 0) drawn.push(`… ${left} more line${left > 1 ? 's' : ''}${REST_OF_LINE}`);
    else for (; used < rows; used++) drawn.push(REST_OF_LINE);
    this.#show(drawn.join('\r\n'));
  }

  close(): void {
    this.#out.off('resize', this.#redraw);
    process.off('exit', this.#leave);
    this.#stopListening();
    this.#leave();
  }

  /** Stops the whole foreground group, as Ctrl-Z does when the terminal handles keys itself. */
  suspend(): void {
    process.kill(0, 'SIGTSTP');
  }

  /** Only what has changed is worth a write. */
  #show(drawn: string): void {
    if (drawn === this.#drawn || !this.#isEntered || this.#isGone) return;
    this.#drawn = drawn;
    this.#out.write(`${HOME}${drawn}`);
  }

  /** Taking the keys first stops a process that is in the background, before it draws. */
  #enter(): void {
    this.#watcher.keys?.on();
    this.#drawn = '';
    this.#isEntered = true;
    this.#out.write(ENTER);
  }

  readonly #leave = () => {
    if (!this.#isEntered) return;
    this.#isEntered = false;
    this.#watcher.keys?.off();
    if (!this.#isGone) this.#out.write(LEAVE);
  };

  readonly #redraw = () => {
    this.#drawn = '';
    this.#watcher.resized();
  };

  readonly #lost = () => {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#watcher.closed?.();
  };

  #listen(): void {
    process.on('SIGTSTP', this.#suspend);
    process.on('SIGCONT', this.#goOn);
  }

  #stopListening(): void {
    process.off('SIGTSTP', this.#suspend);
    process.off('SIGCONT', this.#goOn);
  }

  /**
   * The signal stops this process within the call: what follows happens when it is continued. Where no shell could do
   * that, the system ignores it.
   */
  readonly #suspend = () => {
    this.#leave();
    this.#stopListening();
    process.kill(process.pid, 'SIGTSTP');
    this.#listen();
    this.#enter();
    this.#redraw();
  };

  /** The process was stopped without leaving the screen, and the shell has taken the terminal back. */
  readonly #goOn = () => {
    this.#leave();
    this.#enter();
    this.#redraw();
  };
}
