/** Imports are put on the disk together, and are whole whatever happens in between. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { sessionsDir } from '../../../../lib/storage/store/home.ts';
import { type DiskSync, ImportBatch } from '../../../../lib/storage/store/import-batch.ts';
import { settleTape } from '../../../../lib/storage/store/recover.ts';
import { findSources } from '../../../../lib/storage/tape/import/find-sources.ts';
import { surveySource } from '../../../../lib/storage/tape/import/survey.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { it, type Place } from '../../../support/store.ts';
import { fixtures } from '../../../support/timeline.ts';

class CountingDisk implements DiskSync {
  readonly done: string[] = [];
  readonly #hasAll: boolean;

  constructor(hasAll: boolean) {
    this.#hasAll = hasAll;
  }

  syncAll(): boolean {
    this.done.push('all');
    return this.#hasAll;
  }

  syncFile(path: string): void {
    // Until then the journal is there, from which the tape can be made again.
    expect(existsSync(join(path, '../journal'))).toBe(true);
    this.done.push('one');
  }
}

function importMany(place: Place, count: number, disk: DiskSync): { batch: ImportBatch; ids: string[] } {
  for (let i = 0; i < count; i++)
    copyFileSync(join(fixtures, 'wire-1.49.0/approval_bad_answer.jsonl'), join(place.dir, `log-${i}.jsonl`));
  const paths = Array.from({ length: count }, (_, i) => join(place.dir, `log-${i}.jsonl`));
  const batch = new ImportBatch({ home: place.home, dialect: null }, disk);
  const ids = findSources(paths, () => false).map((one) => {
    if (one.is !== 'source') throw new Error('it is no session');
    return batch.add(one.source, surveySource(one.source), { name: null, tags: {} });
  });
  return { batch, ids };
}

const journals = ({ home }: Place) =>
  readdirSync(sessionsDir(home)).filter((id) => existsSync(join(sessionsDir(home), id, 'journal')));

describe('a batch of imports', () => {
  it('is synced once, and then its journals go', ({ place }) => {
    const disk = new CountingDisk(true);
    const { batch, ids } = importMany(place, 20, disk);
    expect([disk.done, journals(place).length]).toEqual([[], 20]);
    batch.settle();
    expect([disk.done, journals(place)]).toEqual([['all'], []]);
    batch.settle();
    expect(disk.done).toEqual(['all']);
    for (const id of ids) expect(verifyTape(join(sessionsDir(place.home), id, 'wire.jsonl')).verdict).toBe('intact');
  });

  it('is synced tape by tape where nothing else can be done, and if there is only one', ({ place }) => {
    const disk = new CountingDisk(false);
    importMany(place, 3, disk).batch.settle();
    expect([disk.done, journals(place)]).toEqual([['all', 'one', 'one', 'one'], []]);
    const alone = new CountingDisk(true);
    importMany(place, 1, alone).batch.settle();
    expect(alone.done).toEqual(['one']);
  });

  it('is finished by the next reader if the import was killed before', ({ place }) => {
    const { ids } = importMany(place, 3, new CountingDisk(true));
    for (const [i, id] of ids.entries()) {
      const dir = join(sessionsDir(place.home), id);
      const tape = join(dir, 'wire.jsonl');
      const whole = readFileSync(tape);
      // After a power failure a tape that was not synced may be cut off, or empty.
      writeFileSync(tape, whole.subarray(0, [whole.length, whole.length - 500, 0][i]));
      writeFileSync(
        join(dir, 'owner.json'),
        JSON.stringify({ ...JSON.parse(readFileSync(join(dir, 'owner.json'), 'utf8')), pid: 4_194_305 }),
      );
      expect(settleTape(dir, true).is).toBe('settled');
      expect(readFileSync(tape).equals(whole)).toBe(true);
      expect(verifyTape(tape).verdict).toBe('intact');
    }
    expect(journals(place)).toEqual([]);
  });
});
