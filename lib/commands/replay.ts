import { INSTANT, MAX_GAP, type PaceOptions, paceOf, repeated, SPEED } from '../options.ts';
import { CLIENT_OPTIONS, type ClientOptions, runAsClient } from '../replay/client/command.ts';
import { storeHome } from '../store/home.ts';
import { metadataOf, withSession } from '../store/open.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape replay last -- kimi --wire          drive an agent from a session
  $ wiretape replay k3f9 --instant -- kimi acp   without the recorded pauses
  $ wiretape replay k3f9 --until f120 -- kimi acp    fork: go on by hand

The recorded client's lines are sent to the agent, each when its moment has
come, and what the agent asks is answered as recorded. The run is recorded as a
new session. What was never allowed on the tape is rejected.
Exit codes: 0 the agent did what the tape says, 1 it did not, 2 error; 126 or
127 if the agent cannot be started.`;

interface Options extends ClientOptions, PaceOptions {}

export const define: Define = (command, { io, exit }) => {
  command
    .usage('[options] SESSION -- AGENT [ARGS…]')
    .argument('<session>', 'a session or a tape')
    .argument('<agent...>', 'the command that starts the agent')
    .option(...SPEED)
    .option(...MAX_GAP)
    .option(...INSTANT)
    .option('--report <file>', 'write the report to this file, as JSON')
    .option('--name <name>', 'name the new session')
    .option('--tag <key=value>', 'add a tag to the new session; may be repeated', repeated)
    .addHelpText('after', HELP)
    .action(async (word: string, agent: string[], options: Options) => {
      const home = storeHome(io.env);
      const pace = paceOf(options);
      exit(
        await withSession(home, word, (session) => {
          metadataOf(session);
          return runAsClient(session, agent, { ...options, pace, home }, io);
        }),
      );
    });
  for (const [flags, help, parse] of CLIENT_OPTIONS) {
    if (parse) command.option(flags, help, parse);
    else command.option(flags, help);
  }
};
