/** What a killed recorder left, completed as by any reader. */
import { expect } from 'vitest';
import type { Stream } from '../../lib/model/frame.ts';
import { settleTape } from '../../lib/storage/store/recover.ts';
import { verifyTape } from '../../lib/storage/tape/verify.ts';
import type { Place } from './store.ts';
import { sessionsIn, Tape } from './tape.ts';

export type Bytes = Record<Stream, Buffer>;

/** The tape of the only session. */
export function finished(place: Place): Tape {
  const [dir] = sessionsIn(place.home);
  expect(verifyTape(settleTape(dir!, true).tape).verdict).toBe('recovered');
  const tape = new Tape(dir!);
  expect(tape.frames.at(-1)).toMatchObject({ from: 'proc', event: 'lost' });
  return tape;
}

export function bytesOf(tape: Tape): Bytes {
  return { client: tape.bytesFrom('client'), agent: tape.bytesFrom('agent'), stderr: tape.bytesFrom('stderr') };
}
