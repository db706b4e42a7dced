/**
 * Which MCP a session speaks: the one with a handshake, up to 2025-11-25, or the one without, from 2026-07-28 on, in which
 * every request names its version. A client that tries the newer one may fall back to the older.
 */

import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';

export class Era {
  /** The version without a handshake: the rules of the handshake do not apply. */
  isStateless = false;

  take({ frame, message, value }: ReadFrame): void {
    if (frame.from !== 'client' || message.envelope !== 'request') return;
    if (message.method === 'initialize') this.isStateless = false;
    else if (message.method === 'server/discover') this.isStateless = true;
    else if (stringOf(objectOf(objectOf(objectOf(value).params)._meta)[VERSION]) !== null) this.isStateless = true;
  }
}
