/** The traits of the Model Context Protocol. */
import { JSON_RPC, traits } from '../traits.ts';
import { mcpReplay } from './replay.ts';
import { GREETING, mcpDecline, mcpReply } from './reply.ts';

export const mcpTraits = traits({
  jsonRpc: { ...JSON_RPC, forbidsNullIds: true },
  hasTurns: false,
  clientCallsTools: true,
  toolMethod: 'tools/call',
  requestsNeedingIds:
    /^(?:initialize|ping|(?:tools|prompts|resources)\/[\w/]+|completion\/complete|logging\/setLevel)$/,
  readySignal: 'notifications/initialized',
  cancelWithdrawsRequest: true,
  reply: mcpReply,
  decline: mcpDecline,
  greeting: GREETING,
  errorMeanings: { [-32002]: 'resource not found', [-32042]: 'elicitation needed' },
  replay: mcpReplay,
});
