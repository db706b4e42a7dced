import { Command } from 'commander';
import { visible } from '../core/text.ts';
import { DIALECTS } from '../dialects/index.ts';
import { Failure } from '../failure.ts';
import { completeQuery } from '../filter/complete.ts';
import { storeHome } from '../store/home.ts';
import { readNames } from '../store/names.ts';
import { listIds, placeOf } from '../store/sessions.ts';
import type { Context, Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape completion bash > ~/.local/share/bash-completion/completions/wiretape
  $ wiretape completion zsh > ~/.zfunc/_wiretape           # a folder of $fpath
  $ wiretape completion fish > ~/.config/fish/completions/wiretape.fish

Completes commands, options, sessions, and queries: qualifiers and the words that they can have.`;

/** Each asks the program itself, so that they never go out of date. Words are passed as they were typed. */
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

interface Options {
  line?: string;
  whole?: boolean;
}

export const define: Define = (command, context) => {
  const { io } = context;
  command
    .argument('[shell]', `one of ${Object.keys(SCRIPTS).join(', ')}`)
    .option('--line <line>', 'what could come next on this line; asked by the scripts')
    .option('--whole', 'the whole word, not only what stands behind its last colon')
    .addHelpText('after', HELP)
    .action(async (shell: string | undefined, { line, whole }: Options) => {
      if (line !== undefined) {
        const { word, found } = await complete(line, context);
        const from = whole ? 0 : Math.max(word.lastIndexOf(':'), word.lastIndexOf('=')) + 1;
        return void (await io.write(found.map((one) => `${visible(one.slice(from))}\n`).join('')));
      }
      const script = SCRIPTS[shell ?? ''];
      if (!script) {
        throw new Failure(
          shell === undefined ? 'for which shell' : `there is no completion for ${JSON.stringify(shell)}`,
          `one of ${Object.keys(SCRIPTS).join(', ')}`,
        );
      }
      await io.write(script);
    });
};

/** The word that is being typed, and what it could be. */
async function complete(line: string, context: Context): Promise<{ word: string; found: string[] }> {
  const words = split(line).slice(1);
  const word = words.pop() ?? '';
  const found = await candidates(words, word, context);
  return { word, found: found.filter((one) => one.startsWith(word)) };
}

async function candidates(before: string[], word: string, context: Context): Promise<string[]> {
  const [name, ...rest] = before;
  const names = context.commands.map((spec) => spec.name);
  if (name === undefined || name === 'help') return [...names, name === undefined ? 'help' : 'query'];
  const spec = context.commands.find((one) => one.name === name);
  if (!spec || rest.includes('--')) return [];
  const command = new Command(name);
  (await spec.load()).define(command, context);
  const last = rest.at(-1) ?? '';
  const option = command.options.find(({ short, long, required }) => required && (last === short || last === long));
  if (option) return valuesOf(option.name(), word);
  if (word.startsWith('-')) return command.options.flatMap(({ short, long }) => [short ?? [], long ?? []].flat());
  const given = rest.filter((one) => !one.startsWith('-')).length;
  const args = command.registeredArguments;
  const argument = args[Math.min(given, args.length - 1)];
  return argument ? argumentsOf(argument.name(), word, context) : [];
}

function valuesOf(option: string, word: string): string[] {
  if (option === 'query') return completeQuery(word);
  if (option === 'dialect') return DIALECTS.map(({ name }) => name);
  if (option === 'from') return ['client', 'agent', 'stderr', 'proc'];
  return option === 'color' ? ['always', 'never', 'auto'] : [];
}

function argumentsOf(argument: string, word: string, { io }: Context): string[] {
  if (argument === 'query') return completeQuery(word);
  if (argument === 'shell') return Object.keys(SCRIPTS);
  if (!['session', 'sessions', 'words'].includes(argument)) return [];
  const home = storeHome(io.env);
  const ids = listIds(home).reverse();
  const names = ids.flatMap((id) => readNames(placeOf(home, id).dir).name ?? []);
  return ['last', ...names, ...ids];
}

/** The words of a line, the last one as far as it is typed; quotes and backslashes as in a shell. */
function split(line: string): string[] {
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
