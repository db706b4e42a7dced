/** The entry of each rule, by its id. A test holds that every rule has one, with an example that breaks it. */
import { ACP_ENTRIES } from './acp.ts';
import { CODEX_ENTRIES } from './codex.ts';
import type { Entry } from './entry.ts';
import { FRAMED_ENTRIES } from './framed.ts';
import { IO_ENTRIES } from './io.ts';
import { MCP_ENTRIES } from './mcp.ts';
import { PI_ENTRIES } from './pi.ts';
import { PRINT_ENTRIES } from './print.ts';
import { RFC_ENTRIES } from './rfc.ts';
import { RPC_ENTRIES } from './rpc.ts';
import { STREAM_ENTRIES } from './stream.ts';
import { WIRE_ENTRIES } from './wire.ts';

const OWN: Readonly<Record<string, Entry>> = {
  ...IO_ENTRIES,
  ...RPC_ENTRIES,
  ...WIRE_ENTRIES,
  ...ACP_ENTRIES,
  ...MCP_ENTRIES,
  ...CODEX_ENTRIES,
  ...STREAM_ENTRIES,
  ...RFC_ENTRIES,
  ...PRINT_ENTRIES,
  ...PI_ENTRIES,
  ...FRAMED_ENTRIES,
};

/** What several families have under one name: requests and their answers, and shapes. */
const COMMON: Readonly<Record<string, Entry>> = {
  'unknown-answer': {
    means:
      'The answer has an id that no open or earlier request has. The real request stays open, and its sender may wait for ever.',
    fix: 'Copy the id from the request that you answer, with its JSON type.',
  },
  'answer-id-type': {
    means: 'The answer has the right id with the wrong JSON type: `1` is not `"1"`. The asker does not recognise it.',
    fix: 'Copy the id as it is. Do not convert ids to strings or numbers.',
  },
  'answered-twice': {
    means: 'The request was already answered. The second answer is ignored, or taken for an answer to something else.',
    fix: 'Remove a request from the table of open ones when it is answered.',
  },
  'id-in-use': {
    means: 'A second request has the id of one that is still open. Their answers cannot be told apart.',
    fix: 'Count ids up, or use UUIDs.',
  },
  'unanswered-by-agent': {
    means: 'A request of the client was never answered, and nobody made the agent end. The client may wait for ever.',
    fix: 'Agent: answer every request, with an error if need be, also when a handler throws.',
  },
  'unanswered-by-client': {
    means: 'A request of the agent was never answered. The agent waits, and the user sees it hang.',
    fix: 'Client: answer every request, with an error if you do not know its method.',
  },
  shape: {
    means:
      'A required field is missing, or a known field has another type. The message names the field and quotes the value. Unknown fields are allowed.',
    fix: 'Send the field as the protocol defines it. If the peer accepts it as it is, the protocol may be newer than this rule.',
  },
};

/** Undefined: there is no such rule. */
export function entryOf(id: string): Entry | undefined {
  return OWN[id] ?? COMMON[id.slice(id.indexOf('-') + 1)];
}
