/**
 * MCP inside stream-json. A client may have MCP servers of its own; the agent talks to them through `mcp_message` on the
 * control channel. So the agent is the MCP client, and the client the server.
 */
import type { Exchange, Pairing } from '../../../model/exchange.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { Recent } from '../../../model/recent.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { Carried, CarriedMessage, Json } from '../../dialect.ts';
import { word } from '../../rules/rule.ts';

export const mcpServers: Carried = {
  dialect: 'mcp',
  open() {
    const channel = new Channel();
    return (read) => channel.read(read);
  },
};

class Channel {
  /** Servers by what was asked of them, if that is itself a request. */
  readonly #asked = new Recent<Exchange, string>();

  read({ value, pairing }: ReadFrame): CarriedMessage | null {
    if (!isObject(value)) return null;
    if (value.type === 'control_request') return this.#request(objectOf(value.request), pairing);
    if (value.type !== 'control_response' || pairing?.role !== 'answers') return null;
    // A notification is answered too, with something that means nothing.
    const server = this.#asked.get(pairing.exchange!);
    const answer = objectOf(objectOf(value.response).response).mcp_response;
    return server === undefined || !isObject(answer) ? null : carried(server, answer);
  }

  #request({ subtype, server_name, message }: Json, pairing: Pairing | null): CarriedMessage | null {
    const server = stringOf(server_name);
    if (subtype !== 'mcp_message' || server === null || !isObject(message)) return null;
    if (pairing?.role === 'asks-again') return null;
    if (pairing?.exchange && 'id' in message) this.#asked.set(pairing.exchange, server);
    return carried(server, message);
  }
}

function carried(server: string, message: Json): CarriedMessage {
  return { session: server, label: `MCP server ${word(server)}, whose client is the agent`, message };
}
