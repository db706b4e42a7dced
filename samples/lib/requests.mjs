// Requests to the client that wait for an answer, by their JSON-RPC id.
// An answer to an id that nobody waits for (any more) is dropped without a word.

export class ClientRequests {
  /** @type {Map<string, (answer: {result?: any, error?: {message: string}}) => void>} */
  #waiting = new Map();
  #wire;

  /** @param {import('./jsonrpc.mjs').Wire} wire */
  constructor(wire) {
    this.#wire = wire;
  }

  /** Sends a request; `onAnswer` gets the first answer, good or bad. Sending it again keeps its id. */
  send(id, type, payload, onAnswer) {
    this.#waiting.set(id, onAnswer);
    this.#wire.request(id, type, payload);
  }

  /**
   * Sends a request on behalf of a turn and waits for the answer; the turn's end takes it back.
   * @param {import('./turn.mjs').Turn} turn
   * @returns {Promise<{result?: any, error?: {message: string}}>}
   */
  async ask(turn, id, type, payload) {
    try {
      return await turn.until(new Promise((resolve) => this.send(id, type, payload, resolve)));
    } finally {
      this.forget(id);
    }
  }

  answer({ id, result, error }) {
    const onAnswer = this.#waiting.get(id);
    this.forget(id);
    onAnswer?.({ result, error });
  }

  forget(id) {
    this.#waiting.delete(id);
  }
}
