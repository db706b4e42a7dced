/** The traits of pi. */
import { traits } from '../traits.ts';
import { piDecline, piReply } from './reply.ts';

export const piTraits = traits({
  // It never asks by itself, whatever the options, and has no modes.
  modes: null,
  oneShot: [['--mode', 'json']],
  // A dialog may have a time limit, after which it is answered with nothing.
  asksTimeOut: true,
  conversations: {
    resumes: ['--continue', '-c', '--resume', '-r', '--session', '--fork'],
    options: ['--session'],
    methods: ['switch_session'],
    paths: [['data', 'sessionId']],
  },
  reply: piReply,
  decline: piDecline,
  replay: {
    ids: ['id', 'toolCallId'],
    // How a message ended is reported at its end; its first line has it only if there is no other.
    volatile: ['timestamp', 'message.timestamp', 'message.stopReason', 'message.errorMessage'],
    refuse: (id, method) => ({
      ...{ id, type: 'response', command: method, success: false, error: `Unknown command: ${method}` },
    }),
  },
});
