/** Tool calls of pi: each is started, reports its output so far, and ends. */
import type { Event } from '../../model/event.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { blocksOf, readable } from '../common/content.ts';
import { jsonText, objectOf, stringOf, withText } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** Of pi's own tools, those that change or run something. */
const WRITERS = new Set(['bash', 'edit', 'write']);

export class PiTools {
  /** Started, and without a result, by id. */
  readonly #open = new LimitedMap<string, string | null>(1000);

  /** The call that an extension asks about: they are started one by one. */
  get latest(): { id: string; tool: string | null } | null {
    const last = [...this.#open.entries()].at(-1);
    return last ? { id: last[0], tool: last[1] } : null;
  }

  starts({ toolCallId, toolName, args }: JsonObject): Event {
    const call = stringOf(toolCallId);
    const tool = stringOf(toolName);
    if (call !== null) this.#open.set(call, tool);
    const event: Event = { kind: 'tool-call', call, tool, args: jsonText(args), complete: true };
    if (tool !== null && WRITERS.has(tool)) event.writes = true;
    return event;
  }

  goesOn({ toolCallId, toolName, partialResult }: JsonObject): Event {
    const text = readable(blocksOf(objectOf(partialResult).content)) ?? '';
    return { kind: 'progress', call: stringOf(toolCallId), tool: stringOf(toolName), text, replace: true };
  }

  ends({ toolCallId, toolName, result, isError }: JsonObject): Event {
    const call = stringOf(toolCallId);
    if (call !== null) this.#open.delete(call);
    const blocks = blocksOf(objectOf(result).content);
    const event: Event = {
      ...{ kind: 'tool-result', call, tool: stringOf(toolName), ok: isError !== true, blocks, displays: [] },
    };
    return withText(event, readable(blocks));
  }

  /** The run is over, and so is what it started. */
  clear(): void {
    this.#open.clear();
  }
}
