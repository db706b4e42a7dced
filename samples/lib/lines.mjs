// Lines on pipes, shared by the sample agent and the sample client.
// Reading splits on LF alone and on bytes, so no character is torn; writing survives a reader that has gone.

const LF = 0x0a;

/**
 * Calls `onLine` for every line (without its LF; a last line without LF counts too), then `onEnd` once.
 * @param {import('node:stream').Readable} stream
 * @param {(line: string) => void} onLine
 * @param {() => void} [onEnd]
 */
export function readLines(stream, onLine, onEnd = () => {}) {
  /** @type {Buffer[]} */
  let pieces = [];
  const take = () => {
    const line = Buffer.concat(pieces).toString('utf8');
    pieces = [];
    return line;
  };
  stream.on('data', (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, start)) {
      pieces.push(chunk.subarray(start, end));
      start = end + 1;
      onLine(take());
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start));
  });
  stream.on('end', () => {
    if (pieces.length > 0) onLine(take());
    onEnd();
  });
}

/** Writes lines until it is closed or the reader goes away; whatever comes after that is dropped silently. */
export class LineWriter {
  #stream;
  #open = true;
  #congested = false;
  /** @type {(() => void)[]} */
  #waiting = [];

  /**
   * @param {import('node:stream').Writable} stream
   * @param {() => void} [onBroken] called once when the other end has closed the pipe
   */
  constructor(stream, onBroken = () => {}) {
    this.#stream = stream;
    const release = () => {
      this.#congested = false;
      for (const go of this.#waiting.splice(0)) go();
    };
    stream.on('drain', release);
    stream.on('close', release);
    stream.on('error', () => {
      release();
      if (!this.#open) return;
      this.#open = false;
      onBroken();
    });
  }

  /** @param {string} line */
  write(line) {
    if (this.#open && !this.#stream.write(`${line}\n`)) this.#congested = true;
  }

  /** From now on nothing is written; what was written before still arrives. */
  close() {
    this.#open = false;
  }

  /** Resolves when the reader has caught up, so that a flood stays within bounded memory. */
  async drained() {
    if (this.#open && this.#congested) await new Promise((go) => this.#waiting.push(() => go(undefined)));
  }
}
