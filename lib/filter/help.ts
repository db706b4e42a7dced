/** The language for people: `wiretape help query`, and the tables of the README. All of it comes from the tables. */
import { MARKS } from './facts.ts';
import { QUALIFIERS, type Qualifier } from './qualifiers.ts';

/** The queries of everyday, and what they find. */
export const EXAMPLE_QUERIES: readonly { query: string; finds: string }[] = [
  { query: 'envelope:request is:pending', finds: 'requests that nobody answered' },
  { query: 'kind:approval wait:60s..*', finds: 'approvals that waited for a minute or more' },
  { query: 'approval:unasked tool:Shell,Bash,WriteFile', finds: 'calls that nobody was asked about' },
  { query: 'by:grant tool:Shell', finds: 'commands that an earlier "always" let through' },
  {
    query: String.raw`kind:approval @params.payload.description:/rm -rf|curl .*\| *sh/`,
    finds: 'approvals asked for something dangerous',
  },
  { query: 'from:agent kind:noise', finds: 'lines of the agent that are no messages' },
  { query: 'from:agent size:1mb..*', finds: 'lines so long that clients choke on them' },
  {
    query: 'kind:prompt-answer latency:120s..* NOT status:finished,end_turn',
    finds: 'long turns that ended in another way than well',
  },
  {
    query: '(code:-32099..-32000 OR is:invalid) client:zed* version:1.1*',
    finds: 'protocol errors with one client and version',
  },
  { query: String.raw`tool:WriteFile @params.payload.display[*].path:/\.env$/`, finds: 'writes to .env files' },
  { query: 'subagent:* kind:approval approval:none', finds: 'approvals of subagents that were never decided' },
  { query: 'from:stderr "connection reset" exit:1..*', finds: 'what stderr said in sessions that failed' },
];

const GRAMMAR = [
  'A query selects frames; in ls it selects sessions that have such frames. Terms side by side must all hold.',
  '',
  '  a b                  both                        a OR b            one of them',
  '  NOT a   -a           not                         (a OR b) c        groups',
  '  word   "some text"   decoded text contains it    name:value        a qualifier, see below',
  '  /regex/   /regex/i   decoded text matches it     -/regex/          it does not',
  '  @params.x[*].y:v     any place in the message    @params.x:*       it is there',
  '',
  'A value is one of:',
  '',
  '  v                    the whole value             "quoted, text"    with blanks, commas, stars',
  '  v,w                  any of them                 *                 there is one',
  '  a..b  a..*  *..b     a range, ends included      >=30s  <5  >1mb   the same, quoted for the shell',
  '  glob*  glo?          any text, any character     /regex/           searches; \\/ for a slash',
  '',
  'Text is searched as it stands: a star in it is a star. /tmp is text, but /tmp/ is a regular expression, closed by a',
  'slash before a blank or the end: quote such a path, "/tmp/". A value that starts with a slash wants quotes, but not in',
  'cwd:, where a regular expression has no blanks. On text, one sees a string of the message at a time, in lower case, and',
  'of text that came in pieces the last 512 characters. One that takes over two seconds on a line is an error. Images and',
  'other data in base64 are not searched.',
  'Units are ms s m h d for times (plain: seconds) and b kb mb gb for sizes (1 kb is 1024 bytes); times of day are UTC.',
  'Case never counts, except for names in a path. A colon in text wants quotes: "http://x". The shell takes a query that',
  'starts with a minus for an option: write NOT.',
  '',
  'In ls, terms of frames side by side must hold on one and the same frame; a negated one means that the session has no',
  'such frame.',
];

/** Lines of plain text. */
export function helpQuery(): string[] {
  const table = (of: Qualifier['of']) =>
    rows(QUALIFIERS.filter((one) => one.of === of).map(({ name, help, example }) => [`${name}:`, help, example]));
  return [
    ...GRAMMAR,
    '',
    'Of a frame:',
    '',
    ...table('frame'),
    '',
    'Of its session:',
    '',
    ...table('session'),
    '',
    'What a frame is or has:',
    '',
    ...rows(MARKS.map(({ of, word, help }) => [`${of}:${word}`, help])),
    '',
    'Words that a qualifier can have:',
    '',
    ...wordLists(),
    '',
    'Examples:',
    '',
    ...EXAMPLE_QUERIES.flatMap(({ query, finds }) => [`  ${query}`, `      ${finds}`]),
  ];
}

function rows(cells: string[][]): string[] {
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i]!)).join('  ')}`.trimEnd());
}

const LINE = 110;

function wordLists(): string[] {
  const lists = QUALIFIERS.filter(({ type }) => type === 'word').map(({ name, words }) => ({ name, words: words! }));
  return lists.flatMap(({ name, words }) => {
    const lines: string[] = [];
    for (const word of words) {
      const last = lines.at(-1);
      if (last === undefined || last.length + word.length >= LINE) lines.push(word);
      else lines[lines.length - 1] = `${last} ${word}`;
    }
    return lines.map((line, i) => `  ${(i === 0 ? `${name}:` : '').padEnd(10)}${line}`);
  });
}

/** The qualifiers as a table in Markdown. */
export function markdownTable(): string[] {
  const pipe = (text: string) => text.replaceAll('|', '\\|');
  const row = ({ name, of, help, example }: Qualifier) =>
    `| \`${name}:\` | ${of} | ${pipe(help)} | \`${pipe(example)}\` |`;
  return ['| qualifier | of the | what | example |', '|---|---|---|---|', ...QUALIFIERS.map(row)];
}
