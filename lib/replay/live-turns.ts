/** The turns of the live session that are open: whose prompt came and whose end was not sent. */
import type { Json } from '../dialects/dialect.ts';
import { eachId, type Tree } from './places.ts';
import type { Hear, Say } from './steps.ts';

export interface LiveTurn {
  /** The frame of the recorded prompt; 0 if it was on the command line. */
  prompt: number;
  /** The live prompt; null if it was on the command line. */
  line: Json | null;
  /** Its group of lines, once the first of them was sent. */
  group: string | null;
  /** Recorded ids of calls without a result. */
  calls: Set<string>;
}

export class LiveTurns {
  readonly #open = new Map<number, LiveTurn>();

  get(prompt: number | null): LiveTurn | null {
    return prompt === null ? null : (this.#open.get(prompt) ?? null);
  }

  prompted({ f }: Hear, line: Json | null): void {
    this.#open.set(f, { prompt: f, line, group: null, calls: new Set() });
  }

  end(prompt: number): void {
    this.#open.delete(prompt);
  }

  some(isSo: (turn: LiveTurn) => boolean): boolean {
    return [...this.#open.values()].some(isSo);
  }

  /** Another turn whose first line was sent: lines of this one must wait, unless turns may be side by side. */
  holds(say: Say): LiveTurn | null {
    for (const turn of this.#open.values()) if (turn.group !== null && turn.group !== say.group) return turn;
    return null;
  }

  sent(say: Say): void {
    if (say.prompt === null) return;
    // A prompt on the command line has no line of the client.
    if (say.prompt === 0 && !this.#open.has(0) && say.ends === null) this.prompted({ f: 0 } as Hear, null);
    const turn = this.#open.get(say.prompt);
    if (turn) {
      turn.group = say.group;
      for (const event of say.events) {
        if (event.kind === 'tool-call' && event.call !== null) turn.calls.add(event.call);
        else if (event.kind === 'tool-result' && event.call !== null) turn.calls.delete(event.call);
      }
    }
    if (say.ends !== null) this.#open.delete(say.ends);
  }

  /** The prompt was refused: there is no turn. */
  refused(say: Say): void {
    const turn = say.answers === null ? undefined : this.#open.get(say.answers);
    if (turn?.group === null && say.message.envelope === 'error') this.#open.delete(turn.prompt);
  }

  /** The open turn that a live line is about: the only one, or the one that has an id in common with it. */
  about(value: unknown, tree: Tree): LiveTurn | null {
    const turns = [...this.#open.values()];
    if (turns.length <= 1) return turns[0] ?? null;
    const ids = sharedIds(value, tree);
    return turns.find(({ line }) => [...sharedIds(line, tree)].some((id) => ids.has(id))) ?? turns.at(-1)!;
  }
}

function sharedIds(value: unknown, tree: Tree): Set<unknown> {
  const ids = new Set<unknown>();
  eachId(value, tree, (id, place) => {
    if (place === 'shared') ids.add(id);
  });
  return ids;
}
