/** The traits of letta. */

import { objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';
import { streamJsonReplay } from '../stream-json/replay.ts';
import { GREETING } from '../stream-json/reply.ts';
import { type DepartedTurn, traits } from '../traits.ts';
import { lettaDecline, lettaReply } from './reply.ts';

export const lettaTraits = traits({
  // Its own default is not reported before a call goes ahead.
  modes: {
    options: ['--permission-mode'],
    shortcuts: [{ mode: 'unrestricted', options: ['--yolo'] }],
    bypass: /^unrestricted$/,
  },
  reply: lettaReply,
  decline: lettaDecline,
  greeting: GREETING,
  conversations: {
    resumes: ['--continue', '-c', '--resume', '-r', '--conversation', '--conv', '-C', '--agent', '-a'],
    options: ['--agent', '-a'],
    // Conversations are numbered by each agent; only the agent's id is its own.
    paths: [['agent_id']],
  },
  replay: {
    ids: [
      ...['session_id', 'agent_id', 'conversation_id', 'uuid', 'id', 'otid', 'run_id', 'item_id', 'item_ids[*]'],
      ...['client_message_id', 'batch_id', 'tool_call.tool_call_id', 'request.tool_call_id'],
      ...['response.response.agent_id', 'api_error.run_id'],
    ],
    requestIds: streamJsonReplay.requestIds!,
    volatile: ['duration_ms', 'duration_api_ms', 'timestamp', 'date'],
    refuse: streamJsonReplay.refuse!,
    refuseContent: streamJsonReplay.refuseContent!,
    answerAlways: streamJsonReplay.answerAlways!,
    endTurn,
  },
});

/** No result of the refused call is shown: the turn has its result line. */
function endTurn({ how, answer, last }: DepartedTurn): JsonObject[] {
  const { session_id, agent_id, conversation_id } = objectOf(last);
  const { request, request_id } = objectOf(answer);
  const end: JsonObject = {
    type: 'result',
    subtype: how === 'cancelled' ? 'interrupted' : 'success',
    session_id: stringOf(session_id) ?? '',
    duration_ms: 0,
    duration_api_ms: 0,
    num_turns: 1,
    result: how === 'cancelled' ? '' : 'The tape does not have what follows from this answer',
    ...{ agent_id, conversation_id, run_ids: [], usage: null },
  };
  if (how !== 'cancelled' || objectOf(request).subtype !== 'interrupt') return [end];
  return [end, { type: 'control_response', response: { subtype: 'success', request_id } }];
}
