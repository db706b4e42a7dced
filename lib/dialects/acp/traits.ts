/** The traits of the Agent Client Protocol. */
import { refusedAs, traits } from '../traits.ts';
import { acpReply, GREETING } from './reply.ts';

export const acpTraits = traits({
  turnsSideBySide: true,
  conversations: {
    methods: ['session/load', 'session/resume'],
    paths: [
      ['params', 'sessionId'],
      ['result', 'sessionId'],
    ],
  },
  requestsNeedingIds: /^(?:initialize|authenticate|session\/(?:new|load|prompt|resume|list|set_mode|set_model))$/,
  reply: acpReply,
  greeting: GREETING,
  errorMeanings: { [-32000]: 'login needed', [-32002]: 'not found' },
  replay: {
    ids: ['id', 'params.sessionId', 'result.sessionId', 'params.update.toolCallId', 'params.toolCall.toolCallId'],
    refuse: refusedAs('Method not found'),
  },
});
