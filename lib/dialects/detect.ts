/** Which dialect a session speaks: the one that is most sure, from how the agent was started and what was said first. */
import type { Frame } from '../core/frame.ts';
import { isObject, parseFrame } from '../core/message.ts';
import type { Dialect, FirstLook } from './dialect.ts';
import { DIALECTS } from './index.ts';

type Speaker = FirstLook['lines'][number]['from'];

export interface Detected {
  dialect: Dialect;
  /** From 0 to 1, in the dialect's own judgement. */
  confidence: number;
}

export function detect(first: FirstLook): Detected {
  let best: Detected = { dialect: DIALECTS.at(-1)!, confidence: 0 };
  for (const dialect of DIALECTS) {
    const confidence = dialect.recognise(first);
    if (confidence > best.confidence) best = { dialect, confidence };
    // Nobody can be more certain.
    if (confidence >= 1) break;
  }
  return best;
}

/** The dialect of that name, as `--dialect` gives it. */
export function byName(name: string): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.name === name);
}

/** So many JSON lines decide; so many lines of any sort do, if they are no JSON. */
const ENOUGH = 20;
const TOO_MANY = 500;

/** Takes a session's frames in order until it has seen enough; `best` is the best guess at any time. */
export class Detector {
  decided = false;
  readonly #first: FirstLook;
  #seen = 0;
  /** Null when there are lines that nobody was asked about. */
  #best: Detected | null = null;

  constructor(command: readonly string[]) {
    this.#first = { command, lines: [] };
  }

  /** Every dialect looks at every line for it: not before somebody wants to know. */
  get best(): Detected {
    this.#best ??= detect(this.#first);
    return this.#best;
  }

  take(frame: Frame): void {
    if (this.#isWanted(frame)) this.#look(frame.from as Speaker, parseFrame(frame));
  }

  /** The same, where somebody has parsed the line already. */
  look(frame: Frame, value: unknown): void {
    if (this.#isWanted(frame)) this.#look(frame.from as Speaker, value);
  }

  #isWanted({ from, form }: Frame): boolean {
    return !this.decided && form !== 'event' && (from === 'client' || from === 'agent');
  }

  #look(from: Speaker, value: unknown): void {
    this.#seen += 1;
    const { lines } = this.#first;
    if (isObject(value)) {
      lines.push({ from, value });
      this.#best = null;
    }
    this.decided = lines.length >= ENOUGH || this.#seen >= TOO_MANY;
    if (!this.decided) return;
    this.#best = this.best;
    lines.length = 0;
  }
}
