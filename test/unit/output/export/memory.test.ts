/** A session that is on no tape is exported like any other. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { jsonl } from '../../../../lib/output/export/jsonl.ts';
import { kimi } from '../../../../lib/output/export/kimi.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { verifyTape } from '../../../../lib/storage/tape/verify.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';
import { IMPORTS, importOne, readWhole } from '../../../support/imports.ts';
import { framesOf } from '../../../support/reading.ts';
import { sessionOn } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

const written = (format: typeof jsonl, session: Session) =>
  Buffer.concat([...format.write(session, { note: () => {} })].map((piece) => Buffer.from(piece)));

function inMemory(place: Place): { memory: Session; tape: Session; frames: Frame[] } {
  const { tape, metadata, frames } = importOne(place, join(IMPORTS, 'line-logs/wire-1.49.0-subagent_parallel.jsonl'));
  return { memory: sessionInMemory(metadata, frames), tape: sessionOn(tape), frames };
}

/** What it holds, and what `verify` says of it. */
function readBack(place: Place, session: Session) {
  const path = join(place.dir, 'exported.jsonl');
  writeFileSync(path, written(jsonl, session));
  return { ...readWhole(path), verdict: verifyTape(path).verdict };
}

describe('a session in memory', () => {
  it('becomes an intact tape with the same frames', ({ place }) => {
    const { memory, frames } = inMemory(place);
    const { frames: back, metadata, verdict } = readBack(place, memory);
    expect(verdict).toBe('intact');
    expect(metadata).toEqual(memory.metadata);
    expect(back).toEqual(frames);
  });

  it('keeps text, bytes, line ends, events and frames that were left out', ({ place }) => {
    const [json, text, bytes] = framesOf([
      ['client', { a: 1 }],
      ['agent', 'no JSON\nat all'],
      ['agent', 'bytes'],
    ]) as [Frame, Frame, Frame];
    const frames: Frame[] = [
      json,
      { ...text, form: 'text', eol: '\r\n', t0: 0.5 },
      { ...bytes, f: 9, form: 'bytes', raw: Buffer.from([0xff, 0xfe]), eol: '' },
      { ...bytes, f: 10, from: 'proc', form: 'event', raw: Buffer.alloc(0), event: 'exit', detail: { code: 3 } },
    ];
    const { frames: back, verdict } = readBack(
      place,
      sessionInMemory({ ...metadataFor('made'), source: 'import' }, frames),
    );
    expect(verdict).toBe('intact');
    expect(back).toEqual(frames.map((frame) => ({ ...frame, raw: Buffer.from(frame.raw) })));
  });

  it('is written for kimi as from its tape', ({ place }) => {
    const { memory, tape } = inMemory(place);
    expect(written(kimi, memory).toString()).toBe(written(kimi, tape).toString());
  });
});
