/** The turns of the live session that are open: whose prompt came and whose end was not sent. */
import type { JsonObject } from '../dialects/dialect.ts';
import { eachId, type IdTree } from './id-tree.ts';
import type { AgentStep, ClientStep } from './script-step.ts';

export interface LiveTurn {
  /** The frame of the recorded prompt; 0 if it was on the command line. */
  prompt: number;
  /** The live prompt; null if it was on the command line. */
  line: JsonObject | null;
  /** Its group of lines, once the first of them was sent. */
  group: string | null;
  /** Recorded ids of calls without a result. */
  calls: Set<string>;
  /** Its prompt was answered, and it goes on. */
  isAccepted: boolean;
}

export class LiveTurns {
  readonly #open = new Map<number, LiveTurn>();

  get(prompt: number | null): LiveTurn | null {
    return prompt === null ? null : (this.#open.get(prompt) ?? null);
  }

  begin({ f }: ClientStep, line: JsonObject | null): void {
    this.#open.set(f, { prompt: f, line, group: null, calls: new Set(), isAccepted: false });
  }

  end(prompt: number): void {
    this.#open.delete(prompt);
  }

  some(matches: (turn: LiveTurn) => boolean): boolean {
    return [...this.#open.values()].some(matches);
  }

  /** Another turn whose first line was sent: lines of this one must wait, unless turns may be side by side. */
  blockingTurn(agentStep: AgentStep): LiveTurn | null {
    for (const turn of this.#open.values()) if (turn.group !== null && turn.group !== agentStep.group) return turn;
    return null;
  }

  sent(agentStep: AgentStep): void {
    const accepted = agentStep.answers === null ? undefined : this.#open.get(agentStep.answers);
    if (accepted) accepted.isAccepted = true;
    if (agentStep.prompt === null) return;
    // A prompt on the command line has no line of the client.
    if (agentStep.prompt === 0 && !this.#open.has(0) && agentStep.ends === null)
      this.begin({ f: 0 } as ClientStep, null);
    const turn = this.#open.get(agentStep.prompt);
    if (turn) {
      turn.group = agentStep.group;
      for (const event of agentStep.events) {
        if (event.kind === 'tool-call' && event.call !== null) turn.calls.add(event.call);
        else if (event.kind === 'tool-result' && event.call !== null) turn.calls.delete(event.call);
      }
    }
    if (agentStep.ends !== null) this.#open.delete(agentStep.ends);
  }

  /** The prompt was refused: there is no turn. */
  refused(agentStep: AgentStep): void {
    const turn = agentStep.answers === null ? undefined : this.#open.get(agentStep.answers);
    if (turn?.group === null && agentStep.message.envelope === 'error') this.#open.delete(turn.prompt);
  }

  /** The open turn that a live line is about: the only one, or the one that has an id in common with it. */
  turnOf(value: unknown, tree: IdTree): LiveTurn | null {
    const turns = [...this.#open.values()];
    if (turns.length <= 1) return turns[0] ?? null;
    const ids = sharedIdsIn(value, tree);
    return turns.find(({ line }) => [...sharedIdsIn(line, tree)].some((id) => ids.has(id))) ?? turns.at(-1)!;
  }
}

function sharedIdsIn(value: unknown, tree: IdTree): Set<unknown> {
  const ids = new Set<unknown>();
  eachId(value, tree, (id, place) => {
    if (place === 'shared') ids.add(id);
  });
  return ids;
}
