/** The program that compares tapes with tables of what they hold, as `npm run truth` starts it. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { run } from '../support/run.ts';
import { it, type Place } from '../support/store.ts';

const PROGRAM = fileURLToPath(new URL('../truth/run.mjs', import.meta.url));
const TAPES = fileURLToPath(new URL('../fixtures/tapes/', import.meta.url));
const TAPE = 'acp/kimi-allow.jsonl';

/** A folder with one tape, and the lines of the tables about it. */
function folderOf({ dir }: Place): string {
  const folder = join(dir, 'truth');
  mkdirSync(join(folder, 'acp'), { recursive: true });
  copyFileSync(join(TAPES, TAPE), join(folder, TAPE));
  for (const [table, tape] of [
    ['TRUTH.tsv', TAPE],
    ['APPROVALS.tsv', TAPE.replace('.jsonl', '')],
  ]) {
    const [head, ...rows] = readFileSync(join(TAPES, table!), 'utf8').split('\n');
    const own = rows.filter((row) => row.startsWith(`${tape}\t`));
    expect(own.length).toBeGreaterThan(0);
    writeFileSync(join(folder, table!), [head, ...own, ''].join('\n'));
  }
  return folder;
}

async function truth(place: Place, folder: string) {
  const { code, stdout, stderr } = await run(place, [process.execPath, PROGRAM, folder]);
  return { code, said: `${stdout}${stderr}` };
}

describe('truth', () => {
  it('finds no difference where there is none', async ({ place }) => {
    const { code, said } = await truth(place, folderOf(place));
    expect(said).toMatch(/^1 tapes, [1-9]\d* approvals, 0 differences\n$/);
    expect(code).toBe(0);
  });

  it('names each cell that differs, and a tape without a row', async ({ place }) => {
    const folder = folderOf(place);
    const approvals = join(folder, 'APPROVALS.tsv');
    const table = readFileSync(approvals, 'utf8');
    writeFileSync(approvals, table.replace('\tallow\t', '\tdeny\t'));
    expect(readFileSync(approvals, 'utf8')).not.toBe(table);
    copyFileSync(join(folder, TAPE), join(folder, 'other.jsonl'));
    const { code, said } = await truth(place, folder);
    expect(said).toMatch(/kimi-allow\.jsonl:\d+ +acp +decision +deny +allow\n/);
    expect(said).toMatch(/other\.jsonl +- +row +none +tape\n/);
    expect(code).toBe(1);
  });
});
