// The writer process by itself, with this test in the recorder's place.
import { once } from 'node:events';
import { expect } from 'vitest';
import { WriterMessage } from '../../../lib/recording/recorder/writer-protocol.ts';
import { encodeRecord, RecordKind } from '../../../lib/storage/tape/journal.ts';
import { withBadDisk } from '../../support/bad-disk.ts';
import { it } from '../../support/store.ts';
import { Tape } from '../../support/tape.ts';
import { pause } from '../../support/wait.ts';
import { startWriter } from '../../support/writer-alone.ts';

it('stores what it received, although the recorder left before it could report', async ({ place, skip }) => {
  const env = withBadDisk(place, { file: '/journal', writeMs: 1500 });
  if (!env) return skip('a bad disk needs a C compiler');
  const { dir, journal, link, exited, send } = startWriter(place, '20261116T022911-abcd', env);
  const lines = (text: string) => encodeRecord(RecordKind.agent, 0, Buffer.from(`${text}\n`.repeat(1000)));
  const size = Buffer.alloc(8);
  size.writeDoubleLE(journal.journal.size);

  await send(WriterMessage.takeOver, size);
  await once(link, 'data');
  await send(WriterMessage.records, lines('first'));
  await send(WriterMessage.handBack, Buffer.from([0]));
  // It is writing the first records now, and has a report to send when that is done.
  await pause(500);
  await send(WriterMessage.records, lines('second'));
  await send(
    WriterMessage.records,
    encodeRecord(RecordKind.event, 0, Buffer.from('{"from":"proc","event":"exit","code":0,"signal":null}')),
  );
  await send(WriterMessage.records, encodeRecord(RecordKind.end, 0, Buffer.alloc(8)));
  link.destroy();
  await exited;
  const { frames } = new Tape(dir);
  expect(frames.filter(({ text }) => text === 'first')).toHaveLength(1000);
  expect(frames.filter(({ text }) => text === 'second')).toHaveLength(1000);
});
