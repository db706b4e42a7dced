/** The blocks of one session: its tape in chunks, and everything that is gathered in one pass over it. */
import type { Metadata } from '../core/frame.ts';
import { exactJson } from '../core/id.ts';
import { isObject } from '../core/message.ts';
import { blockIds, type SessionMap } from '../page/blocks.ts';
import { Gatherer } from '../page/gather.ts';
import { Bytes } from '../page/numbers.ts';
import type { SessionHead } from '../page/page.ts';
import { Pass } from '../session/pass.ts';
import type { Session } from '../session/session.ts';
import type { WholeSession } from '../why/judging.ts';
import type { Blocks } from './html-blocks.ts';
import { TapeChunks } from './tape-chunks.ts';
import { tapeFileOf } from './tape-file.ts';

/** Frames between two looks at what has been compressed. */
const EVERY = 256;

interface SessionOptions {
  progress?: (done: number, all: number) => void;
  /** Is told about the session when it has been read, before its head is made. */
  whole?: ((session: WholeSession) => void) | undefined;
}

export async function* sessionBlocks(
  n: number,
  whole: Session,
  blocks: Blocks,
  { progress = () => {}, whole: tell }: SessionOptions = {},
): AsyncGenerator<Uint8Array, SessionHead> {
  const ids = blockIds(n);
  const { session, path, close } = tapeFileOf(whole);
  const pass = new Pass(session, { tree: true, bounded: !tell });
  const tape = new TapeChunks(path);
  const texts = {
    labels: (at: number, text: string) => blocks.add(ids.labels(at), text),
    bodies: (at: number, text: string) => blocks.add(ids.bodies(at), text),
  };
  const gatherer = new Gatherer(session, pass, texts, tell !== undefined);
  const addChunk = (): boolean => {
    const chunk = tape.next();
    if (chunk) blocks.add(ids.tape(tape.map.bytes.length - 1), chunk);
    return chunk !== null;
  };
  try {
    let count = 0;
    for (const read of pass) {
      gatherer.take(read);
      if (++count % EVERY !== 0) continue;
      // The tape is compressed while its frames are read.
      while (!blocks.isFull && addChunk());
      yield* blocks.ready();
      progress(tape.read, tape.size);
    }
    while (addChunk()) yield* blocks.ready();
  } finally {
    tape.close();
    close();
  }
  const gathered = gatherer.end(tell);
  yield* blocks.ready();
  const map: SessionMap = { tape: tape.map, bodies: gathered.bodies };
  blocks.add(ids.map, exactJson(map));
  blocks.add(ids.rows, gathered.rows);
  blocks.add(ids.places, joined(gathered.places));
  for (const [name, column] of gathered.columns) {
    blocks.add(ids.column(name), column);
    yield* blocks.ready();
  }
  blocks.add(ids.approvals, exactJson(gathered.approvals));
  blocks.add(ids.audit, exactJson(gathered.audit));
  blocks.add(ids.findings, exactJson(gathered.findings));
  blocks.add(ids.rules, exactJson(gathered.rules));
  blocks.add(ids.why, exactJson(gathered.why));
  blocks.add(ids.usage, exactJson(gathered.usage.points));
  const { bytes } = tape.map;
  return {
    ...gathered.head,
    tape: { bytes: tape.size, sha256: tape.digest, chunks: bytes.length, part: partIn(session.metadata) },
    redaction: redactionIn(session.metadata),
  };
}

/** The query that chose the frames of the tape. */
function partIn({ part }: Metadata): string | null {
  return isObject(part) && typeof part.query === 'string' ? part.query : null;
}

/** Which kinds were replaced is known to whoever did it. */
function redactionIn({ redacted }: Metadata): SessionHead['redaction'] {
  if (!isObject(redacted) || redacted.mode === 'none') return null;
  return { kinds: {}, text: redacted.mode === 'text' };
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Bytes();
  for (const part of parts) {
    bytes.whole(part.length);
    bytes.add(part);
  }
  return bytes.written;
}
