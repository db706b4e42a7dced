import { InvalidArgumentError } from 'commander';
import { run } from '../record/run.ts';
import { storeHome } from '../store/home.ts';
import type { Define } from './index.ts';

const HELP = `
Put it in front of the command that starts the agent; nothing else changes for the client:
  $ wiretape record -- kimi --wire
  $ wiretape record --name login-bug --tag client=zed -- kimi acp
  $ wiretape record --tape ./run.jsonl -- qwen --input-format stream-json --output-format stream-json
  $ wiretape record -- npx -y @modelcontextprotocol/server-everything

Bytes are forwarded untouched and before they are recorded. The exit code is the agent's own, or its signal;
126 or 127 if the agent cannot be started, 125 if wiretape itself fails.`;

interface Options {
  name?: string;
  tag: Record<string, string>;
  tape?: string;
  dialect?: string;
  strict?: boolean;
}

export const define: Define = (command, { io, exit }) => {
  command
    .usage('[options] [--] AGENT [ARGS…]')
    .argument('<agent>', 'the command that starts the agent')
    .argument('[args...]', 'its arguments, passed on as they are')
    .option('--name <name>', 'a name to find the session by')
    .option('--tag <key=value>', 'a tag; may be given again', addTag, {})
    .option('--tape <path>', 'write the tape here; an existing file is never touched')
    .option('--dialect <dialect>', 'the protocol, where detection would be wrong')
    .option('--strict', 'if recording fails, stop the agent and exit 125')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action(async (agent: string, args: string[], options: Options) => {
      const outcome = await run({
        home: storeHome(io.env),
        command: [agent, ...args],
        env: io.env,
        names: { name: options.name ?? null, tags: options.tag },
        tape: options.tape ?? null,
        dialect: options.dialect ?? null,
        strict: options.strict ?? false,
      });
      exit('signal' in outcome ? outcome : outcome.code);
    });
};

function addTag(word: string, tags: Record<string, string>): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (key === undefined) throw new InvalidArgumentError('a tag is written key=value');
  return { ...tags, [key]: value! };
}
