/** Two versions with different schemas share a store: each has its own index, and neither touches the other's (section 5). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { SCHEMA } from '../../../lib/storage/index/schema.ts';
import { type Copy, copyProgram, rebuild } from '../../support/copy.ts';
import { filesIn, INDEX, indexOf } from '../../support/index.ts';
import { allBegun, end, ls, recordCat, say } from '../../support/ls.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const NEXT_INDEX = `index-${SCHEMA + 1}.db`;

function nextVersion(place: Place): Copy {
  const copy = copyProgram(place, 'next');
  rebuild(copy, 'lib/storage/index/schema.ts', [
    [`export const SCHEMA = ${SCHEMA};`, `export const SCHEMA = ${SCHEMA + 1};`],
    ['CREATE TABLE exchanges (', 'CREATE TABLE novelties (x);\nCREATE TABLE exchanges ('],
  ]);
  return copy;
}

describe('two schemas in one store', () => {
  it('record and list side by side', async ({ place }) => {
    const { program } = nextVersion(place);
    const clients = [1, 2].flatMap((n) => [
      recordCat(place, ['--name', `old${n}`]),
      recordCat(place, ['--name', `new${n}`], program),
    ]);
    try {
      for (const client of clients) await say(client, '{"id":1,"method":"m"}');
      await allBegun(place);
      const [old, next] = await Promise.all([ls(place, WIRETAPE), ls(place, program)]);
      const names = ['new1', 'new2', 'old1', 'old2'];
      for (const { rows, said } of [old, next]) {
        expect(said).toBe('');
        expect(rows.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(
          names.map((name) => `${name} running`),
        );
      }
      await Promise.all(clients.map(end));
      const lists = [await ls(place, WIRETAPE), await ls(place, program), await ls(place, WIRETAPE)];
      for (const list of lists) expect(list).toEqual(lists[0]);
      expect(lists[0]!.rows.map(({ name, state }) => `${name} ${state}`).sort()).toEqual(
        names.map((name) => `${name} ended`),
      );
      expect(filesIn(place.home)).toEqual([INDEX, NEXT_INDEX, 'sessions'].sort());
      // Nothing more to write: a reader changes no byte of either.
      const before = [indexOf(place.home), join(place.home, NEXT_INDEX)].map((path) => readFileSync(path));
      await ls(place, program);
      await ls(place, WIRETAPE);
      expect([indexOf(place.home), join(place.home, NEXT_INDEX)].map((path) => readFileSync(path))).toEqual(before);
    } finally {
      for (const client of clients) client.dispose();
    }
  });
});
