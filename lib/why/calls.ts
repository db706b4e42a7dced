/** The calls of tools that have no result yet. */
import type { Event } from '../core/event.ts';
import { Recent } from '../core/timeline/recent.ts';

export interface RunningCall {
  f: number;
  t: number;
  id: string | null;
  tool: string | null;
  /** As JSON text, as far as they came. */
  args: string;
  /** It changes or runs something. */
  writes: boolean;
}

const MOST = 10_000;
const LONGEST = 1 << 16;

export class Calls {
  readonly #running = new Recent<string, RunningCall>(MOST);
  #latest: RunningCall | null = null;

  /** The oldest first. */
  get running(): RunningCall[] {
    return [...this.#running.values()];
  }

  take(event: Event, place: { f: number; t: number }): void {
    if (event.kind === 'tool-call') this.#call(event, place);
    else if (event.kind === 'tool-args') this.#more(event);
    else if (event.kind === 'tool-result') this.#running.delete(event.call ?? '');
    // What its turn has not finished is never finished.
    else if (event.kind === 'prompt-answer' || event.kind === 'step-retry') this.#running.clear();
  }

  #call(event: Event & { kind: 'tool-call' }, { f, t }: { f: number; t: number }): void {
    const key = event.call ?? '';
    const known = this.#running.get(key);
    if (known) {
      known.args = event.args ?? known.args;
      known.tool = event.tool ?? known.tool;
      return;
    }
    if (event.restates) return;
    const { call: id, tool = null, args, writes = false } = event;
    this.#latest = { f, t, id, tool, args: args ?? '', writes };
    this.#running.set(key, this.#latest);
  }

  #more({ call, text }: Event & { kind: 'tool-args' }): void {
    const one = call === null ? this.#latest : this.#running.get(call);
    if (one && one.args.length < LONGEST) one.args += text ?? '';
  }
}
