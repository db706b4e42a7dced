/** Records of a journal from elsewhere that nobody wrote: they are skipped, and the rest becomes a tape. */
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { RecordKind } from '../../../../lib/storage/tape/journal.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { it } from '../../../support/store.ts';

it.for([
  ['an event that is not JSON', RecordKind.event, '{'],
  ['an event that is not an object', RecordKind.event, '[1]'],
  ['an event with a line feed', RecordKind.event, '{"from":"proc",\n"event":"x"}'],
  [
    'an event of millions of values',
    RecordKind.event,
    `{"from":"proc","event":"x","y":${'['.repeat(2e6)}${']'.repeat(2e6)}}`,
  ],
  ['a gap that is not JSON', RecordKind.gap, 'x'],
  ['a gap in no stream', RecordKind.gap, '{"stream":"elsewhere","missing":1}'],
  ['a gap in a stream of objects', RecordKind.gap, '{"stream":"__proto__","missing":1}'],
] as const)('%s is skipped', ([, kind, payload], { place }) => {
  const [path, tape] = [join(place.dir, 'journal'), join(place.dir, 'wire.jsonl')];
  const journal = new TestJournal(path).data('agent', 10, '{"a":1}\n');
  journal.journal.append(kind, 20, Buffer.from(payload));
  journal.data('agent', 30, '{"a":2}\n').exit(40).journal.close();
  buildTape(path, tape);
  const lines = readFileSync(tape, 'utf8').trimEnd().split('\n');
  expect(lines.filter((line) => line.includes('"message"')).length).toBe(2);
  expect(lines.some((line) => line.includes('"event":"gap"') || line.includes('"event":"x"'))).toBe(false);
  expect(verifyTape(tape)).toMatchObject({ verdict: 'intact', frames: 3 });
});

it('that claims a record of any size is read as far as it goes', ({ place }) => {
  const [path, tape] = [join(place.dir, 'journal'), join(place.dir, 'wire.jsonl')];
  const journal = new TestJournal(path).data('agent', 10, '{"a":1}\n');
  journal.journal.append(RecordKind.event, 20, Buffer.alloc(100 << 20, ' '));
  journal.data('agent', 30, '{"a":2}\n').exit(40).journal.close();
  truncateSync(path, 2 ** 30);
  buildTape(path, tape);
  expect(readFileSync(tape, 'utf8')).toContain('{"a":2}');
});
