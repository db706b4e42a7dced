/** The traits of the Copilot SDK. */
import { JSON_RPC, refuseMethod, traits } from '../traits.ts';
import { copilotDecline, copilotReply, GREETING } from './reply.ts';

export const copilotTraits = traits({
  jsonRpc: JSON_RPC,
  turnsSideBySide: true,
  agentResolvesAsks: true,
  feedbackIsOptional: true,
  switches: [
    { mode: 'yolo', options: ['--yolo', '--allow-all'] },
    { mode: 'allow-all-tools', options: ['--allow-all-tools'] },
  ],
  modes: { options: [], shortcuts: [] },
  conversations: { resumes: ['--resume', '--continue'], paths: [['result', 'sessionId']] },
  requestsNeedingIds: /^(?:connect|ping|session\.(?:create|resume|send|abort|detach)|runtime\.shutdown)$/,
  reply: copilotReply,
  decline: copilotDecline,
  greeting: GREETING,
  replay: {
    ids: [
      ...['id', 'params.sessionId', 'result.sessionId', 'result.messageId', 'params.requestId', 'params.event.agentId'],
      ...['params.event.data.requestId', 'params.event.data.toolCallId', 'params.event.data.messageId'],
      'params.event.data.permissionRequest.toolCallId',
      // The client may give a session its id.
      ...['params.scope.sessionId', 'params.event.data.sessionId', 'params.event.data.ownerSessionId'],
    ],
    volatile: [
      ...['params.event.id', 'params.event.parentId', 'params.event.timestamp', 'params.metadata.startTime'],
      ...['params.event.data.interactionId', 'params.event.data.turnId', 'params.event.data.duration'],
      ...[
        'result.startTime',
        'result.nativeSessionId',
        'params.metadata.modifiedTime',
        'params.payload.subscriptionId',
      ],
    ],
    refuse: refuseMethod('Unhandled method'),
  },
});
