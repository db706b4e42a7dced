/**
 * Modes that the client switches with a slash command, which agents announce only in words: kimi's `/yolo` and `/afk`. What
 * an agent says counts only in the turn of such a command.
 */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';

const COMMAND = /^\s*\/(?:yolo|afk)\b/;
const ANNOUNCEMENTS: [said: string, name: string, on: boolean][] = [
  ['You only live once!', 'yolo', true],
  ['You only die once!', 'yolo', false],
  ['afk mode enabled', 'afk', true],
  ['afk mode disabled', 'afk', false],
];
const MAX_ANNOUNCEMENT_LENGTH = 40;

export class SlashModes {
  /** The frames of such prompts. */
  readonly #prompts = new LimitedMap<number, true>(100);
  /** The beginning of the agent's text in the turn of one; null: no announcement is expected. */
  #text: string | null = null;

  /** An announcement may follow, or go on. */
  get isExpecting(): boolean {
    return this.#text !== null;
  }

  /** The change that a frame announces; null for most. */
  take(f: number, from: string, events: readonly Event[]): Event | null {
    let change: Event | null = null;
    for (const event of events) {
      if (event.kind === 'prompt' && from === 'client' && COMMAND.test(event.text ?? '')) this.#prompts.set(f, true);
      if (event.takes !== undefined) this.#text = this.#prompts.has(event.takes) ? '' : null;
      if (this.#text !== null && event.kind === 'text' && event.subagent === undefined)
        change = this.#matchAnnouncement(this.#text + (event.text ?? '').slice(0, MAX_ANNOUNCEMENT_LENGTH));
    }
    return change;
  }

  #matchAnnouncement(text: string): Event | null {
    const found = ANNOUNCEMENTS.find(([words]) => text.startsWith(words));
    this.#text = found || text.length >= MAX_ANNOUNCEMENT_LENGTH ? null : text;
    if (!found) return null;
    const [, name, on] = found;
    const change: Event = { kind: 'mode', mode: on ? name : 'default', done: true, switches: name };
    return on ? change : { ...change, text: `left ${name} mode` };
  }
}
