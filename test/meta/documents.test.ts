/** The documents are true of the program: what they name exists, and what the program has is in its page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { QUALIFIERS } from '../../lib/analysis/query/qualifiers.ts';
import { FORMATS } from '../../lib/output/export/index.ts';
import { metadataOfRecording as metadataOf } from '../../lib/recording/recorder/metadata.ts';
import { SCHEMA, SCHEMA_SQL } from '../../lib/storage/index/schema.ts';
import { SETTINGS } from '../../lib/storage/store/config.ts';
import { PROGRAM } from '../support/program.ts';
import { answerOf } from './answer.ts';
import { withGenerated } from './generated.ts';
import { anchorsOf, codeSpans, commandsIn, examplesIn, firstCells, linksIn, optionsIn } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const filesBelow = (folder: string, end: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end))
    .map((name) => join(folder, name));

const DOCS = filesBelow('docs', '.md');
const REFERENCE = ['README.md', ...DOCS];
const ALL = [...REFERENCE, 'CONTRIBUTING.md', 'SECURITY.md', 'DECISIONS.md', 'CHANGELOG.md', 'ARCHITECTURE.md'];

/** Where each command is described; all others are in the page about sessions. */
const PAGE_OF: Record<string, string> = {
  ...{ record: 'recording', shim: 'recording', config: 'recording' },
  ...{ replay: 'replay', filter: 'queries', approvals: 'audit', check: 'check', why: 'why', diff: 'diff' },
  ...{ redact: 'redaction', export: 'export', report: 'report' },
};
const pageOf = (command: string) => `docs/${PAGE_OF[command] ?? 'sessions'}.md`;

const EVERYWHERE = ['--help', '-h', '--version', '-V', '--color'];
const optionsOf = (command: Command): string[] => [
  ...command.options.flatMap(({ short, long }) => [short ?? [], long ?? []].flat()),
  ...command.commands.flatMap(optionsOf),
];

/** Options of agents and of other tools that the documents speak of. */
const FOREIGN = [
  ...['--wire', '--acp', '--experimental-acp', '--yolo', '--afk', '--print', '--output-format', '--input-format'],
  ...['--only', '--session', '--resume', '--continue', '--experimental-json', '--headless', '--stdio', '--mode'],
];

describe('commands and options', () => {
  it.each([...PROGRAM.keys()])('%s is described in its page, with all of its options', (name) => {
    const page = read(pageOf(name));
    expect(page).toMatch(new RegExp(`wiretape ${name}\\b`));
    const long = PROGRAM.get(name)!.options.map((option) => option.long!);
    const missing = long.filter((option) => !new RegExp(`${option}(?![\\w-])`).test(page));
    expect(missing).toEqual([]);
  });

  it.each(REFERENCE)('%s shows only commands and options that exist', (name) => {
    const wrong = commandsIn(read(name)).filter(({ command, options }) => {
      if (command === null) return options.some((option) => !EVERYWHERE.includes(option));
      if (command === 'help') return false;
      const program = PROGRAM.get(command);
      return !program || options.some((option) => ![...optionsOf(program), ...EVERYWHERE].includes(option));
    });
    expect(wrong).toEqual([]);
  });

  it.each(REFERENCE)('%s names only options that exist', (name) => {
    const known = new Set([...PROGRAM.values()].flatMap(optionsOf).concat(EVERYWHERE, FOREIGN));
    expect(
      codeSpans(read(name))
        .flatMap(optionsIn)
        .filter((option) => !known.has(option)),
    ).toEqual([]);
  });

  it.each([...PROGRAM])('help for %s has examples and fits in 80 columns', (_, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) });
    command.outputHelp();
    expect(help).toMatch(/\$ wiretape /);
    expect(help.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });
});

describe('words', () => {
  const wordsOf = (qualifier: string) => QUALIFIERS.find(({ name }) => name === qualifier)!.words!;
  const sourceOf = (...folders: string[]) =>
    folders
      .flatMap((folder) => filesBelow(folder, '.ts'))
      .map(read)
      .join('\n');

  it.each(DOCS)('the generated parts of %s are current', async (name) => {
    await expect(withGenerated(read(name))).toMatchFileSnapshot(join(ROOT, name));
  });

  it.each(['kind', 'dialect'])('queries.md explains every word of %s', (qualifier) => {
    const page = read('docs/queries.md').split(`| ${qualifier} | `)[1]!.split('\n\n')[0]!;
    expect(wordsOf(qualifier).filter((word) => !codeSpans(page).includes(word))).toEqual([]);
  });

  it.each(['approval', 'by'])('audit.md explains every word of %s', (qualifier) => {
    const explained = firstCells(read('docs/audit.md'));
    expect(wordsOf(qualifier).filter((word) => !explained.includes(word))).toEqual([]);
  });

  it('audit.md explains every flag that real sessions have', () => {
    const explained = firstCells(read('docs/audit.md'));
    const flags = ['approvals', 'tapes'].flatMap((folder) => {
      const [head, ...rows] = read(`test/fixtures/${folder}/APPROVALS.tsv`).trim().split('\n');
      const at = head!.split('\t').indexOf('flags');
      return rows.flatMap((row) => row.split('\t')[at]!.split(/[ ,]+/));
    });
    const names = new Set(flags.map((flag) => flag.replace(/^mode:.*/, 'mode:NAME')));
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((flag) => flag !== '-' && !explained.includes(flag))).toEqual([]);
  });

  it('audit.md explains only flags that exist', () => {
    const flags = firstCells(read('docs/audit.md').split('## Flags')[1]!);
    const source = sourceOf('lib/analysis/audit', 'lib/model', 'lib/dialects');
    expect(flags.length).toBeGreaterThan(30);
    expect(flags.filter((flag) => flag !== 'mode:NAME' && !source.includes(`'${flag}'`))).toEqual([]);
  });

  it('why.md explains every cause, and only those', () => {
    const explained = firstCells(read('docs/why.md'));
    const source = sourceOf('lib/analysis/why');
    const causes = [...source.matchAll(/makeCause\(\s*'([a-z-]+)'/g)].map(([, cause]) => cause!);
    expect(causes.length).toBeGreaterThan(20);
    expect(causes.filter((cause) => !explained.includes(cause))).toEqual([]);
    expect(explained.filter((cause) => !source.includes(`'${cause}'`))).toEqual([]);
  });

  it('export.md has every export format', () => {
    const explained = firstCells(read('docs/export.md'));
    expect(FORMATS.filter(({ name }) => !explained.includes(name))).toEqual([]);
  });

  it('recording.md has every setting', () => {
    const page = codeSpans(read('docs/recording.md'));
    for (const { name, variable } of SETTINGS) expect(page).toEqual(expect.arrayContaining([name, variable]));
  });

  it('sessions.md has the views of the index', () => {
    const page = read('docs/sessions.md');
    const views = [...SCHEMA_SQL.matchAll(/CREATE VIEW (\w+)/g)].map(([, view]) => view!);
    expect(views.length).toBeGreaterThan(3);
    expect(views.filter((view) => !firstCells(page).includes(view))).toEqual([]);
    for (const [, number] of REFERENCE.map(read)
      .join('')
      .matchAll(/index-(\d+)\.db/g))
      expect(number).toBe(`${SCHEMA}`);
  });

  it('tape-format.md has the metadata and the events of a recording', () => {
    const page = read('docs/tape-format.md');
    const about = { session: 's', startedAt: 'now', command: ['agent'], env: {}, dialect: 'wire', replays: 't' };
    const keys = Object.keys(metadataOf(about)).filter((key) => key !== 'type');
    expect(keys.filter((key) => !codeSpans(page).includes(key))).toEqual([]);
    const events = firstCells(page.split('### Events')[1]!.split('## Seals')[0]!);
    const source = sourceOf('lib/recording/recorder', 'lib/recording/proxy', 'lib/storage/tape');
    expect(events.length).toBeGreaterThan(8);
    expect(events.filter((event) => !source.includes(`'${event}'`))).toEqual([]);
  });
});

describe('examples', () => {
  const examples = REFERENCE.flatMap((name) => examplesIn(read(name)).map((example) => ({ name, ...example })));

  it('are in the README', () => {
    expect(examples.filter(({ name }) => name === 'README.md').length).toBeGreaterThanOrEqual(4);
  });

  it.each(examples)('$name: $line', async ({ words, output }) => {
    // Nothing is read from the store.
    const answer = (await answerOf(join(ROOT, 'no-such-store'), words)).split('\n');
    let from = 0;
    for (const [i, line] of output.entries()) {
      if (line === '…') continue;
      const at = answer.indexOf(line, from);
      expect(answer.slice(from), line).toContain(line);
      // Lines are left out only where the example says so.
      if (output[i - 1] !== '…') expect(at).toBe(from);
      from = at + 1;
    }
    if (output.at(-1) !== '…') expect(answer.slice(from)).toEqual(['']);
  });
});

describe('the test in the README', () => {
  it('is one of ours', () => {
    const [, ...lines] = read('test/e2e/replay/readme.test.ts').split('\n');
    expect(read('README.md')).toContain(`\`\`\`ts\n${lines.join('\n')}\`\`\``);
  });
});

describe('pages', () => {
  it.each(ALL)('the links of %s lead somewhere', (name) => {
    const broken = linksIn(read(name)).filter((link) => {
      const [path, anchor] = link.split('#') as [string, string?];
      const target = path === '' ? name : join(dirname(name), path);
      if (!existsSync(join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('README leads to every page', () => {
    const linked = linksIn(read('README.md')).map((link) => link.split('#')[0]);
    expect(DOCS.filter((page) => !linked.includes(page))).toEqual([]);
  });

  it('README is for the first five minutes', () => {
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(220);
    expect(read('README.md')).toContain('\nnpm ci && npm run demo ');
    expect(read('README.md')).toContain('\nnpm ci && npm test ');
  });

  it('ARCHITECTURE stays one page', () => {
    expect(read('ARCHITECTURE.md').split('\n').length).toBeLessThanOrEqual(145);
  });

  it.each(['ARCHITECTURE.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'README.md', ...DOCS])(
    '%s names files that exist',
    (name) => {
      const paths = codeSpans(read(name)).filter((span) => /^(?:[\w.-]+\/)+[\w.-]*\.(?:ts|mjs|c|sh|json)$/.test(span));
      const wrong = paths.filter((path) => !['', 'lib'].some((base) => existsSync(join(ROOT, base, path))));
      expect(wrong).toEqual([]);
    },
  );

  it('ARCHITECTURE names files and folders that exist, also those that it names inside another', () => {
    const folders = ['lib', 'bin', 'test', 'docs'];
    const paths = folders.flatMap((folder) => [`/${folder}`, ...filesBelow(folder, '').map((path) => `/${path}`)]);
    const isPath = (span: string) => /^[\w.-]+(?:\/[\w.-]*)*$/.test(span) && /\/|\.(?:ts|mjs|c)$/.test(span);
    const named = codeSpans(read('ARCHITECTURE.md')).filter((span) => isPath(span) && !span.startsWith('dist/'));
    expect(named.length).toBeGreaterThan(60);
    const isThere = (span: string) => paths.some((path) => path.endsWith(`/${span.replace(/\/$/, '')}`));
    expect(named.filter((span) => !isThere(span))).toEqual([]);
  });

  it('CI runs what contributors run', () => {
    expect(read('.github/workflows/ci.yml')).toMatch(/run: \.ci\/run$/m);
    expect(read('.github/ISSUE_TEMPLATE/bug.yml')).toContain('wiretape doctor');
  });
});
