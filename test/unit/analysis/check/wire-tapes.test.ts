/**
 * All that is found in real Wire sessions, each finding looked at by eye: those of the project, and, where they are at hand,
 * all there are. UPDATE_GOLDEN=1 writes them anew; then they are read.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SHAPE_RULES } from '../../../../lib/analysis/check/rules.ts';
import { WIRE_RULES } from '../../../../lib/dialects/wire/rules/index.ts';
import { skipped } from '../../../support/shared-folder.ts';
import { fixtures, shared } from '../../../support/timeline.ts';
import { checkTape } from '../../../support/wire-check.ts';

const pinned = fileURLToPath(new URL('../../../fixtures/findings/wire.tsv', import.meta.url));
const ours = new Set([...SHAPE_RULES, ...WIRE_RULES].map(({ id }) => id));

/** Scenarios in which a side does wrong on purpose; in all others nothing is certainly wrong. */
const WRONG_ON_PURPOSE = [
  ...[
    'approval_bad_answer',
    'approval_late_duplicate',
    'bad_part',
    'cancel',
    'errors',
    'errors_fatal',
    'external_tool',
  ],
  ...['huge_prompt', 'int_id', 'late_initialize', 'mcp_broken', 'no_initialize', 'plan_mode', 'question'],
  ...['second_prompt_while_busy', 'steer'],
];

function tapesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith('wire-'))
    .flatMap((name) => readdirSync(join(folder, name)).map((tape) => `${name}/${tape}`))
    .filter((tape) => tape.endsWith('.jsonl') && !tape.endsWith('.meta.jsonl'))
    .map((tape) => tape.replace(/\.jsonl$/, ''))
    .sort();
}

/** One row a tape and rule: the frames at which it shows, each with those that belong to it. */
function rowsOf(folder: string, tape: string): string[] {
  const rows = new Map<string, string[]>();
  for (const { rule, severity, fault, f, frames } of checkTape(join(folder, `${tape}.jsonl`)).findings) {
    if (!ours.has(rule)) continue;
    const key = [tape, rule, severity, fault].join('\t');
    rows.set(key, [...(rows.get(key) ?? []), frames.length > 0 ? `${f}(${frames.join(' ')})` : `${f}`]);
  }
  return [...rows].map(([key, places]) => `${key}\t${places.join(', ')}`);
}

const readPinned = () => (existsSync(pinned) ? readFileSync(pinned, 'utf8').trimEnd().split('\n').slice(1) : []);

describe('tapes of the project', () => {
  it.each(tapesIn(fixtures))('%s', (tape) => {
    expect(rowsOf(fixtures, tape)).toEqual(readPinned().filter((row) => row.startsWith(`${tape}\t`)));
  });
});

describe.skipIf(!shared)(`all tapes${skipped}`, () => {
  const all = shared ? tapesIn(shared).flatMap((tape) => rowsOf(shared!, tape)) : [];

  it('have these findings, and no others', () => {
    if (process.env.UPDATE_GOLDEN)
      writeFileSync(pinned, `${['tape\trule\tseverity\tfault\tframes', ...all].join('\n')}\n`);
    expect(all).toEqual(readPinned());
  });
});

it('nothing is certainly wrong in healthy sessions', () => {
  const wrong = readPinned().filter((row) => row.split('\t')[2] === 'error');
  const scenarios = new Set(wrong.map((row) => row.split('\t')[0]!.split('/')[1]!));
  expect([...scenarios].sort()).toEqual(WRONG_ON_PURPOSE.toSorted());
});
