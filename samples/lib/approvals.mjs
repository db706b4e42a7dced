// Approvals: asking, the answer's meaning, and what "for this session" grants.
// They live beside the turn: a client that never initialized is never asked, and waits for ever.

import { randomUUID } from 'node:crypto';

const DECISIONS = ['approve', 'approve_for_session', 'reject'];

/**
 * @typedef {{kind: 'foreground_turn' | 'background_agent', id: string, agentId: string | null, subagentType: string | null}} Source
 * @typedef {{response: string, feedback: string}} Verdict
 */

export class Approvals {
  /** @type {Map<string, {payload: any, settle: (verdict: Verdict) => void}>} */
  #open = new Map();
  #granted = new Set();
  #session;
  #asked = 0;
  /** @type {{count: number, reached: () => void}[]} */
  #watchers = [];

  /** @param {import('./session.mjs').Session} session */
  constructor(session) {
    this.#session = session;
  }

  /**
   * Resolves to the client's verdict, or at once when nobody needs to be asked.
   * @param {{toolCallId: string, sender: string, action: string, description: string, display: object[]}} about
   * @param {Source} source
   * @returns {Promise<Verdict>}
   */
  ask(about, source) {
    this.#count();
    if (this.#session.yolo || this.#granted.has(about.action)) return Promise.resolve(verdict('approve'));
    const id = randomUUID();
    const payload = {
      id,
      tool_call_id: about.toolCallId,
      sender: about.sender,
      action: about.action,
      description: about.description,
      source_kind: source.kind,
      source_id: source.id,
      agent_id: source.agentId,
      subagent_type: source.subagentType,
      source_description: null,
      display: about.display,
    };
    return new Promise((settle) => {
      this.#open.set(id, { payload, settle });
      if (this.#session.initialized) this.#send(id);
    });
  }

  /** Resolves when `count` calls have needed a verdict, whoever gave it. */
  asked(count) {
    if (this.#asked >= count) return Promise.resolve();
    return new Promise((reached) => this.#watchers.push({ count, reached }));
  }

  /** A repeated initialize sends every open approval again, under the same id. */
  resend() {
    for (const id of this.#open.keys()) this.#send(id);
  }

  /** The end of a turn rejects what it left open; background agents keep theirs. */
  rejectForeground() {
    for (const [id, { payload }] of this.#open) {
      if (payload.source_kind === 'foreground_turn') this.#settle(id, verdict('reject'));
    }
  }

  #count() {
    this.#asked++;
    for (const { count, reached } of this.#watchers) if (count <= this.#asked) reached();
    this.#watchers = this.#watchers.filter(({ count }) => count > this.#asked);
  }

  #send(id) {
    const { payload } = this.#open.get(id);
    this.#session.requests.send(id, 'ApprovalRequest', payload, (answer) => {
      const { response, feedback } = readAnswer(answer);
      if (response === 'approve_for_session') this.#granted.add(payload.action);
      this.#settle(id, { response, feedback });
      if (response === 'approve_for_session') this.#sweep(payload.action);
    });
  }

  #sweep(action) {
    for (const [id, { payload }] of this.#open) {
      if (payload.action === action) this.#settle(id, verdict('approve'));
    }
  }

  #settle(id, { response, feedback }) {
    const { settle } = this.#open.get(id);
    this.#open.delete(id);
    this.#session.requests.forget(id);
    if (this.#session.initialized) {
      this.#session.wire.event('ApprovalResponse', { request_id: id, response, feedback });
    }
    settle({ response, feedback });
  }
}

const verdict = (response) => ({ response, feedback: '' });

/** Errors, a missing request_id and words nobody knows are rejections; a wrong request_id is overlooked. */
function readAnswer({ result, error }) {
  const { request_id, response, feedback = '' } = result ?? {};
  const valid =
    !error && typeof request_id === 'string' && DECISIONS.includes(response) && typeof feedback === 'string';
  return valid ? { response, feedback } : verdict('reject');
}
