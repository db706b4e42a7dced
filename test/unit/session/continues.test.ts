/** Frames that go on with a streamed text are read in less time, and the result is the same. */
import { describe, expect, it } from 'vitest';
import { wire } from '../../../lib/dialects/wire/index.ts';
import { tapeFileOf } from '../../../lib/export/tape-file.ts';
import { Gatherer } from '../../../lib/page/gather.ts';
import { type Parts, packParts } from '../../../lib/page/numbers.ts';
import { Pass } from '../../../lib/session/pass.ts';
import type { ReadFrame } from '../../../lib/session/read.ts';
import type { Session } from '../../../lib/session/session.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { randomWire } from '../../support/random-wire.ts';

/** Everything that a pass tells, and everything that a page holds. */
function allOf(session: Session, isBounded: boolean) {
  const pass = new Pass(session, { tree: true, bounded: isBounded });
  const texts: string[] = [];
  const add = (_: number, text: string) => texts.push(text);
  const gatherer = new Gatherer(session, pass, { labels: add, bodies: add }, !isBounded);
  const reads: Pick<ReadFrame, 'message' | 'pairing' | 'events' | 'value' | 'conversation' | 'where'>[] = [];
  let continuing = 0;
  for (const read of pass) {
    gatherer.take(read);
    const { message, pairing, events, value, conversation, where } = read;
    reads.push({ message, pairing, events, value, conversation, where });
    if (read.continues) continuing++;
  }
  const { columns, tables, rows, places, findings, why, usage, head } = gatherer.end();
  const text = (parts: Parts) => Buffer.from(packParts(parts)).toString('base64');
  const packed = [...columns].map(([name, parts]) => [name, text(parts)]);
  const told = { tables: tables(), findings: findings(), why: why(), usage: usage.points, head: head() };
  return { result: { reads, texts, packed, rows: text(rows()), places: text(places), ...told }, continuing };
}

/** The same, line by line. */
function oneByOne(session: Session, isBounded: boolean) {
  const { piece } = wire;
  delete wire.piece;
  try {
    return allOf(session, isBounded);
  } finally {
    wire.piece = piece!;
  }
}

describe('a frame that goes on with the text of the one before', () => {
  it('changes nothing but that text, on all tapes', () => {
    const told = fixtureSessions().filter((session) => new Pass(session).dialect === 'wire');
    let continuing = 0;
    for (const session of told) {
      const quick = allOf(session, true);
      if (quick.continuing === 0) continue;
      const slow = oneByOne(session, true);
      expect(slow.continuing).toBe(0);
      expect(quick.result, session.metadata.session).toEqual(slow.result);
      continuing += quick.continuing;
    }
    expect(continuing).toBeGreaterThan(0);
  });

  it('changes nothing but that text, whatever is between', () => {
    let continuing = 0;
    for (let n = 0; n < 24; n++) {
      // From a tape, where most texts are read from the bytes, or from memory.
      const { session, close } = n % 3 === 0 ? { session: randomWire(n), close: () => {} } : tapeFileOf(randomWire(n));
      const quick = allOf(session, n % 2 === 0);
      expect(quick.result, `random ${n}`).toEqual(oneByOne(session, n % 2 === 0).result);
      close();
      continuing += quick.continuing;
    }
    expect(continuing).toBeGreaterThan(500);
  });
});
