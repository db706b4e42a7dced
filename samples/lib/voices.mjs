// Who speaks on the wire: the root agent directly, a subagent through SubagentEvent.
// A subagent's stream is merged before it is wrapped, so it has no deltas; its requests go out unwrapped.

import { MergeBuffer } from './history.mjs';

export class RootVoice {
  #session;

  /** @param {import('./session.mjs').Session} session */
  constructor(session) {
    this.#session = session;
  }

  say(type, payload) {
    this.#session.wire.event(type, payload);
    this.#session.history.event(type, payload);
  }

  /** A request that belongs to the record; sent by the caller. */
  recordRequest(type, payload) {
    this.#session.history.request(type, payload);
  }
}

export class SubagentVoice {
  #root;
  #merging;

  /**
   * @param {RootVoice} root
   * @param {{parent_tool_call_id: string, agent_id: string, subagent_type: string}} who
   */
  constructor(root, who) {
    this.#root = root;
    this.#merging = new MergeBuffer((type, payload) => {
      root.say('SubagentEvent', { ...who, event: { type, payload } });
    });
  }

  say(type, payload) {
    this.#merging.add(type, payload);
  }

  recordRequest(type, payload) {
    this.#merging.flush();
    this.#root.recordRequest(type, payload);
  }
}
