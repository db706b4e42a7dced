/** Hints for words of other programs, and for words that this program no longer has. */

/** Commands of git, grep, docker and the like. */
const COMMAND_HINTS: Readonly<Record<string, string>> = {
  ...hintForEach(
    ['grep', 'search', 'find', 'rg'],
    'wiretape filter QUERY finds frames, wiretape ls QUERY finds sessions',
  ),
  ...hintForEach(
    ['log', 'logs', 'cat'],
    'wiretape show --frames prints a session frame by frame, wiretape ls lists sessions',
  ),
  ...hintForEach(['audit', 'permissions'], 'wiretape approvals lists what was asked, decided and run'),
  ...hintForEach(['list', 'ps', 'sessions', 'history'], 'wiretape ls lists sessions'),
  ...hintForEach(['watch', 'follow'], 'wiretape tail follows a running session'),
  ...hintForEach(['lint', 'validate'], 'wiretape check compares sessions with the rules of their protocol'),
  ...hintForEach(['run', 'exec', 'start'], 'wiretape record -- AGENT runs an agent and records it'),
  ...hintForEach(['delete', 'remove', 'clean'], 'wiretape rm SESSION removes sessions, wiretape prune old ones'),
};

function hintForEach(names: readonly string[], hint: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hint]));
}

/** Short options that had another meaning in these commands: -n is a number, -q a query, -a all sessions. */
const SHORT_OPTION_HINTS: Readonly<Record<string, string>> = {
  'rm -n': 'use --dry-run: -n is a number in other commands',
  'prune -n': 'use --dry-run: -n is a number in other commands',
  'verify -q': 'use --quiet: -q is a query in other commands',
  'approvals -a': 'use --all: -a means all sessions in other commands',
};

export function commandHint(name: string): string | undefined {
  return Object.hasOwn(COMMAND_HINTS, name.toLowerCase()) ? COMMAND_HINTS[name.toLowerCase()] : undefined;
}

/** `option` as it was typed: `-n`, `--since`, `--since=7d`; `argv` is all that was typed. */
export function optionHint(command: string, option: string, argv: readonly string[], now: Date): string | undefined {
  const [name = '', value] = option.split('=');
  if (name !== '--since') return SHORT_OPTION_HINTS[`${command} ${option.slice(0, 2)}`];
  const at = `at:${queryTime(value ?? argv[argv.indexOf(option) + 1] ?? '', now)}..*`;
  if (command === 'prune') return 'use --older-than 7d to remove what is older';
  if (command === 'ls') return `use a query: wiretape ls '${at}'`;
  if (command === 'filter') return `put it into the query: wiretape filter 'is:error ${at}'`;
  if (['show', 'tail', 'stats', 'check', 'approvals'].includes(command))
    return `use a query: wiretape ${command} -q '${at}'`;
  return `wiretape ls '${at}' lists sessions since then`;
}

const MINUTES: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440, w: 10_080 };

/** A time as queries take it: a date is kept, an age is counted back, anything else is today. */
function queryTime(text: string, now: Date): string {
  if (/^\d{4}-\d\d-\d\d(?:T[\d:]+Z?)?$/.test(text)) return text;
  const [, count = '0', unit = 'd'] = /^(\d{1,5})([mhdw])/.exec(text) ?? [];
  const then = new Date(now.getTime() - Number(count) * MINUTES[unit]! * 60_000).toISOString();
  return unit === 'd' || unit === 'w' ? then.slice(0, 10) : then.slice(0, 16);
}
