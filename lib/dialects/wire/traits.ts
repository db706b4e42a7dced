/** The traits of Wire and of its predecessor. */
import { traits } from '../traits.ts';
import { wireLegacyReplay, wireReplay } from './replay.ts';
import { GREETING, wireDecline, wireReply } from './reply.ts';

const SHARED = {
  feedbackIsOptional: true,
  switches: [
    { mode: 'yolo', options: ['--yolo', '-y', '--yes', '--auto-approve'] },
    { mode: 'afk', options: ['--afk'] },
    { mode: 'print', options: ['--print'] },
  ],
  modes: null,
  conversations: {
    options: ['--session', '--resume', '-S', '-r'],
    stderr: /^To resume this session: kimi -r (\S+)/,
  },
  idsMustBeStrings: true,
  reply: wireReply,
  decline: wireDecline,
} satisfies Parameters<typeof traits>[0];

const STRING_IDS = 'Wire requires string ids';
const REFUSALS = {
  'initialize -32601': 'kimi-cli before 0.80 has no handshake: continue without it',
  'prompt -32000': 'the agent handles one prompt at a time: wait for the answer, or cancel the turn first',
};

export const wireTraits = traits({
  ...SHARED,
  agentResolvesAsks: true,
  greeting: GREETING,
  requestsNeedingIds: /^(?:initialize|prompt|replay|steer|cancel|set_plan_mode)$/,
  errorMeanings: {
    [-32000]: 'invalid state',
    [-32001]: 'no model set',
    [-32002]: 'model not supported',
    [-32003]: 'chat provider error',
    [-32004]: 'login expired',
  },
  hints: {
    stringIds: STRING_IDS,
    cancelledUnanswered: 'kimi-cli before 1.12 never answers a prompt that is cancelled while it waits for the client',
    noHandshake: {
      cause: 'the client did not send initialize: kimi-cli 1.25 and later then sends it no approval requests',
      hint: 'send initialize before the first prompt, or start the agent with --yolo',
    },
    noApprovalsInLog: 'kimi-cli 1.25 and later keeps no approvals in its own log, so their absence proves nothing',
    refusals: REFUSALS,
  },
  replay: wireReplay,
});

export const wireLegacyTraits = traits({
  ...SHARED,
  requestsNeedingIds: /^(?:initialize|run|prompt)$/,
  errorMeanings: {
    [-32000]: 'invalid state',
    [-32001]: 'no model set',
    [-32002]: 'chat provider error',
    [-32003]: 'model not supported',
  },
  hints: {
    stringIds: STRING_IDS,
    approvalIgnored: {
      cause: 'kimi-cli before 0.59 does not read answers during a run, so an approval never completes',
      hint: 'use a newer agent, or start this one with --yolo',
    },
    handshakeIgnored: {
      cause: 'kimi-cli before 0.59 does not support initialize',
      hint: 'skip it and start the agent with --yolo, as approvals do not work, or use a newer agent',
    },
    refusals: REFUSALS,
  },
  replay: wireLegacyReplay,
});
