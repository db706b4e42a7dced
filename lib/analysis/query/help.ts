/** The text of `wiretape help query` and the tables of the documentation, made from the tables of the program. */
import { MARKS } from '../facts/marks.ts';
import { QUALIFIERS, type Qualifier } from './qualifiers.ts';

/** Common queries. */
export const EXAMPLE_QUERIES: readonly { query: string; finds: string }[] = [
  { query: 'envelope:request is:pending', finds: 'requests without an answer' },
  { query: 'kind:approval wait:60s..*', finds: 'approvals that took a minute or more' },
  { query: 'approval:unasked tool:Shell,Bash,WriteFile', finds: 'tool calls that ran without being asked about' },
  { query: 'by:grant tool:Shell', finds: 'commands allowed by an earlier "allow always"' },
  {
    query: String.raw`kind:approval @params.payload.description:/rm -rf|curl .*\| *sh/`,
    finds: 'approvals of dangerous commands',
  },
  { query: 'from:agent kind:noise', finds: 'lines from the agent that are not messages' },
  { query: 'from:agent size:1mb..*', finds: 'lines that may be too long for clients' },
  {
    query: 'kind:prompt-answer latency:120s..* NOT status:finished,end_turn',
    finds: 'long turns that did not finish normally',
  },
  {
    query: '(code:-32099..-32000 OR is:invalid) client:zed* version:1.1*',
    finds: 'protocol errors with one client and one version',
  },
  { query: String.raw`tool:WriteFile @params.payload.display[*].path:/\.env$/`, finds: 'writes to .env files' },
  { query: 'subagent:* kind:approval approval:none', finds: 'approvals requested by subagents and never decided' },
  { query: 'from:stderr "connection reset" exit:1..*', finds: 'lines on stderr in failed sessions' },
];

const GRAMMAR = `A query selects frames. In ls, it selects sessions that have such frames.

  a b                   both
  a OR b                either
  NOT a, -a             not a
  (a OR b) c            a group
  word, "some text"     the text contains it
  /regex/               the text matches it
  name:value            a qualifier, see below
  @params.x[*].y:value  a path in the message

A value is one of:

  v                     the whole value
  v,w                   any of them
  *                     any value
  "quoted, text"        a value with spaces, commas or stars
  a..b  a..*  *..b      a range, including both ends
  >=30s  <5  >1mb       a comparison; quote it in a shell
  glob*  glo?           * is any text, ? any one character
  /regex/               a match anywhere; write \\/ for a slash

Matching ignores case, except for the keys in a path. In text, * and ? are
plain characters. Text with a colon needs quotes: "http://x". To start a query
with a negated term, use NOT: the command line reads - as an option.
Units of durations are ms, s (default), m, h and d. Units of sizes are b
(default), kb, mb and gb; 1 kb is 1024 bytes. Dates and times are in UTC.

Text between two slashes is a regular expression: quote a path like "/tmp/". A
value that starts with a slash needs quotes, except in cwd:, where a regular
expression must not contain spaces. A regular expression for text is matched
against one string of the message at a time, in lower case, and against the
last 512 characters of streamed text. If it takes more than two seconds on one
line, the query fails. Images and other base64 data are not searched.

In ls, all frame terms must match the same frame. A negated frame term means
that the session has no such frame.`;

/** Lines of plain text. */
export function helpQuery(): string[] {
  const table = (of: Qualifier['of']) =>
    alignColumns(
      QUALIFIERS.filter((one) => one.of === of).map(({ name, help, example }) => [`${name}:`, help, example]),
    );
  return [
    ...GRAMMAR.split('\n'),
    '',
    'Qualifiers of a frame:',
    '',
    ...table('frame'),
    '',
    'Qualifiers of its session:',
    '',
    ...table('session'),
    '',
    'Values of is: and has:',
    '',
    ...alignColumns(MARKS.map(({ of, word, help }) => [`${of}:${word}`, help])),
    '',
    'Values of other qualifiers:',
    '',
    ...wordLists(),
    '',
    'Examples:',
    '',
    ...EXAMPLE_QUERIES.flatMap(({ query, finds }) => [`  ${query}`, `      ${finds}`]),
  ];
}

function alignColumns(cells: string[][]): string[] {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.flatMap((row) => {
    const [last = '', ...more] = wrapWords(
      row.at(-1)!,
      TERMINAL_WIDTH - 2 - widths.slice(0, -1).reduce((a, b) => a + b + 2, 0),
    );
    const first = [...row.slice(0, -1), last].map((cell, i) => cell.padEnd(widths[i]!)).join('  ');
    const before = ' '.repeat(widths.slice(0, -1).reduce((a, b) => a + b + 2, 2));
    return [`  ${first}`.trimEnd(), ...more.map((line) => before + line)];
  });
}

/** Words on lines of this width. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Of a terminal. */
const TERMINAL_WIDTH = 80;
const WORD_LIST_WIDTH = 68;

function wordLists(): string[] {
  const lists = QUALIFIERS.filter(({ type }) => type === 'word' || type === 'state').map(({ name, words }) => ({
    name,
    words: words!,
  }));
  return lists.flatMap(({ name, words }) =>
    wrapWords(words.join(' '), WORD_LIST_WIDTH).map((line, i) => `  ${(i === 0 ? `${name}:` : '').padEnd(10)}${line}`),
  );
}
