/** The lines of an ACP session, as long as both sides speak version 1: of later ones nothing is known here. */
import type { ReadFrame } from '../../../model/read-frame.ts';
import { type RpcLine, rpcLine } from '../../rules/rpc-line.ts';

export class AcpLines {
  isLater = false;

  read(read: ReadFrame): RpcLine | null {
    const line = rpcLine(read);
    if (line?.method === 'initialize' && line.is === 'answer' && line.ok) {
      const [offered, wanted] = [line.result.protocolVersion, line.params.protocolVersion];
      this.isLater = typeof offered === 'number' && typeof wanted === 'number' && offered > 1 && offered <= wanted;
    }
    return this.isLater ? null : line;
  }
}
