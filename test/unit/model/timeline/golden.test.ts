/**
 * Timelines of real sessions, as text beside the tapes: test/fixtures/timelines/FOLDER/NAME.txt. What changes there must be
 * read by a person and fit the rules of the model; then UPDATE_GOLDEN=1 writes it.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { buildFixture, fixtures, golden } from '../../../support/timeline.ts';
import { readTruth } from '../../../support/truth.ts';

const timelines = fileURLToPath(new URL('../../../fixtures/timelines/', import.meta.url));

const tapes = readdirSync(fixtures, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .flatMap(({ name }) => readdirSync(join(fixtures, name)).map((file) => `${name}/${file}`))
  .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
  .map((path) => path.replace(/\.jsonl$/, ''));

describe('timelines of real sessions', () => {
  it.each(tapes)('%s', (tape) => {
    const path = `${timelines}${tape}.txt`;
    const text = golden(buildFixture(tape));
    if (process.env.UPDATE_GOLDEN) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'none: run with UPDATE_GOLDEN=1').toBe(text);
  });
});

describe('counts of real sessions', () => {
  it.each(readTruth(`${fixtures}TRUTH.tsv`))('$tape', ({ tape, turns, tools, approvals }) => {
    expect(buildFixture(tape).timeline.counts).toMatchObject({ turns, tools, approvals });
  });
});
