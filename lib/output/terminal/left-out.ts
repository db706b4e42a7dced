/** Says which calls nobody was asked about, because of a mode, in sessions of which a query selects nothing. */
import { visible } from '../../model/text/text.ts';
import { plural } from './words.ts';

export class LeftOut {
  #sessions = 0;
  readonly #calls = new Map<string, number>();

  /** `byMode`: how many calls of the session nobody was asked about, in each mode. */
  add(byMode: Readonly<Record<string, number>>): void {
    const modes = Object.entries(byMode);
    if (modes.length > 0) this.#sessions++;
    for (const [mode, calls] of modes) this.#calls.set(mode, (this.#calls.get(mode) ?? 0) + calls);
  }

  /** A sentence, or null if nothing is left out. */
  get words(): string | null {
    if (this.#sessions === 0) return null;
    const calls = [...this.#calls].map(
      ([mode, n]) => `${plural(n, 'call')} that nobody was asked about, in ${visible(mode)} mode`,
    );
    return `not selected by the query: ${calls.join(', ')} (${plural(this.#sessions, 'session')})`;
  }
}
