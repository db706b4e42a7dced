import { resolve } from 'node:path';
import { Failure } from '../model/failure.ts';
import { run } from '../recording/recorder/run.ts';
import { withoutShim } from '../recording/shim/find-shims.ts';
import { storeHome } from '../storage/store/home.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { collectValues, tagsOf } from './shared/options.ts';

const HELP = `
Put it before the command that starts the agent. Nothing else changes for the
client:
  $ wiretape record -- kimi --wire
  $ wiretape record --name login-bug --tag client=zed -- kimi acp
  $ wiretape record --tape ./run.jsonl -- qwen --input-format stream-json
  $ wiretape record -- npx -y @modelcontextprotocol/server-everything

Bytes are forwarded unchanged, before they are recorded.
Exit codes: that of the agent, or its signal; 126 or 127 if the agent cannot be
started, 125 if wiretape fails.`;

interface RecordOptions extends Flags<'strict'> {
  name?: string;
  tag?: string[];
  tape?: string;
  dialect?: string;
  replays?: string;
  otlp?: string;
  store?: string;
}

/** The options, for Commander and for `startQuickly`. `bin/unrecorded.ts` relies on `--strict` being the only flag. */
export const RECORD_OPTIONS: readonly { name: keyof RecordOptions; value?: string; help: string }[] = [
  { name: 'name', value: '<name>', help: 'name the session' },
  { name: 'tag', value: '<key=value>', help: 'add a tag; may be repeated' },
  { name: 'tape', value: '<path>', help: 'write the tape to this file; fails if it exists' },
  { name: 'dialect', value: '<dialect>', help: 'the protocol, if detection is wrong' },
  { name: 'replays', value: '<session>', help: 'the session that the client replays, for wiretape replay' },
  { name: 'otlp', value: '<url>', help: 'also send spans to this OpenTelemetry collector' },
  { name: 'store', value: '<dir>', help: 'the store to use, instead of $WIRETAPE_HOME' },
  { name: 'strict', help: 'if recording fails, stop the agent and exit 125' },
];

export const define: Define = (command, context) => {
  command
    .usage('[options] [--] AGENT [ARGS…]')
    .argument('<agent>', 'the command that starts the agent')
    .argument('[args...]', 'its arguments, passed on unchanged')
    .passThroughOptions()
    .addHelpText('after', HELP)
    .action((agent: string, args: string[], options: RecordOptions) =>
      startRecording([agent, ...args], options, context),
    );
  for (const { name, value, help } of RECORD_OPTIONS) {
    if (name === 'tag') command.option(`--tag ${value}`, help, collectValues);
    else command.option(value ? `--${name} ${value}` : `--${name}`, help);
  }
};

/**
 * Starts a plain `record` without the argument parser. To load and run that takes 7 ms of the 64 ms until the agent's first
 * byte (medians of 150 pairs of runs, Node 20, two cores), which every client of every agent would wait. Returns null for
 * everything else (help, mistakes), which the parser handles; both take their options from `RECORD_OPTIONS`.
 */
export function startQuickly(argv: readonly string[], context: CommandContext): Promise<void> | null {
  const options: RecordOptions = {};
  let i = 0;
  while (argv[i]?.startsWith('--') && argv[i] !== '--') {
    const words = takeOption(argv, i, options);
    if (words === 0) return null;
    i += words;
  }
  if (argv[i] === '--') i++;
  else if (argv[i]?.startsWith('-')) return null;
  return i < argv.length ? startRecording(argv.slice(i), options, context) : null;
}

/** Reads the option at `i` and returns the number of words it takes; 0 if it is not plain. */
function takeOption(argv: readonly string[], i: number, options: RecordOptions): number {
  const [, name, inline] = /^--([a-z]+)(?:=(.*))?$/s.exec(argv[i]!) ?? [];
  const option = RECORD_OPTIONS.find((known) => known.name === name);
  const value = option?.value ? (inline ?? argv[i + 1]) : inline === undefined;
  if (!option || value === undefined || value === false) return 0;
  if (option.name === 'tag') options.tag = [...(options.tag ?? []), value as string];
  else Object.assign(options, { [option.name]: value });
  return option.value && inline === undefined ? 2 : 1;
}

function checkCollector(url: string | undefined): string | null {
  if (url === undefined || /^https?:\/\/[^/]/i.test(url)) return url ?? null;
  throw new Failure(`invalid endpoint: ${url}`, 'give the address of a collector, such as http://localhost:4318');
}

async function startRecording(
  command: readonly string[],
  options: RecordOptions,
  { io, exit }: CommandContext,
): Promise<void> {
  const outcome = await run({
    home: options.store ? resolve(options.store) : storeHome(io.env),
    command: withoutShim(command, io.env.PATH),
    env: io.env,
    names: { name: options.name ?? null, tags: tagsOf(options.tag) },
    tape: options.tape ?? null,
    dialect: options.dialect ?? null,
    replays: options.replays ?? null,
    otlp: checkCollector(options.otlp),
    strict: options.strict ?? false,
  });
  exit('signal' in outcome ? outcome : outcome.code);
}
