/** The traits of stream-json. */
import { traits } from '../traits.ts';
import { streamJsonReplay } from './replay.ts';
import { GREETING, streamJsonReply } from './reply.ts';

export const streamJsonTraits = traits({
  asksTimeOut: true,
  promptFirstIsDirectMode: true,
  reply: streamJsonReply,
  greeting: GREETING,
  conversations: { options: ['--resume', '-r'], paths: [['session_id']] },
  replay: streamJsonReplay,
});
