/**
 * Terminals that an agent runs itself and a client only displays: `_meta.terminal_info` announces one with its call, later
 * updates add its output and its end. ACP itself has no field for them.
 */
import { LimitedMap } from '../../model/limited-map.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** The id of the terminal that a call announces for display. */
export function shownTerminal(update: JsonObject): string | null {
  return stringOf(objectOf(objectOf(update._meta).terminal_info).terminal_id);
}

/** What an update adds to the output of its call; '' if it only shows that the command ran; null if neither. */
export function terminalOutput(update: JsonObject): string | null {
  if (update._meta === undefined) return null;
  const { terminal_output_delta, terminal_output, terminal_exit } = objectOf(update._meta);
  const data = stringOf(objectOf(terminal_output_delta).data) ?? stringOf(objectOf(terminal_output).data);
  if (data !== null) return data;
  const { exit_code, signal } = objectOf(terminal_exit);
  // A command that was refused ends too, without a code.
  return typeof exit_code === 'number' || typeof signal === 'string' ? '' : null;
}

/** So many characters of output are kept for calls that have no result. */
const MAX_OUTPUT_LENGTH = 1 << 20;

/** What terminals have shown, until the result of their call. */
export class TerminalOutputs {
  readonly #texts = new LimitedMap<string, string>(1000);
  #room = MAX_OUTPUT_LENGTH;

  add(call: string, text: string): void {
    const kept = text.slice(0, this.#room);
    this.#room -= kept.length;
    if (kept !== '') this.#texts.set(call, (this.#texts.get(call) ?? '') + kept);
  }

  take(call: string): string | null {
    const text = this.#texts.get(call) ?? null;
    this.#texts.delete(call);
    this.#room += text?.length ?? 0;
    return text;
  }
}
