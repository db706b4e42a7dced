/**
 * The chain of digests that makes a tape tamper-evident:
 * digest = SHA-256(previous digest as 32 bytes, then the file from the previous seal line, inclusive, to this one).
 * The first seal starts from 32 zero bytes and the start of the file.
 */
import { createHash, type Hash } from 'node:crypto';

export class SealChain {
  #hash: Hash;

  constructor() {
    this.#hash = SealChain.#after(Buffer.alloc(32));
  }

  update(bytes: Uint8Array): void {
    this.#hash.update(bytes);
  }

  /** Ends a link and starts the next one. The caller then adds the seal line. */
  seal(): string {
    const digest = this.#hash.digest();
    this.#hash = SealChain.#after(digest);
    return digest.toString('hex');
  }

  /** Compares the digest with the stored one, and continues with the stored one. */
  compare(stored: string): boolean {
    const same = this.#hash.digest('hex') === stored;
    this.#hash = SealChain.#after(/^[0-9a-f]{64}$/.test(stored) ? Buffer.from(stored, 'hex') : Buffer.alloc(32));
    return same;
  }

  static #after(previous: Uint8Array): Hash {
    return createHash('sha256').update(previous);
  }
}

/** The line of a seal. `t` has six decimals. A final seal says whether the tape was finished after its recorder was killed. */
export function sealLine(f: number, t: string, at: unknown, sha256: string, final?: { recovered: boolean }): string {
  const end = final ? `,"final":true${final.recovered ? ',"recovered":true' : ''}` : '';
  return `{"type":"seal","f":${f},"t":${t},"at":"${at}","sha256":"${sha256}"${end}}`;
}
