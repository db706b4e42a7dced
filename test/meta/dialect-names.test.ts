/** Dialects are asked for what they have and lack (lib/dialects/traits.ts), not for their names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DIALECTS } from '../../lib/dialects/index.ts';
import { DIALECT_NAMES } from '../../lib/dialects/names.ts';

const lib = fileURLToPath(new URL('../../lib/', import.meta.url));

/** Who may name them: the dialects, and whoever says what a foreign file holds. */
const NAMING = ['dialects/', 'storage/tape/import/'];

/** The same word for something else. */
const OTHERWISE: Record<string, string[]> = {
  // The key of an envelope.
  'model/text/searchable.ts': ['jsonrpc'],
  // The name of the protocol in the conventions for traces.
  'output/export/otlp.ts': ['jsonrpc'],
  // Projects.
  'output/report/forms.ts': ['kimi-code', 'codex'],
  // Lines of text.
  'output/viewer/blocks/diff-parts.ts': ['lines'],
  'storage/index/tables.ts': ['lines'],
  'output/viewer/stats/tables.ts': ['lines'],
  'output/viewer/stats/words.ts': ['lines'],
  // A program.
  'recording/shim/protocol-runs.ts': ['kimi-code', 'mcp'],
};

const NAMES = DIALECTS.map(({ name }) => name).join('|');
const LITERAL = new RegExp(`(['"\`])(${NAMES})\\1`, 'g');

/** Comments name what they like. */
const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '');

const namesIn = (text: string) => [...withoutComments(text).matchAll(LITERAL)].map(([, , name]) => name!);

const files = readdirSync(lib, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

it('finds names where they are', () => {
  expect(namesIn("if (dialect === 'acp') return; // 'mcp'\n/** `wire` */ const x = \"lines\";")).toEqual([
    'acp',
    'lines',
  ]);
  expect(
    files
      .filter((file) => file.startsWith('dialects/'))
      .flatMap((file) => namesIn(readFileSync(join(lib, file), 'utf8'))),
  ).toEqual(expect.arrayContaining(DIALECTS.map(({ name }) => name)));
});

it('each dialect has the name that it is listed under', () => {
  expect(DIALECTS.map(({ name }) => name)).toEqual(DIALECT_NAMES);
});

it('no dialect is asked for by its name', () => {
  const found = files
    .filter((file) => !NAMING.some((folder) => file.startsWith(folder)))
    .flatMap((file) => {
      const allowed = OTHERWISE[file] ?? [];
      const names = namesIn(readFileSync(join(lib, file), 'utf8')).filter((name) => !allowed.includes(name));
      return names.map((name) => `${file}: '${name}'`);
    });
  expect(found).toEqual([]);
});
