/**
 * Audits of real sessions equal the table beside the tapes, and are the same whether a session is read as a whole or
 * asked for its rows after every frame. All shared tapes too, where they are at hand.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { auditTape } from '../../../support/audit.ts';
import { shared } from '../../../support/timeline.ts';
import { asTable, compare, readApprovals } from '../../../truth/approvals.mjs';

const folders = ['tapes', 'approvals'].map((name) =>
  fileURLToPath(new URL(`../../../fixtures/${name}/`, import.meta.url)),
);

function tapesOf(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'session-folders')
    .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`))
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.meta.jsonl'))
    .map((path) => path.replace(/\.jsonl$/, ''));
}

type Tables = ReturnType<typeof readApprovals>;

/** Each table is read once. */
const tables = new Map<string, Tables>();

function tableOf(root: string): Tables {
  const table = tables.get(root) ?? readApprovals(join(root, 'APPROVALS.tsv'));
  tables.set(root, table);
  return table;
}

function differences(root: string, tape: string): unknown[] {
  const { rows, frames } = auditTape(join(root, `${tape}.jsonl`));
  return compare(tape, tableOf(root).get(tape) ?? [], asTable(rows, frames));
}

const held = folders.flatMap((root) => tapesOf(root).map((tape) => ({ root, tape })));

describe('audits of real sessions', () => {
  it('are in the tables', () => {
    const sizes = folders.map((root) => [...tableOf(root).values()].flat().length);
    expect(sizes).toEqual([139, 20]);
  });

  it.each(held)('$tape', ({ root, tape }) => {
    expect(differences(root, tape)).toEqual([]);
  });

  it.each(held)('$tape, live', ({ root, tape }) => {
    const path = join(root, `${tape}.jsonl`);
    expect(auditTape(path, true).rows).toEqual(auditTape(path).rows);
  });
});

describe.skipIf(!shared)('audits of all shared tapes', () => {
  it.each(shared ? tapesOf(shared) : ['none'])('%s', (tape) => {
    expect(differences(shared!, tape)).toEqual([]);
  });
});
