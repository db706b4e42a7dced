import { resolve } from 'node:path';
import { Failure } from '../failure.ts';
import { run } from '../record/run.ts';
import { withoutShim } from '../shim/find.ts';
import { storeHome } from '../store/home.ts';
import { parseTag } from '../store/names.ts';
import type { Context, Define } from './index.ts';

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
  tag?: string[];
  tape?: string;
  dialect?: string;
  store?: string;
  strict?: boolean;
}

/** The options, for the help and for the quick way alike; `bin/unrecorded.ts` knows that only `--strict` has no value. */
export const OPTIONS: readonly { name: keyof Options; value?: string; help: string }[] = [
  { name: 'name', value: '<name>', help: 'a name to find the session by' },
  { name: 'tag', value: '<key=value>', help: 'a tag; may be given again' },
  { name: 'tape', value: '<path>', help: 'write the tape here; an existing file is never touched' },
  { name: 'dialect', value: '<dialect>', help: 'the protocol, where detection would be wrong' },
  { name: 'store', value: '<dir>', help: 'the store to keep the session in, whatever $WIRETAPE_HOME says' },
  { name: 'strict', help: 'if recording fails, stop the agent and exit 125' },
];

export const define: Define = (command, context) => {
  command
    .usage('[options] [--] AGENT [ARGS…]')
    .argument('<agent>', 'the command that starts the agent')
    .argument('[args...]', 'its arguments, passed on as they are')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action((agent: string, args: string[], options: Options) => start([agent, ...args], options, context));
  for (const { name, value, help } of OPTIONS) {
    if (name === 'tag') command.option(`--tag ${value}`, help, (tag: string, tags: string[] = []) => [...tags, tag]);
    else command.option(value ? `--${name} ${value}` : `--${name}`, help);
  }
};

/**
 * The quick way: a plain `record` starts without the argument parser, which would cost a fifth of our start-up time.
 * Whatever it does not understand at once (help, mistakes) is left to the parser: then it returns null.
 */
export function startQuickly(argv: readonly string[], context: Context): Promise<void> | null {
  const options: Options = {};
  let i = 0;
  while (argv[i]?.startsWith('--') && argv[i] !== '--') {
    const words = takeOption(argv, i, options);
    if (words === 0) return null;
    i += words;
  }
  if (argv[i] === '--') i++;
  else if (argv[i]?.startsWith('-')) return null;
  return i < argv.length ? start(argv.slice(i), options, context) : null;
}

/** Takes the option at `i` and says how many words it was; 0 if it is not understood. */
function takeOption(argv: readonly string[], i: number, options: Options): number {
  const [, name, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(argv[i]!) ?? [];
  const option = OPTIONS.find((known) => known.name === name);
  const value = option?.value ? (inline ?? argv[i + 1]) : inline === undefined;
  if (!option || value === undefined || value === false) return 0;
  if (option.name === 'tag') options.tag = [...(options.tag ?? []), value as string];
  else Object.assign(options, { [option.name]: value });
  return option.value && inline === undefined ? 2 : 1;
}

async function start(command: readonly string[], options: Options, { io, exit }: Context): Promise<void> {
  const outcome = await run({
    home: options.store ? resolve(options.store) : storeHome(io.env),
    command: withoutShim(command, io.env.PATH),
    env: io.env,
    names: { name: options.name ?? null, tags: Object.fromEntries((options.tag ?? []).map(tagOf)) },
    tape: options.tape ?? null,
    dialect: options.dialect ?? null,
    strict: options.strict ?? false,
  });
  exit('signal' in outcome ? outcome : outcome.code);
}

function tagOf(word: string): [string, string] {
  const tag = parseTag(word);
  if (!tag) throw new Failure(`--tag ${JSON.stringify(word)} has no value`, 'a tag is written key=value');
  return tag;
}
