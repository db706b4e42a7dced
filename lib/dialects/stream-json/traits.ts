/** The traits of stream-json. */
import { traits } from '../traits.ts';
import { streamJsonReplay } from './replay.ts';
import { GREETING, streamJsonDecline, streamJsonReply } from './reply.ts';

export const streamJsonTraits = traits({
  asksTimeOut: true,
  promptFirstIsDirectMode: true,
  reply: streamJsonReply,
  decline: streamJsonDecline,
  greeting: GREETING,
  conversations: { options: ['--resume', '-r'], paths: [['session_id']] },
  replay: streamJsonReplay,
});
