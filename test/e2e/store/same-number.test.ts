/** Two frames with one number, in a tape that was edited or damaged: the index, the tape and `show` read them alike. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../../support/in-process.ts';
import { it, type Place } from '../../support/store.ts';

const TOUR = fileURLToPath(new URL('../../../samples/tapes/tour.jsonl', import.meta.url));
const ID = '20261117T005717-wx7r';

/** The tour, with an approval and its answer under one number. */
function makeStore({ home, dir }: Place): string {
  const folder = join(home, 'sessions', ID);
  mkdirSync(folder, { recursive: true });
  const text = readFileSync(TOUR, 'utf8')
    .replace('{"f":30,', '{"f":29,')
    .replace(/"session":"[^"]+"/, `"session":"${ID}"`);
  writeFileSync(join(folder, 'wire.jsonl'), text);
  const copy = join(dir, 'copy.jsonl');
  copyFileSync(join(folder, 'wire.jsonl'), copy);
  return copy;
}

describe('two frames with one number', () => {
  it('are found alike in the index and on the tape', async ({ place }) => {
    const copy = makeStore(place);
    const said = async (...args: string[]) => (await wiretapeHere(place, args)).stdout.toString();
    for (const query of ['f:29', 'f:28..31', 'kind:approval', 'approval:allow', 'is:error', 'npm', 'from:client']) {
      const stored = await said('filter', query, '--json');
      expect(stored.split('\n').length, query).toBeGreaterThan(2);
      expect(await said('filter', query, copy, '--json'), query).toBe(stored);
      expect(await said('filter', query, '--count'), query).toBe(`${stored.split('\n').length - 1}\n`);
      expect(await said('show', ID, '--frames', '-q', query, '--json'), query).toBe(stored);
    }
    expect(await said('approvals', copy, '--all', '--json')).toBe(await said('approvals', '--all', '--json'));
    const both = await said('filter', 'f:29', '--json');
    expect(await said('show', `${ID}#f29`, '--json')).toBe(both);
  });
});
