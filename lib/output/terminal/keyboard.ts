/**
 * Reads keys one by one, without echo, while a command watches. They come from the terminal even if
 * stdin is something else, as in a loop that reads a list.
 */
import { closeSync, openSync } from 'node:fs';
import { emitKeypressEvents } from 'node:readline';
import { isatty, ReadStream } from 'node:tty';
import type { Keys } from './screen.ts';

/** `right`, `escape`, `ctrl-c`, or the character itself. */
export interface KeyPress {
  name: string;
  /** What it adds to a text, if it does. */
  text: string;
}

/** A key as Node describes it. */
interface NodeKeypress {
  name?: string;
  ctrl?: boolean;
  meta?: boolean;
}

/** An escape character is the Escape key if nothing follows it for this long. */
const ESCAPE_MS = 50;

export class Keyboard implements Keys {
  readonly #input: ReadStream;
  readonly #isOurs: boolean;
  readonly #pressed: (key: KeyPress) => void;
  #isOn = false;

  /** Null if there is no terminal to take keys from. `closed`: no key will come any more. */
  static open(pressed: (key: KeyPress) => void, closed: () => void): Keyboard | null {
    if (isatty(0)) return new Keyboard(process.stdin as ReadStream, false, pressed, closed);
    try {
      const fd = openSync('/dev/tty', 'r');
      if (isatty(fd)) return new Keyboard(new ReadStream(fd), true, pressed, closed);
      closeSync(fd);
    } catch {
      // There is none.
    }
    return null;
  }

  private constructor(input: ReadStream, isOurs: boolean, pressed: (key: KeyPress) => void, closed: () => void) {
    this.#input = input;
    this.#isOurs = isOurs;
    this.#pressed = pressed;
    for (const end of ['end', 'error']) input.on(end, () => this.#isOn && closed());
    emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_MS } as never);
  }

  on(): void {
    this.#isOn = true;
    this.#input.setRawMode(true);
    this.#input.on('keypress', this.#take);
    this.#input.resume();
  }

  off(): void {
    this.#isOn = false;
    this.#input.off('keypress', this.#take);
    this.#input.pause();
    if (!this.#input.destroyed) this.#input.setRawMode(false);
  }

  /** After `off`, when keys are not wanted any more. */
  close(): void {
    if (this.#isOurs) this.#input.destroy();
  }

  readonly #take = (text: string | undefined, { name, ctrl, meta }: NodeKeypress) => {
    if (ctrl && name) this.#pressed({ name: `ctrl-${name}`, text: '' });
    else if (text !== undefined && !meta && !isControl(text)) this.#pressed({ name: text, text });
    else if (name) this.#pressed({ name, text: '' });
  };
}

function isControl(text: string): boolean {
  return /^\p{Cc}/u.test(text);
}
