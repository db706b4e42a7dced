/** The command line: parses it, runs one command, and returns how the process should end. */
import type { Command } from 'commander';
import { COMMANDS, type CommandContext } from './commands/index.ts';
import { commandHint, optionHint } from './commands/shared/command-hints.ts';
import { Exit, Failure } from './model/failure.ts';
import { maskSecrets } from './model/text/mask.ts';
import { visible } from './model/text/text.ts';
import { decideColor, type Io, reportError } from './output/terminal/io.ts';
import { fileInPlaceOf, storeHome } from './storage/store/home.ts';
import { watchReading } from './storage/tape/read-progress.ts';

export type ProcessOutcome = number | { signal: NodeJS.Signals };

const DESCRIPTION = 'Records and inspects the stdio conversations between clients and coding agents.';
const EXAMPLES = `
Examples:
  $ wiretape demo                          try it without installing an agent
  $ wiretape record -- kimi --wire         use it instead of: kimi --wire
  $ wiretape shim kimi                     for clients that accept only a path
  $ wiretape ls                            list recorded sessions
  $ wiretape show                          the timeline of the newest session
  $ wiretape play                          watch it again, at its own pace
  $ wiretape filter is:error               find frames: wiretape help query
  $ wiretape tail                          follow a running session
  $ wiretape stats last                    times, waits, tools and tokens
  $ wiretape check                         does it follow its protocol?
  $ wiretape approvals                     what was asked, decided and run
  $ wiretape why                           who has not answered whom
  $ wiretape diff                          compare the newest two sessions

Tapes are stored in $WIRETAPE_HOME (default: ~/.local/share/wiretape).
Exit codes: 0 success; 1 no match, or problems found; 2 error.
record exits as its agent did: 126 if the agent cannot be executed, 127 if it
is not found, 125 if wiretape itself fails.`;

const COLOR = ['--color <when>', 'always, never or auto'] as const;

export async function main(argv: readonly string[], io: Io): Promise<ProcessOutcome> {
  let outcome: ProcessOutcome = Exit.ok;
  const context: CommandContext = {
    io,
    argv,
    commands: COMMANDS,
    exit: (how) => {
      outcome = how;
    },
  };
  try {
    if (!(await startRecordingQuickly(argv, context))) await parseAndRun(argv, context);
  } catch (error) {
    const code = reportError(error, io);
    return argv[0] === 'record' && !(error instanceof Failure) ? Exit.notRecorded : code;
  } finally {
    await io.close();
    maskSecrets(null);
  }
  return io.lost ? reportError(io.lost, io) : outcome;
}

/** Plain `record` lines are read by `record`, because the agent would start later by the time that the parser takes. */
async function startRecordingQuickly([name, ...words]: readonly string[], context: CommandContext): Promise<boolean> {
  if (name !== 'record') return false;
  const { startQuickly } = await import('./commands/record.ts');
  const running = startQuickly(words, context);
  await running;
  return running !== null;
}

async function parseAndRun(argv: readonly string[], context: CommandContext): Promise<void> {
  const { io } = context;
  if (argv[0] === 'help' && argv[1] === 'query') return printQueryHelp(io);
  const [{ Command, CommanderError }, { VERSION }] = await Promise.all([
    import('commander'),
    import('./storage/system/installation.ts'),
  ]);
  const program = new Command('wiretape')
    .description(DESCRIPTION)
    .version(VERSION, '-V, --version', 'print the version')
    .option(...COLOR)
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES);
  const words = argv.filter((word, i) => !word.startsWith('-') && argv[i - 1] !== '--color');
  const wanted = words[0] === 'help' ? words[1] : words[0];
  if (
    words[0] === 'help' &&
    wanted !== undefined &&
    ![...COMMANDS, { name: 'help' }].some(({ name }) => name === wanted)
  )
    throw new Failure(
      `unknown command ${JSON.stringify(wanted)}`,
      commandHint(wanted) ?? 'wiretape help lists all commands',
    );
  for (const spec of COMMANDS) {
    const command = program.command(spec.name).summary(spec.summary).description(sentence(spec.summary));
    if (spec.name !== wanted) continue;
    (await spec.load()).define(command, context);
    if (spec.name !== 'record') command.option(...COLOR);
  }
  configureOutput(program, io, argv);
  program.hook('preAction', (_, command) => {
    const { color } = command.optsWithGlobals<{ color?: string }>();
    if (color !== undefined && !['always', 'never', 'auto'].includes(color)) {
      throw new Failure(`invalid value ${JSON.stringify(color)} for --color`, 'use always, never or auto');
    }
    io.color = decideColor(io.env, io.interactive, color);
    checkStore(command.name(), io.env);
    showReadingProgress(command.name(), io);
    const canShow = command.options.some(({ long }) => long === '--show-secrets');
    return hideSecrets(canShow, command.opts<SecretOptions>());
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has printed the message. Help and version are not errors.
    if (error.exitCode !== 0) context.exit(Exit.failed);
  }
}

/** Commands that use the terminal for something else, or read a live stream. */
const WITHOUT_READING_PROGRESS = ['record', 'replay', 'play', 'tail', 'demo', 'minimize'];

/** Shows progress while a long file is read. */
function showReadingProgress(command: string, io: Io): void {
  if (io.reading && !WITHOUT_READING_PROGRESS.includes(command)) watchReading((done, all) => io.reading!(done, all));
}

/**
 * Options that leave secrets unmasked: on request, in exact output for programs, and in pages, which are redacted
 * separately.
 */
const EXACT_OUTPUT_OPTIONS = ['showSecrets', 'json', 'raw', 'csv', 'format'] as const;
type SecretOptions = Partial<Record<(typeof EXACT_OUTPUT_OPTIONS)[number], unknown>>;

/** Commands with --show-secrets mask secrets in everything that they print. */
async function hideSecrets(canShow: boolean, options: SecretOptions): Promise<void> {
  const isHidden = canShow && !EXACT_OUTPUT_OPTIONS.some((name) => options[name]);
  maskSecrets(isHidden ? (await import('./model/text/secret.ts')).MASK_SECRETS : null);
}

/** Commands that work without a store or report its problems themselves: `record` must not stop the traffic. */
const WITHOUT_STORE = ['record', 'doctor', 'completion'];

function checkStore(command: string, env: NodeJS.ProcessEnv): void {
  if (WITHOUT_STORE.includes(command)) return;
  const home = storeHome(env);
  const file = fileInPlaceOf(home);
  if (file === null) return;
  const hint = env.WIRETAPE_HOME ? 'set WIRETAPE_HOME to a folder, or unset it' : 'move it, or set WIRETAPE_HOME';
  throw new Failure(file === home ? `the store ${home} is a file` : `no store at ${home}: ${file} is a file`, hint);
}

/** The only help topic that is not a command. */
async function printQueryHelp(io: Io): Promise<void> {
  const { helpQuery } = await import('./analysis/query/help.ts');
  io.page();
  await io.write(`${helpQuery().join('\n')}\n`);
}

function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

/** Commander's message in our format. It quotes what was typed, so control characters are made visible. */
function formatParserError(error: string, command: string, argv: readonly string[]): string {
  const [, message, meant] = /^(?:error: )?([\s\S]*?)(?:\n\((Did you mean [\w ,-]+\?)\))?\n?$/.exec(error)!;
  // A negated query term looks like an option.
  const isTerm = /unknown option '-[a-z@]+:/.test(message!);
  const [, what, word = ''] = /^unknown (command|option) '([\s\S]*)'$/.exec(message!) ?? [];
  const known = what === 'command' ? commandHint(word) : what && optionHint(command, word, argv, new Date());
  const help = command === 'wiretape' ? 'see wiretape help' : `see wiretape help ${command}`;
  const hint = isTerm ? 'to start a query with a negated term, use NOT instead of -' : (known ?? meant ?? help);
  return `wiretape: ${visible(message!)}\nhint: ${hint.replace(/^Did/, 'did')}\n`;
}

/** Commander must neither exit nor write by itself. */
function configureOutput(command: Command, io: Io, argv: readonly string[]): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => void io.write(text),
    writeErr: (text) => io.say(text.trimEnd()),
    outputError: (text, write) => write(formatParserError(text, command.name(), argv)),
  });
  for (const sub of command.commands) configureOutput(sub, io, argv);
}
