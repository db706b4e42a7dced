/** The traits of the Agent Client Protocol. */
import { JSON_RPC, traits } from '../traits.ts';
import { acpReplay } from './replay.ts';
import { acpDecline, acpReply, GREETING } from './reply.ts';

export const acpTraits = traits({
  jsonRpc: JSON_RPC,
  turnsSideBySide: true,
  conversations: {
    methods: ['session/load', 'session/resume'],
    paths: [
      ['params', 'sessionId'],
      ['result', 'sessionId'],
    ],
  },
  requestsNeedingIds:
    /^(?:initialize|authenticate|auth\/log(?:in|out)|session\/(?:new|load|prompt|resume|list|set_mode|set_model)|(?:tool_call|terminal)\/cancel)$/,
  reply: acpReply,
  decline: acpDecline,
  greeting: GREETING,
  errorMeanings: { [-32000]: 'login needed', [-32002]: 'not found' },
  replay: acpReplay,
});
