import { Command, type Option } from 'commander';
import { completeQuery } from '../analysis/query/complete.ts';
import { DIALECTS } from '../dialects/index.ts';
import { Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { storeHome } from '../storage/store/home.ts';
import { readNames } from '../storage/store/names.ts';
import { listIds, placeOf } from '../storage/store/sessions.ts';
import type { CommandContext, Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape completion bash >> ~/.bash_completion
  $ wiretape completion zsh > ~/.zfunc/_wiretape  # a folder of $fpath
  $ wiretape completion fish > ~/.config/fish/completions/wiretape.fish

The script completes commands, options, sessions, and the qualifiers and values
of queries.`;

/** The scripts ask the program itself, so they never go out of date. Words are passed as typed. */
const SCRIPTS: Record<string, string> = {
  bash: `_wiretape() {
  local line="\${COMP_LINE:0:COMP_POINT}" IFS=$'\\n'
  COMPREPLY=($(wiretape completion --line "$line" 2>/dev/null))
  local word="\${COMP_WORDS[COMP_CWORD]}"
  [[ \${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$word"))
  [[ "\${COMPREPLY[0]}" == *: ]] && compopt -o nospace
}
complete -o default -F _wiretape wiretape
`,
  zsh: `#compdef wiretape
_wiretape() {
  local -a words_found
  words_found=(\${(f)"$(wiretape completion --whole --line "\${LBUFFER}" 2>/dev/null)"})
  if (( \${#words_found} )); then compadd -Q -S '' -- $words_found; else _files; fi
}
if [[ "\${funcstack[1]}" == _wiretape ]]; then _wiretape "$@"; else compdef _wiretape wiretape; fi
`,
  fish: `function __wiretape
  wiretape completion --whole --line (commandline -cp) 2>/dev/null
end
complete -c wiretape -a '(__wiretape)'
`,
};

interface CompletionOptions extends Flags<'whole'> {
  line?: string;
}

export const define: Define = (command, context) => {
  const { io } = context;
  command
    .argument('[shell]', `one of ${Object.keys(SCRIPTS).join(', ')}`)
    .option('--line <line>', 'print completions for this line (used by the scripts)')
    .option('--whole', 'print whole words, not only the part after the last colon')
    .addHelpText('after', HELP)
    .action(async (shell: string | undefined, { line, whole }: CompletionOptions) => {
      if (line !== undefined) {
        const { word, found } = await complete(line, context);
        const from = whole ? 0 : Math.max(word.lastIndexOf(':'), word.lastIndexOf('=')) + 1;
        return void (await io.write(found.map((one) => `${visible(one.slice(from))}\n`).join('')));
      }
      const script = SCRIPTS[shell ?? ''];
      if (!script) {
        throw new Failure(
          shell === undefined ? 'no shell given' : `no completion script for ${JSON.stringify(shell)}`,
          `use one of: ${Object.keys(SCRIPTS).join(', ')}`,
        );
      }
      await io.write(script);
    });
};

/** The word being typed, and its completions. */
async function complete(line: string, context: CommandContext): Promise<{ word: string; found: string[] }> {
  const words = splitWords(line).slice(1);
  const word = words.pop() ?? '';
  const found = await listCandidates(words, word, context);
  return { word, found: found.filter((one) => one.startsWith(word)) };
}

async function listCandidates(before: string[], word: string, context: CommandContext): Promise<string[]> {
  const [name, ...rest] = before;
  const names = context.commands.map((spec) => spec.name);
  if (name === undefined || name === 'help') return [...names, name === undefined ? 'help' : 'query'];
  const spec = context.commands.find((one) => one.name === name);
  if (!spec || rest.includes('--')) return [];
  const command = new Command(name);
  (await spec.load()).define(command, context);
  const last = rest.at(-1) ?? '';
  const option = command.options.find(({ short, long, required }) => required && (last === short || last === long));
  if (option) return optionValues(option, word);
  if (word.startsWith('-')) return command.options.flatMap(({ short, long }) => [short ?? [], long ?? []].flat());
  const given = rest.filter((one) => !one.startsWith('-')).length;
  const args = command.registeredArguments;
  const argument = args[Math.min(given, args.length - 1)];
  return argument ? argumentValues(argument.name(), word, context) : [];
}

function optionValues(option: Option, word: string): string[] {
  const name = option.name();
  if (name === 'query') return completeQuery(word);
  if (name === 'dialect') return DIALECTS.map((dialect) => dialect.name);
  if (option.flags.endsWith('<stream>')) return ['client', 'agent', 'stderr', 'proc'];
  return name === 'color' ? ['always', 'never', 'auto'] : [];
}

function argumentValues(argument: string, word: string, { io }: CommandContext): string[] {
  if (argument === 'query') return completeQuery(word);
  if (argument === 'shell') return Object.keys(SCRIPTS);
  if (!['session', 'sessions', 'words'].includes(argument)) return [];
  const home = storeHome(io.env);
  const ids = listIds(home).reverse();
  const names = ids.flatMap((id) => readNames(placeOf(home, id).dir).name ?? []);
  return ['last', ...names, ...ids];
}

/** Splits a line into words as a shell does. The last word may be incomplete. */
function splitWords(line: string): string[] {
  const words = [''];
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const c = line[i]!;
    if (quote) {
      if (c === quote) quote = '';
      else words[words.length - 1] += c;
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '\\') words[words.length - 1] += line[++i] ?? '';
    else if (c === ' ') words.push('');
    else words[words.length - 1] += c;
  }
  return words.filter((word, i) => word !== '' || i === words.length - 1);
}
