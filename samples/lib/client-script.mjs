// Plays the client's actions, one after another, and keeps a list of what went wrong.
// samples/README.md has the table of actions for authors.

import { setTimeout as sleep } from 'node:timers/promises';

const MESSAGES = ['event', 'request', 'stray'];

export class ScriptPlayer {
  /** Types of the messages since the last prompt was sent. */
  #seen = [];
  #strays = [];
  #openPrompt = null;

  /**
   * @param {import('./client-connection.mjs').Connection} connection
   * @param {import('./client-answers.mjs').Answers} answers
   * @param {import('./client-account.mjs').Account} account
   * @param {object} initializeParams
   */
  constructor(connection, answers, account, initializeParams) {
    this.connection = connection;
    this.answers = answers;
    this.account = account;
    this.initializeParams = initializeParams;
    /** @type {string[]} */
    this.problems = [];
    connection.on('event', (type) => this.#seen.push(type));
    connection.on('request', (_id, type) => this.#seen.push(type));
    connection.on('stray', (message) => this.#strays.push(message));
  }

  /** @param {any} action */
  async play(action) {
    const name = Object.keys(this.#actions).find((key) => key in action);
    if (!name) throw new Error(`unknown action ${JSON.stringify(action)}`);
    await this.#actions[name](action[name], action);
  }

  /** Waits for the prompt that a script left open. */
  async finish() {
    await this.#openPrompt;
  }

  #actions = {
    prompt: async (userInput, { expect, wait = true }) => {
      this.#seen.length = 0;
      this.account.client(`prompts: ${typeof userInput === 'string' ? userInput : JSON.stringify(userInput)}`);
      const answered = this.#call('prompt', { user_input: userInput }, expect).then(() => this.answers.forgetTurn());
      this.#openPrompt = answered;
      // A problem shows when the prompt is waited for; until then it must not count as unhandled.
      answered.catch(() => {});
      if (wait) await answered;
    },
    steer: (userInput, { expect }) => this.#call('steer', { user_input: userInput }, expect),
    cancel: (_yes, { expect }) => this.#call('cancel', {}, expect),
    set_plan_mode: (enabled, { expect }) => this.#call('set_plan_mode', { enabled }, expect),
    initialize: (_yes, { expect }) => this.#call('initialize', this.initializeParams, expect),
    replay: async (_yes, { expect }) => {
      this.answers.replaying = true;
      await this.#call('replay', undefined, expect);
      this.answers.replaying = false;
    },
    raw: async (line, { expect }) => {
      this.account.client(`writes: ${line}`);
      this.connection.raw(line);
      if (expect !== undefined) await this.#strayError(expect);
    },
    policy: (policy) => this.answers.change(policy),
    close: () => this.connection.close(),
    wait: async (what) => {
      if (typeof what === 'number') await sleep(what * 1000);
      else if (what === 'answer') await this.#openPrompt;
      else await this.#until(() => this.#seen.includes(what), what);
    },
  };

  /** Calls a method; anything but the expected status or error code (by default: no error) is a problem. */
  async #call(method, params, expect) {
    if (method !== 'prompt') this.account.client(method);
    const answer = await this.connection.call(method, params);
    this.account.answer(method, answer);
    const got = answer.error ? answer.error.code : answer.result?.status;
    const fine = expect === undefined ? !answer.error : got === expect;
    if (!fine) this.problems.push(`${method}: expected ${expect ?? 'a result'}, got ${got}`);
  }

  async #strayError(code) {
    await this.#until(() => this.#strays.length > 0, code);
    const { error } = this.#strays.shift();
    if (error.code !== code) this.problems.push(`expected ${code}, got ${error.code}`);
  }

  /**
   * Looks again after every message of the agent; gives up when the open prompt is over, or the agent has gone.
   * @returns {Promise<void>}
   */
  #until(reached, what) {
    return new Promise((resolve, reject) => {
      const stop = () => {
        for (const name of MESSAGES) this.connection.off(name, look);
      };
      const look = () => {
        if (!reached()) return;
        stop();
        resolve();
      };
      const miss = () => {
        stop();
        reject(new Error(`${what} never came`));
      };
      for (const name of MESSAGES) this.connection.on(name, look);
      this.connection.ended.then(miss);
      if (typeof what === 'string') this.#openPrompt?.then(miss, miss);
      look();
    });
  }
}
