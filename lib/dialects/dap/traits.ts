/** The traits of the Debug Adapter Protocol. */

import type { ReplyTo } from '../common/reply.ts';
import type { JsonObject } from '../dialect.ts';
import { traits } from '../traits.ts';

const GREETING: JsonObject = {
  seq: 1,
  type: 'request',
  command: 'initialize',
  arguments: {
    adapterID: 'client',
    clientID: 'client',
    linesStartAt1: true,
    columnsStartAt1: true,
    pathFormat: 'path',
  },
};

const RESULTS: Readonly<Record<string, JsonObject>> = { runInTerminal: {}, startDebugging: {}, initialize: {} };

/** The answer needs a number of its own, which only its sender can know: here it is 0. */
const dapReply: ReplyTo = ({ seq, command }) => {
  if (typeof command !== 'string' || !Object.hasOwn(RESULTS, command)) return null;
  const line = { seq: 0, type: 'response', request_seq: seq, success: true, command, body: RESULTS[command] };
  return { line, or: [] };
};

export const dapTraits = traits({
  hasTurns: false,
  clientCallsTools: true,
  modes: null,
  conversations: { resumes: [] },
  cancelWithdrawsRequest: false,
  reply: dapReply,
  greeting: GREETING,
  replay: {
    ids: ['seq', 'request_seq', 'body.threadId', 'arguments.threadId', 'arguments.frameId'],
    // Each side numbers its own lines. `cancel` names a request.
    requestIds: ['request_seq'],
    senderIds: ['seq', 'arguments.requestId'],
    volatile: ['body.systemProcessId', 'body.data.packageVersion'],
    refuse: (id, method) => ({
      ...{ seq: 0, type: 'response', request_seq: id, success: false, command: method },
      message: `unknown command: ${method}`,
    }),
  },
});
