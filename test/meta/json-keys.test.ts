/** Every key of the JSON output is described in the page of its command. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf } from './answer.ts';
import { codeSpans } from './markdown.ts';

/** From the root, where tests run. */
const TAPES = 'test/fixtures/approvals';
const page = (name: string) =>
  codeSpans(readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), 'utf8'));

/** What a command prints, and where its keys are described. */
const ANSWERS: [page: string, ...argv: string[]][] = [
  ['sessions', 'ls', '--all', '--json'],
  ['sessions', 'show', 'last', '--json'],
  ['sessions', 'show', 'last~2', '--json'],
  ['sessions', 'show', 'last~5', '--json'],
  ['sessions', 'show', 'last', '--frames', '--json'],
  ['sessions', 'play', 'last', '--instant', '--json'],
  ['sessions', 'filter', 'from:agent', '--json'],
  ['sessions', 'stats', '--all', '--json'],
  ['sessions', 'verify', '--json'],
  ['sessions', 'tag', 'last', '--json'],
  ['sessions', 'rm', '--dry-run', 'last', '--json'],
  ['sessions', 'prune', '--keep', '1', '--dry-run', '--json'],
  ['sessions', 'doctor', '--json'],
  ['sessions', 'reindex', '--json'],
  ['sessions', 'import', '--dry-run', '--json', TAPES],
  ['recording', 'config', '--json'],
  ['recording', 'shim', 'node', '--json'],
  ['recording', 'shim', '--list', '--json'],
  ['audit', 'approvals', '--all', '--json'],
  ['audit', 'approvals', '--summary', '--json'],
  ['audit', 'approvals', '--chain', '--json'],
  ['audit', 'approvals', '--by', 'project,client,agent,tool,day', '--json'],
  ['audit', 'approvals', '--policy', 'test/fixtures/audit/policy.json', '--json'],
  ['check', 'check', '--all', '--json'],
  ['check', 'check', '--list', '--json'],
  ['why', 'why', 'wire-0.58', '--json'],
  ['diff', 'diff', 'last', 'last~5', '--json'],
  ['diff', 'diff', 'last', 'last~5', '--stat', '--json'],
  ['diff', 'diff', 'last', 'last~5', 'last~2', '--json'],
  ['diff', 'diff', '--golden', 'samples/tapes/diff', '--json'],
];

let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'wiretape-keys-'));
  await answerOf(home, ['import', TAPES]);
  // A session in which something is owed.
  await answerOf(home, ['import', join(TAPES, 'wire-0.58'), '--name', 'wire-0.58']);
});

afterAll(() => rmSync(home, { recursive: true }));

describe('JSON keys', () => {
  it.each(ANSWERS)('%s.md describes those of %s %s %s %s', async (name, ...argv) => {
    const objects = (await answerOf(home, argv))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const keys = new Set(objects.flatMap((object) => Object.keys(object)));
    const described = page(name);
    expect(keys.size).toBeGreaterThan(2);
    expect([...keys].filter((key) => !described.includes(key))).toEqual([]);
  });
});
