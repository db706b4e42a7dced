/** What is run on an input. `{}` is the file, `{sound}` one that is sound, `{out}` a folder of its own. */

const ANY = [
  ['show', '{}'],
  ['show', '{}', '--frames'],
  ['show', '{}', '--json'],
  ['show', '{}', '--frames', '--json'],
  ['show', '{}', '-q', 'is:error or has:secret or method:prompt'],
  ['show', '{}#f3'],
  ['show', '{}#f2', '--raw'],
  ['filter', 'is:error or kind:approval or "the"', '{}'],
  ['filter', 'latency>1ms or size>100 or @params.payload.id:*', '{}', '--json'],
  ['filter', '/(a|b)+c/', '{}'],
  ['stats', '{}'],
  ['stats', '{}', '--json'],
  ['approvals', '{}'],
  ['approvals', '{}', '--json'],
  ['approvals', '{}', '--csv'],
  ['approvals', '{}', '--summary'],
  ['check', '{}'],
  ['check', '{}', '--json'],
  ['why', '{}'],
  ['why', '{}', '--json'],
  ['verify', '{}'],
  ['verify', '{}', '--json'],
  ['diff', '{}', '{sound}'],
  ['diff', '{sound}', '{}', '--json'],
  ...['md', 'json', 'csv', 'mermaid', 'perfetto', 'otlp', 'asciicast', 'jsonl', 'kimi'].map((format) => [
    'export',
    '{}',
    '-f',
    format,
    '-o',
    '{out}/out',
    '--force',
  ]),
  ['export', '{}', '-f', 'html', '-o', '{out}/out', '--force'],
  ['redact', '{}', '--scan'],
  ['redact', '{}', '-o', '{out}/redacted.jsonl'],
  ['report', '{}', '-o', '{out}/report.zip', '--force', '--redact', 'none'],
  ['report', '{}', '--md'],
  ['import', '{}'],
  ['import', '{}', '--dry-run', '--json'],
];

/** These start processes or read from stdin: never in the process that tries the others. */
const PROCESSES = [
  ['replay', '{}', '--instant', '--timeout', '1s'],
  ['replay', '{}', '--instant', '--timeout', '1s', '--', 'true'],
  ['ls', '--json'],
];

/** Codes that may come out of it: replay ends as the recorded agent did. */
export const mayEndWith = ([name], code) =>
  Number.isInteger(code) && code >= 0 && code <= (name === 'replay' ? 255 : 2);

export const someCommands = (random) => Array.from({ length: 4 }, () => random.pick(ANY));
export const someProcess = (random) => random.pick([...PROCESSES, ...ANY]);

export const filledIn = (command, { file, sound, folder }) =>
  command.map((word) => word.replace('{}', file).replace('{sound}', sound).replace('{out}', folder));

/** Why the output shows a defect; null: it does not. */
export function defectIn([name, ...words], stdout, stderr) {
  if (/this is a bug in wiretape/.test(stderr)) return 'it says that it has a bug';
  if (/\n\s+at \S+ \(|\n\s+at (?:file|node):/.test(stderr)) return 'a stack trace';
  if (
    /Maximum call stack|Cannot read propert|is not a function|is not iterable|Invalid (?:array|string) length/.test(
      stderr,
    )
  )
    return 'the message of an engine';
  // What a terminal would obey.
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(stderr)) return 'control characters on stderr';
  const isForPeople = name !== 'export' && !words.includes('--raw') && !words.includes('--csv');
  if (isForPeople && /[\0-\x08\x0b-\x1f\x7f-\x9f]/.test(stdout)) return 'control characters on stdout';
  return null;
}
