/**
 * Detects the dialect of a session from the agent's command line and the first lines. The most confident dialect wins.
 */
import type { Frame } from '../model/frame.ts';
import { isObject, parseFrame, textIn } from '../model/message.ts';
import type { Dialect, FirstLines } from './dialect.ts';
import { DIALECTS } from './index.ts';

type LineSender = FirstLines['lines'][number]['from'];

export interface Detected {
  dialect: Dialect;
  /** From 0 to 1, as the dialect estimates it. */
  confidence: number;
}

export function detect(first: FirstLines): Detected {
  let best: Detected = { dialect: DIALECTS.at(-1)!, confidence: 0 };
  for (const dialect of DIALECTS) {
    const confidence = dialect.recognise(first);
    if (confidence > best.confidence) best = { dialect, confidence };
    // No other can be more certain.
    if (confidence >= 1) break;
  }
  return best;
}

/** How many lines that are not JSON objects a dialect sees, and how much of each. */
const MAX_TEXTS = 10;
const MAX_TEXT_LENGTH = 200;

/** How many JSON lines are enough to decide, and how many lines of any sort if they are not JSON. */
const ENOUGH_JSON_LINES = 20;
const MAX_LINES = 500;

/** Takes frames in order until it has seen enough. `best` is the best guess at any time. */
export class DialectDetector {
  decided = false;
  readonly #first: FirstLines;
  readonly #texts: string[] = [];
  #seen = 0;
  /** Null if lines have come since. */
  #best: Detected | null = null;

  constructor(command: readonly string[]) {
    this.#first = { command, lines: [], texts: this.#texts };
  }

  /** Computed on demand, because every dialect looks at every line. */
  get best(): Detected {
    this.#best ??= detect(this.#first);
    return this.#best;
  }

  take(frame: Frame): void {
    if (this.#isWanted(frame)) this.#add(frame, parseFrame(frame));
  }

  /** The same for a line that is already parsed. */
  takeParsed(frame: Frame, value: unknown): void {
    if (this.#isWanted(frame)) this.#add(frame, value);
  }

  #isWanted({ from, form }: Frame): boolean {
    return !this.decided && form !== 'event' && (from === 'client' || from === 'agent');
  }

  #add(frame: Frame, value: unknown): void {
    this.#seen += 1;
    const { lines } = this.#first;
    const from = frame.from as LineSender;
    if (isObject(value)) {
      lines.push({ from, value });
      this.#best = null;
    } else if (from === 'agent' && this.#texts.length < MAX_TEXTS) {
      this.#texts.push((textIn(frame) ?? '').slice(0, MAX_TEXT_LENGTH));
      this.#best = null;
    }
    this.decided = lines.length >= ENOUGH_JSON_LINES || this.#seen >= MAX_LINES;
    if (!this.decided) return;
    this.#best = this.best;
    lines.length = 0;
  }
}
