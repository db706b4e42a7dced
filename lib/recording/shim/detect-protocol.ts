/** The part of a shim that tells protocol runs from others: the rows of the table as functions of the shell. */
import type { ProtocolRuns } from './protocol-runs.ts';

/** Continues only if the arguments select a protocol. Functions have their own arguments and so need no variables. */
export function detectProtocol(runs: ProtocolRuns, agent: string): string {
  const help = `
# Asks only for help or the version.
wiretape_help() {
  while [ $# -gt 0 ]; do
    case $1 in
      --) return 1 ;;
      ${['--help', '--version', ...(runs.never ?? [])].join(' | ')}) return 0 ;;
    esac
    shift
  done
  return 1
}
`;
  if (runs.every) return `${help}\nwiretape_help "$@" && exec ${agent} "$@"\n`;
  return `
# An option that selects a protocol.
wiretape_option() {
${anyOf(runs.options ?? [], '  ')}
  return 1
}

# A subcommand: the first word that is neither an option nor an option's value. If a word may be either, it counts as the
# subcommand unless stdin is a terminal. 0: a protocol; 1: something else; 3: the options decide.
wiretape_command() {
  while [ $# -gt 0 ]; do
    case $1 in
${commands(runs)}
      --) return 3 ;;
      -p | --prompt | -c | --command | -i | --prompt-interactive) [ $# -gt 1 ] && shift ;;
      -*=*) ;;
      -*)
        case \${2--} in
          ${Object.keys(runs.commands ?? {}).join(' | ')}) [ ! -t 0 ] || return 3 ;;
          -*) ;;
          *) shift ;;
        esac
        ;;
      *) return 3 ;;
    esac
    shift
  done
  return 3
}

wiretape_run() {
  wiretape_command "$@"
  case $? in
    0) return 0 ;;
    1) return 1 ;;
  esac
  wiretape_option "$@"
}
${help}
wiretape_run "$@" && ! wiretape_help "$@" || exec ${agent} "$@"
`;
}

function commands({ commands = {}, others = [] }: ProtocolRuns): string {
  const lines: string[] = [];
  for (const [name, { with: needed, without }] of Object.entries(commands)) {
    if (!needed && !without) {
      lines.push(`      ${name}) return 0 ;;`);
      continue;
    }
    lines.push(`      ${name})`, '        shift');
    if (without) lines.push(anyOf(without, '        ', 1), '        return 0');
    // Without what it needs, it may be the first word of a prompt.
    if (needed) lines.push(anyOf(needed, '        '), '        return 3');
    lines.push('        ;;');
  }
  const rest = others.filter((name) => !Object.hasOwn(commands, name));
  if (rest.length > 0) lines.push(`      ${rest.join(' | ')}) return 1 ;;`);
  return lines.join('\n');
}

/** A loop that returns `found` at the first of these options and words, before a `--`. */
function anyOf(options: readonly string[], indent: string, found = 0): string {
  const alone = options.filter((option) => !option.includes(' '));
  const valued = options
    .map((option) => option.split(' '))
    .filter((parts): parts is [string, string] => parts.length === 2);
  const lines = ['while [ $# -gt 0 ]; do', '  case $1 in', '    --) break ;;'];
  const whole = [...alone, ...valued.filter(([name]) => name.startsWith('--')).map((parts) => parts.join('='))];
  if (whole.length > 0) lines.push(`    ${whole.join(' | ')}) return ${found} ;;`);
  for (const name of new Set(valued.map(([name]) => name))) {
    const values = valued.filter((parts) => parts[0] === name).map(([, value]) => value);
    lines.push(
      `    ${name})`,
      `      case \${2-} in`,
      `        ${values.join(' | ')}) return ${found} ;;`,
      '      esac',
      '      ;;',
    );
  }
  lines.push('  esac', '  shift', 'done');
  return lines.map((line) => indent + line).join('\n');
}
