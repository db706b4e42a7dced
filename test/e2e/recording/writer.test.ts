// The writer process by itself, with this test in the recorder's place.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { encodeMessage, WriterMessage } from '../../../lib/recording/recorder/writer-protocol.ts';
import { encodeRecord, RecordKind } from '../../../lib/storage/tape/journal.ts';
import { withBadDisk } from '../../support/bad-disk.ts';
import { TestJournal } from '../../support/journal.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { Tape } from '../../support/tape.ts';
import { pause } from '../../support/wait.ts';

it('stores what it received, although the recorder left before it could report', async ({ place, skip }) => {
  const env = withBadDisk(place, { file: '/journal', writeMs: 1500 });
  if (!env) return skip('a bad disk needs a C compiler');
  const [id, dir] = ['20261116T022911-abcd', join(place.home, 'sessions', '20261116T022911-abcd')];
  mkdirSync(dir, { recursive: true });
  const { journal } = new TestJournal(join(dir, 'journal'));
  const tape = join(dir, 'wire.jsonl');
  const input = JSON.stringify({ home: place.home, id, dir, tape, names: { name: null, tags: {} } });
  const program = join(dirname(WIRETAPE), 'chunks', 'writer.js');
  const writer = spawn(process.execPath, [program, input], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', journal.fd, openSync(tape, 'w+')],
  });
  const link = writer.stdio[3] as Socket;
  const exited = once(writer, 'exit');
  const send = (kind: WriterMessage, content: Uint8Array) =>
    new Promise<void>((sent) => link.write(encodeMessage(kind, content), () => sent()));
  const lines = (text: string) => encodeRecord(RecordKind.agent, 0, Buffer.from(`${text}\n`.repeat(1000)));
  const size = Buffer.alloc(8);
  size.writeDoubleLE(journal.size);

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
