/** Journals and tapes made in a test's own folder, without any process. */
import { closeSync, openSync } from 'node:fs';
import { isoMicros, type Stream } from '../../lib/model/frame.ts';
import { Journal, RecordKind } from '../../lib/storage/tape/journal.ts';
import { rebuildTape } from '../../lib/storage/tape/rebuild.ts';
import type { TapeLimits } from '../../lib/storage/tape/write.ts';

export const START = Date.UTC(2026, 10, 16, 2, 29, 11) * 1000;

/** Writes a journal as a recorder would; times are microseconds since the start. */
export class TestJournal {
  readonly journal: Journal;
  readonly errors: Error[] = [];

  constructor(path: string, about: Record<string, unknown> = {}) {
    this.journal = Journal.create(path, (error) => this.errors.push(error));
    const metadata = {
      type: 'metadata',
      wiretape: 1,
      session: 's',
      started_at: isoMicros(START),
      command: ['x'],
      cwd: '/',
      ...about,
    };
    this.journal.append(RecordKind.metadata, 0, Buffer.from(JSON.stringify(metadata)));
    this.clock(0);
  }

  data(from: Stream, t: number, bytes: string | Uint8Array): this {
    this.journal.append(RecordKind[from], t, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
    return this;
  }

  event(t: number, event: Record<string, unknown>): this {
    this.journal.append(RecordKind.event, t, Buffer.from(JSON.stringify(event)));
    return this;
  }

  clock(t: number, kind: typeof RecordKind.clock | typeof RecordKind.end = RecordKind.clock): this {
    const wall = Buffer.alloc(8);
    wall.writeDoubleLE(START + t);
    this.journal.append(kind, t, wall);
    return this;
  }

  exit(t: number, how: Record<string, unknown> = { code: 0, signal: null }): this {
    const detail = { ...how, at: isoMicros(START + t) };
    return this.event(t, { from: 'proc', event: 'exit', ...detail }).clock(t, RecordKind.end);
  }
}

/** Makes the tape of a journal, as the worker or a reader would. */
export function buildTape(journal: string, tape: string, limits?: Partial<TapeLimits>): void {
  const fd = openSync(tape, 'w', 0o600);
  rebuildTape(journal, fd, limits);
  closeSync(fd);
}
