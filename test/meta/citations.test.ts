/** What comments and documents cite exists: rules of the model (`docs/model.md`), decisions and files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { citedDecisions, citedRules, commentsOf, rulesIn } from './citations.ts';
import { prose } from './markdown.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const filesBelow = (folder: string, end: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => end.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name));

const SOURCES = ['bin', 'lib', 'test'].flatMap((folder) => filesBelow(folder, /\.(?:[cm]?[jt]s|[ch]|css)$/));
const PAGES = ['.', 'docs'].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md')
    .map((name) => join(folder, name)),
);

/** What each file says: the comments of a source, the prose of a page. */
const TEXTS = [
  ...SOURCES.map((name) => ({ name, text: commentsOf(read(name)) })),
  ...PAGES.map((name) => ({ name, text: prose(read(name)) })),
];

const RULES = rulesIn(read('docs/model.md'));
const DECISIONS = [...read('DECISIONS.md').matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));

const dangling = <T>(cited: (text: string) => T[], known: readonly T[]) =>
  TEXTS.flatMap(({ name, text }) =>
    cited(text)
      .filter((one) => !known.includes(one))
      .map((one) => `${name}: ${one}`),
  );

describe('rules of the model', () => {
  const known = RULES.map(({ name }) => name);

  it('exist where they are cited', () => {
    expect(TEXTS.flatMap(({ text }) => citedRules(text)).length).toBeGreaterThan(100);
    expect(dangling(citedRules, known)).toEqual([]);
  });

  it('exist where tests are named after them', () => {
    const titles = SOURCES.filter((name) => name.endsWith('.test.ts')).flatMap((name) =>
      [...read(name).matchAll(/['`]([FRTSCWUAN]\d{1,2}): /g)].map(([, rule]) => rule!),
    );
    expect(titles.length).toBeGreaterThan(30);
    expect(titles.filter((rule) => !known.includes(rule))).toEqual([]);
  });

  it('have a text, and are numbered in order', () => {
    expect(RULES.filter(({ text }) => text.length < 40)).toEqual([]);
    for (const letter of new Set(known.map((name) => name[0]!))) {
      const rules = known.filter((name) => name.startsWith(letter));
      expect(rules).toEqual(rules.map((_, at) => `${letter}${at + 1}`));
    }
  });
});

describe('decisions', () => {
  it('have a number of their own', () => {
    expect(DECISIONS.length).toBeGreaterThan(30);
    expect(DECISIONS.filter((number, at) => DECISIONS.indexOf(number) !== at)).toEqual([]);
  });

  it('exist where they are cited', () => {
    expect(dangling(citedDecisions, DECISIONS)).toEqual([]);
  });
});

describe('files', () => {
  it('exist where a comment names them by their folder', () => {
    const named = SOURCES.filter((name) => !name.startsWith('test')).flatMap((name) =>
      [...commentsOf(read(name)).matchAll(/(?<![\w/.])(?:[\w-]+\/)+[\w-]+\.(?:ts|mjs|md)\b/g)].map(([path]) => ({
        name,
        path,
      })),
    );
    expect(named.length).toBeGreaterThan(3);
    const exists = ({ name, path }: { name: string; path: string }) =>
      ['', 'lib', dirname(name)].some((base) => existsSync(join(ROOT, base, path)));
    expect(named.filter((one) => !exists(one))).toEqual([]);
  });
});

describe('citations', () => {
  it('are found in comments and in ranges', () => {
    const source = [
      'const T9 = 1; // rule T9',
      '/**',
      ' * By A1-A3 and `C9`, `Shift+F6` too.',
      ' */',
      'const u = "// T8";',
    ];
    expect(citedRules(commentsOf(source.join('\n')))).toEqual(['T9', 'A1', 'A2', 'A3']);
    expect(citedDecisions('see decision 7, and decisions 8 and 9')).toEqual([7, 8, 9]);
  });
});
