import { write } from 'node:fs';
import { Writable } from 'node:stream';

/** Writes to a descriptor without changing its mode: it may be shared with other programs. */
export class DescriptorWriter extends Writable {
  readonly #fd: number;

  constructor(fd: number) {
    super({ decodeStrings: true });
    this.#fd = fd;
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    write(this.#fd, chunk, 0, chunk.length, null, (error, written) => {
      if (error?.code === 'EAGAIN' && !this.destroyed) {
        setTimeout(() => this._write(chunk, _encoding, done), 5);
      } else if (error) {
        done(error);
      } else if (written < chunk.length) {
        this._write(chunk.subarray(written), _encoding, done);
      } else {
        done();
      }
    });
  }
}
