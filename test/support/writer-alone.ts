/** The writer process by itself, with a test in the recorder's place. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync } from 'node:fs';
import type { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { encodeMessage, type WriterMessage } from '../../lib/recording/recorder/writer-protocol.ts';
import { sessionsDir } from '../../lib/storage/store/home.ts';
import { TestJournal } from './journal.ts';
import { WIRETAPE } from './run.ts';
import type { Place } from './store.ts';

export interface WriterAlone {
  dir: string;
  /** What the writer makes the tape of. */
  journal: TestJournal;
  link: Socket;
  exited: Promise<unknown>;
  send(kind: WriterMessage, content?: Uint8Array): Promise<void>;
}

export function startWriter({ home, env }: Place, id: string, more: NodeJS.ProcessEnv = env): WriterAlone {
  const dir = join(sessionsDir(home), id);
  mkdirSync(dir, { recursive: true });
  const journal = new TestJournal(join(dir, 'journal'), { session: id });
  const tape = join(dir, 'wire.jsonl');
  const input = JSON.stringify({ home, id, dir, tape, names: { name: null, tags: {} } });
  const program = join(dirname(WIRETAPE), 'chunks', 'writer.js');
  const writer: ChildProcess = spawn(process.execPath, [program, input], {
    env: more,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', journal.journal.fd, openSync(tape, 'w+', 0o600)],
  });
  const link = writer.stdio[3] as Socket;
  const send = (kind: WriterMessage, content?: Uint8Array) =>
    new Promise<void>((sent) => link.write(encodeMessage(kind, content), () => sent()));
  return { dir, journal, link, exited: once(writer, 'exit'), send };
}
