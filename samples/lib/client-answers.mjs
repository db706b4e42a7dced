// How the sample client answers the agent's requests: by a policy that a script may change on the way.
// While it holds, requests wait; a request it cannot answer is told to the agent as an error.

import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {object} Policy
 * @property {string | object | (string | object)[]} approve a decision, { response, feedback }, or a list used up one by one
 * @property {string} answer
 * @property {number} delay seconds before each answer
 * @property {boolean} hold
 */

export class Answers {
  /** Requests without an answer yet, by id. @type {Map<string, {type: string, payload: any}>} */
  #open = new Map();
  #connection;
  #account;

  /**
   * @param {import('./client-connection.mjs').Connection} connection
   * @param {import('./client-account.mjs').Account} account
   * @param {Policy} policy
   */
  constructor(connection, account, policy) {
    this.#connection = connection;
    this.#account = account;
    this.policy = policy;
    /** Replayed requests are history: they must not be answered. */
    this.replaying = false;
    connection.on('request', (id, type, payload) => {
      if (this.replaying) return;
      const again = this.#open.has(id);
      this.#open.set(id, { type, payload });
      if (!again && !this.policy.hold) this.#answer(id);
    });
    connection.on('event', (type, { request_id }) => {
      // The agent settled it by itself: a cancel, or an approval for the whole session.
      if (type === 'ApprovalResponse') this.#open.delete(request_id);
    });
  }

  get unanswered() {
    return [...this.#open.values()].map(({ type }) => type);
  }

  /** Changes the policy; letting go of `hold` answers everything that waited. */
  change(policy) {
    const held = this.policy.hold;
    this.policy = { ...this.policy, ...policy };
    if (held && !this.policy.hold) for (const id of this.#open.keys()) this.#answer(id);
  }

  /** The end of a turn takes its requests back. */
  forgetTurn() {
    for (const [id, { payload }] of this.#open) {
      if (payload.source_kind !== 'background_agent') this.#open.delete(id);
    }
  }

  async #answer(id) {
    const request = this.#open.get(id);
    const answer = (ANSWERS[request.type] ?? refuse)(request.payload, this.policy, request.type);
    if (answer === null) return;
    if (this.policy.delay > 0) await sleep(this.policy.delay * 1000);
    if (!this.#open.delete(id)) return;
    this.#account.answered(request.type, answer);
    this.#connection.answer(id, answer);
  }
}

const ANSWERS = {
  ApprovalRequest({ id }, policy) {
    const decision = nextDecision(policy);
    if (decision === 'never') return null;
    if (decision === 'error') return { error: { code: -32000, message: 'client refused' } };
    const { response, feedback } = typeof decision === 'string' ? { response: decision } : decision;
    return { result: { request_id: id, response, ...(feedback === undefined ? {} : { feedback }) } };
  },

  ToolCallRequest({ id, arguments: args }) {
    const { path = 'nothing' } = readArguments(args);
    const return_value = { is_error: false, output: 'Opened', message: `Opened ${path} in IDE`, display: [] };
    return { result: { tool_call_id: id, return_value } };
  },

  QuestionRequest({ id, questions }, { answer }) {
    const choices = questions.map(({ question, options }) => [question, options.at(answer === 'last' ? -1 : 0).label]);
    return { result: { request_id: id, answers: answer === 'dismiss' ? {} : Object.fromEntries(choices) } };
  },

  HookRequest: ({ id }) => ({ result: { request_id: id, action: 'allow', reason: '' } }),
};

function refuse(_payload, _policy, type) {
  return { error: { code: -32601, message: `Unknown request: ${type}` } };
}

/** The next decision of a list, whose last one stays in force. */
function nextDecision(policy) {
  if (!Array.isArray(policy.approve)) return policy.approve;
  return policy.approve.length > 1 ? policy.approve.shift() : policy.approve[0];
}

function readArguments(args) {
  try {
    return JSON.parse(args) ?? {};
  } catch {
    return {};
  }
}
