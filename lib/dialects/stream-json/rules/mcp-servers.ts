/**
 * MCP inside stream-json. A client may have MCP servers of its own; the agent talks to them through `mcp_message` on the
 * control channel. So the agent is the MCP client, and the client the server.
 */
import type { Exchange, Pairing } from '../../../model/exchange.ts';
import { LimitedMap } from '../../../model/limited-map.ts';
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { objectOf, stringOf } from '../../common/fields.ts';
import type { CarriedDialect, CarriedMessage, JsonObject } from '../../dialect.ts';
import { textOrJson } from '../../rules/rule.ts';

export const mcpServers: CarriedDialect = {
  dialect: 'mcp',
  open() {
    const channel = new McpChannel();
    return (read) => channel.read(read);
  },
};

class McpChannel {
  /** Servers by what was asked of them, if that is itself a request. */
  readonly #servers = new LimitedMap<Exchange, string>();

  read({ value, pairing }: ReadFrame): CarriedMessage | null {
    if (!isObject(value)) return null;
    if (value.type === 'control_request') return this.#request(objectOf(value.request), pairing);
    if (value.type !== 'control_response' || pairing?.role !== 'answers') return null;
    // A notification is answered too, with something that means nothing.
    const server = this.#servers.get(pairing.exchange!);
    const answer = objectOf(objectOf(value.response).response).mcp_response;
    return server === undefined || !isObject(answer) ? null : makeCarried(server, answer);
  }

  #request({ subtype, server_name, message }: JsonObject, pairing: Pairing | null): CarriedMessage | null {
    const server = stringOf(server_name);
    if (subtype !== 'mcp_message' || server === null || !isObject(message)) return null;
    if (pairing?.role === 'asks-again') return null;
    if (pairing?.exchange && 'id' in message) this.#servers.set(pairing.exchange, server);
    return makeCarried(server, message);
  }
}

function makeCarried(server: string, message: JsonObject): CarriedMessage {
  return { session: server, label: `MCP server ${textOrJson(server)}, whose client is the agent`, message };
}
