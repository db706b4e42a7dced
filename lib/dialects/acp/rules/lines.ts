/** The lines of an ACP session whose two sides speak one of these versions: of later ones nothing is known here. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';

const LATEST = 2;

export class AcpLines {
  readonly #versions: readonly number[];
  version = 1;

  constructor(...versions: number[]) {
    this.#versions = versions;
  }

  get isRead(): boolean {
    return this.#versions.includes(this.version);
  }

  /** Null in a session of another version. */
  read(read: ReadFrame): RpcLine | null {
    const line = rpcLine(read);
    if (line?.method === 'initialize' && line.is === 'answer' && line.ok) {
      const [offered, wanted] = [line.result.protocolVersion, line.params.protocolVersion];
      const isAgreed = typeof offered === 'number' && typeof wanted === 'number' && offered > 1 && offered <= wanted;
      this.version = isAgreed ? Math.min(offered, LATEST + 1) : 1;
    }
    return this.isRead ? line : null;
  }
}
