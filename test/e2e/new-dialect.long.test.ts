/**
 * To add a protocol is a folder in lib/dialects, its name, and a line in index.ts: done here in a copy of the sources,
 * which is then compiled and asked about a tape.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { it } from '../support/store.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A protocol of lines such as `{"toy":"ask","id":1}`. */
const TOY = `
import { isObject, NO_MESSAGE } from '../../model/message.ts';
import type { Dialect } from '../dialect.ts';
import { defineRules, error } from '../rules/rule.ts';
import { traits } from '../traits.ts';

const SUMMARIES = { 'toy-word': error.client('say only words that toys know', 'the box') };

export const toy: Dialect = {
  name: 'toy',
  traits: traits({ hasTurns: false }),
  recognise: ({ lines }) => (lines.some(({ value }) => 'toy' in value) ? 0.99 : 0),
  envelope(value) {
    const envelope = value.toy === 'ask' ? 'request' : value.toy === 'answer' ? 'response' : 'notification';
    const type = String(value.toy);
    return { ...NO_MESSAGE, envelope, method: envelope === 'response' ? null : type, type, id: (value.id as number) ?? null, body: value };
  },
  open: () => ({ read: ({ value }) => [{ kind: value.toy === 'say' ? 'text' : 'other', name: String(value.toy), text: String(value.text ?? '') }] }),
  conformance: {
    prefix: 'toy',
    title: 'the protocol of toys',
    rules: defineRules(['toy'], SUMMARIES, () => ({
      take: ({ frame: { f, from }, value }) =>
        from === 'client' && isObject(value) && value.toy === 'bark' ? [{ rule: 'toy-word', f, message: 'toys do not bark' }] : [],
    })),
    entries: { 'toy-word': { means: 'The toy does not know the word.', fix: 'Client: say another one.' } },
  },
};
`;

/** Adds a line before the first one that matches. */
function insert(path: string, before: RegExp, line: string): void {
  const text = readFileSync(path, 'utf8');
  const at = text.search(before);
  expect(at).toBeGreaterThan(0);
  writeFileSync(path, text.slice(0, at) + line + text.slice(at));
}

const LINES = [
  { from: 'client', message: { toy: 'ask', id: 1 } },
  { from: 'agent', message: { toy: 'answer', id: 1 } },
  { from: 'agent', message: { toy: 'say', text: 'hello' } },
  { from: 'client', message: { toy: 'bark' } },
  { from: 'client', message: { toy: 'ask', id: 2 } },
];

const ASK = `
import { RULES } from './dist/lib/analysis/check/rules.js';
import { entryOf } from './dist/lib/analysis/check/entries.js';
import { qualifierOf } from './dist/lib/analysis/query/qualifiers.js';
import { openSession } from './dist/lib/index.js';
const session = openSession(process.argv[2]);
const { summary, findings, obligations } = session.ask('summary', 'findings', 'obligations');
process.stdout.write(JSON.stringify({
  dialect: summary.dialect,
  found: findings.map(({ rule, f }) => rule + ' f' + f),
  open: obligations.filter(({ f }) => f !== null).map(({ f }) => f),
  words: [...session.query('dialect:toy kind:text')].map(({ frame }) => frame.f),
  known: qualifierOf('dialect').words.includes('toy'),
  rule: RULES.find(({ id }) => id === 'toy-word').dialects,
  lines: RULES.find(({ id }) => id === 'io-noise').dialects.includes('toy'),
  means: entryOf('toy-word').means,
}));
`;

it('a protocol is added by a folder, a name and a line', async ({ place }) => {
  const copy = join(place.dir, 'copy');
  mkdirSync(copy);
  cpSync(join(root, 'lib'), join(copy, 'lib'), { recursive: true });
  for (const file of ['package.json', 'tsconfig.json']) cpSync(join(root, file), join(copy, file));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

  const dialects = join(copy, 'lib/dialects');
  mkdirSync(join(dialects, 'toy'));
  writeFileSync(join(dialects, 'toy/index.ts'), TOY);
  insert(join(dialects, 'names.ts'), /^ {2}\.\.\.\(\['jsonrpc/m, "  ...(['toy'] as const),\n");
  insert(join(dialects, 'index.ts'), /^import \{ wire \}/m, "import { toy } from './toy/index.ts';\n");
  insert(join(dialects, 'index.ts'), /^ {2}wire,/m, '  toy,\n');

  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  expect(spawnSync(process.execPath, [compiler, '-p', '.'], { cwd: copy, encoding: 'utf8' }).stdout).toBe('');
  const tape = join(place.dir, 'toy.jsonl');
  const head = {
    type: 'metadata',
    wiretape: 1,
    session: 'toy',
    started_at: '2026-11-16T02:29:11.000000Z',
    command: ['toy'],
  };
  const frames = LINES.map(({ from, message }, n) => ({ f: n + 1, t: n, from, message }));
  writeFileSync(tape, [head, ...frames].map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(join(copy, 'ask.mjs'), ASK);
  const answer = execFileSync(process.execPath, ['ask.mjs', tape], { cwd: copy, env: place.env, encoding: 'utf8' });

  expect(JSON.parse(answer)).toEqual({
    dialect: 'toy',
    found: ['toy-word f4'],
    open: [5],
    words: [3],
    known: true,
    rule: ['toy'],
    lines: true,
    means: 'The toy does not know the word.',
  });
});
