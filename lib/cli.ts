/** The program, made from the command list. Parses, runs one command, and returns how the process should end. */
import type { Command } from 'commander';
import { COMMANDS, type Context } from './commands/index.ts';
import { visible } from './core/text.ts';
import { Exit, Failure } from './failure.ts';
import { decideColor, type Io, report } from './io.ts';

export type Outcome = number | { signal: NodeJS.Signals };

const DESCRIPTION = 'Records, replays and inspects the stdio conversations between clients and coding agents.';
const EXAMPLES = `
Examples:
  $ wiretape demo                              see what it does, nothing to install
  $ wiretape record -- kimi --wire             in place of: kimi --wire
  $ wiretape shim kimi                         for clients that take only a path
  $ wiretape ls                                what was recorded
  $ wiretape show last                         the newest session, as a person reads it
  $ wiretape filter is:error                   frames that match a query (wiretape help query)
  $ wiretape tail                              a running session, as it happens
  $ wiretape stats last                        the same in numbers: waits, tools, tokens
  $ wiretape show last --raw --from agent      the exact bytes the agent wrote

Tapes are kept in $WIRETAPE_HOME, else in ~/.local/share/wiretape.
Exit codes: 0 done or yes, 1 the answer is no, 2 could not, 125 record's own failure,
126/127 agent not executable / not found; record exits as its agent did.`;

const COLOR = ['--color <when>', 'always, never or auto'] as const;

export async function main(argv: readonly string[], io: Io): Promise<Outcome> {
  let outcome: Outcome = Exit.ok;
  const context: Context = {
    io,
    commands: COMMANDS,
    exit: (how) => {
      outcome = how;
    },
  };
  try {
    if (!(await quickly(argv, context))) await withParser(argv, context);
  } catch (error) {
    return report(error, io);
  } finally {
    await io.close();
  }
  return io.lost ? report(io.lost, io) : outcome;
}

/** Plain commands that are in a hurry, without the argument parser; false: it is not that plain. */
async function quickly([name, ...words]: readonly string[], context: Context): Promise<boolean> {
  const hurried = {
    record: () => import('./commands/record.ts'),
    filter: () => import('./commands/filter.ts'),
    ls: () => import('./commands/ls.ts'),
  };
  if (name === undefined || !Object.hasOwn(hurried, name)) return false;
  const { startQuickly } = await hurried[name as keyof typeof hurried]();
  const running = startQuickly(words, context);
  await running;
  return running !== null;
}

async function withParser(argv: readonly string[], context: Context): Promise<void> {
  const { io } = context;
  if (argv[0] === 'help' && argv[1] === 'query') return helpWithQueries(io);
  const [{ Command, CommanderError }, { VERSION }] = await Promise.all([import('commander'), import('./version.ts')]);
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
    throw new Failure(`there is no command ${JSON.stringify(wanted)}`, 'wiretape help lists them');
  for (const spec of COMMANDS) {
    const command = program.command(spec.name).summary(spec.summary).description(sentence(spec.summary));
    if (spec.name !== wanted) continue;
    (await spec.load()).define(command, context);
    if (spec.name !== 'record') command.option(...COLOR);
  }
  settle(program, io);
  program.hook('preAction', (_, command) => {
    const { color } = command.optsWithGlobals<{ color?: string }>();
    if (color !== undefined && !['always', 'never', 'auto'].includes(color)) {
      throw new Failure(`--color ${JSON.stringify(color)} is not known`, 'one of always, never, auto');
    }
    io.color = decideColor(io.env, io.interactive, color);
  });
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has said what there was to say; help and version are no errors.
    if (error.exitCode !== 0) context.exit(Exit.failed);
  }
}

/** The one help that is not a command's. */
async function helpWithQueries(io: Io): Promise<void> {
  const { helpQuery } = await import('./filter/help.ts');
  io.page();
  await io.write(`${helpQuery().join('\n')}\n`);
}

function sentence(summary: string): string {
  return `${summary[0]!.toUpperCase()}${summary.slice(1)}.`;
}

/** What was typed is quoted in it, whatever that is; the suggestion behind it is Commander's own. */
function inOurWords(error: string): string {
  const [, message, meant] = /^(?:error: )?([\s\S]*?)(?:\n\((Did you mean [\w ,-]+\?)\))?\n?$/.exec(error)!;
  // A term of a query that is negated looks like an option.
  const isTerm = /unknown option '-[a-z@]+:/.test(message!);
  const hint = isTerm ? 'a query that starts with a minus is written with NOT' : meant;
  return `wiretape: ${visible(message!)}${hint === undefined ? '' : `\nhint: ${hint}`}\n`;
}

/** Commander must neither exit nor write by itself. */
function settle(command: Command, io: Io): void {
  command.exitOverride();
  command.configureOutput({
    writeOut: (text) => void io.write(text),
    writeErr: (text) => io.say(text.trimEnd()),
    outputError: (text, write) => write(inOurWords(text)),
  });
  for (const sub of command.commands) settle(sub, io);
}
