/**
 * Modes that the client switches with a slash command, which agents announce only in words: kimi's `/yolo` and `/afk`. What
 * an agent says counts only in the turn of such a command.
 */
import type { Event } from '../../model/event.ts';
import { Recent } from '../../model/recent.ts';

const COMMAND = /^\s*\/(?:yolo|afk)\b/;
const ANNOUNCEMENTS: [said: string, name: string, on: boolean][] = [
  ['You only live once!', 'yolo', true],
  ['You only die once!', 'yolo', false],
  ['afk mode enabled', 'afk', true],
  ['afk mode disabled', 'afk', false],
];
const LONGEST = 40;

export class SlashModes {
  /** The frames of such prompts. */
  readonly #prompts = new Recent<number, true>(100);
  /** The beginning of the agent's text in the turn of one; null: no announcement is expected. */
  #said: string | null = null;

  /** An announcement may follow, or go on. */
  get isListening(): boolean {
    return this.#said !== null;
  }

  /** The change that a frame announces; null for most. */
  take(f: number, from: string, events: readonly Event[]): Event | null {
    let change: Event | null = null;
    for (const event of events) {
      if (event.kind === 'prompt' && from === 'client' && COMMAND.test(event.text ?? '')) this.#prompts.set(f, true);
      if (event.takes !== undefined) this.#said = this.#prompts.has(event.takes) ? '' : null;
      if (this.#said !== null && event.kind === 'text' && event.subagent === undefined)
        change = this.#hear(this.#said + (event.text ?? '').slice(0, LONGEST));
    }
    return change;
  }

  #hear(said: string): Event | null {
    const found = ANNOUNCEMENTS.find(([words]) => said.startsWith(words));
    this.#said = found || said.length >= LONGEST ? null : said;
    if (!found) return null;
    const [, name, on] = found;
    const change: Event = { kind: 'mode', mode: on ? name : 'default', done: true, switches: name };
    return on ? change : { ...change, text: `left ${name} mode` };
  }
}
