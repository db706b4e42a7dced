/**
 * The whole screen of a terminal, for as long as something is watched. It is drawn on the alternate screen, so that the
 * terminal is as it was afterwards: also after Ctrl-C, after Ctrl-Z, and while it is suspended. A terminal that is closed
 * is no error.
 */
import { cells } from './core/text.ts';

/** What is needed of `process.stdout`. */
export interface Terminal {
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
  on(event: 'resize' | 'error', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const REST_OF_LINE = '\x1b[K';
const REST_OF_SCREEN = '\x1b[J';
const COLOUR = /\x1b\[\d+m/g;

export class Screen {
  readonly #out: Terminal;
  readonly #resized: () => void;
  #isGone = false;

  /** `resized` is called when everything has to be drawn again. */
  constructor(out: Terminal, resized: () => void) {
    this.#out = out;
    this.#resized = resized;
    out.on('resize', resized);
    // Kept for good: what was written last fails last.
    out.on('error', () => {
      this.#isGone = true;
    });
    out.write(ENTER);
    process.on('SIGTSTP', this.#suspend);
  }

  get columns(): number {
    return this.#out.columns || 80;
  }

  /** Lines that do not fit below are left out, and counted. False if the terminal has been closed. */
  draw(text: string): boolean {
    const rows = Math.max(2, this.#out.rows || 24);
    const lines = text.trimEnd().split('\n');
    let used = 0;
    let shown = 0;
    for (const line of lines) {
      const high = Math.max(1, Math.ceil(cells(line.replace(COLOUR, '')) / this.columns));
      const isLast = shown === lines.length - 1;
      if (used + high > rows - (isLast ? 0 : 1)) break;
      used += high;
      shown++;
    }
    const left = lines.length - shown;
    const drawn = left > 0 ? [...lines.slice(0, shown), `… ${left} more line${left > 1 ? 's' : ''}`] : lines;
    this.#out.write(`${HOME}${drawn.map((line) => `${line}${REST_OF_LINE}`).join('\r\n')}${REST_OF_SCREEN}`);
    return !this.#isGone;
  }

  close(): void {
    this.#out.off('resize', this.#resized);
    process.off('SIGTSTP', this.#suspend);
    this.#out.write(LEAVE);
  }

  /** The signal stops us within the call: what follows it happens when we go on. */
  readonly #suspend = () => {
    this.#out.write(LEAVE);
    process.kill(process.pid, 'SIGSTOP');
    this.#out.write(ENTER);
    this.#resized();
  };
}
