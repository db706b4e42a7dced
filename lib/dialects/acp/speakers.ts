/**
 * The subagents of an ACP session. ACP has no field for them, so adapters put them in `_meta`: the call that started the
 * speaker (Claude), or an id of the speaker alone (Copilot).
 */
import { LimitedMap } from '../../model/limited-map.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

export interface AcpSpeaker {
  subagent?: string;
  parent?: string;
}

const MAIN: AcpSpeaker = {};
const MAX_WAITING = 100;

export class AcpSpeakers {
  /** Calls that start an agent, until one speaks or the call ends, oldest first. */
  readonly #waiting = new LimitedMap<string, true>(MAX_WAITING);
  /** The call that started an agent; null if unknown. */
  readonly #parents = new LimitedMap<string, string | null>();

  of(update: JsonObject): AcpSpeaker {
    if (update._meta === undefined) return MAIN;
    const meta = objectOf(update._meta);
    const parent = stringOf(meta.parentToolCallId) ?? stringOf(objectOf(meta.claudeCode).parentToolUseId);
    if (parent !== null) return { subagent: parent, parent };
    const subagent = stringOf(objectOf(meta['github.com/copilot']).agentId);
    return subagent === null ? MAIN : this.#named(subagent);
  }

  /** A call is announced. Copilot's names the type of the agent that it starts. */
  called(call: string, update: JsonObject): void {
    if (typeof objectOf(update.rawInput).agent_type === 'string') this.#waiting.set(call, true);
  }

  ended(call: string): void {
    this.#waiting.delete(call);
  }

  /** Agents speak in the order in which they were started, as far as anything tells. */
  #named(subagent: string): AcpSpeaker {
    let parent = this.#parents.get(subagent);
    if (parent === undefined) {
      const [oldest] = this.#waiting.keys();
      parent = oldest ?? null;
      if (oldest !== undefined) this.#waiting.delete(oldest);
      this.#parents.set(subagent, parent);
    }
    return parent === null ? { subagent } : { subagent, parent };
  }
}
