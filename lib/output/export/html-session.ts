/** The blocks of one session: its tape in chunks, and everything that is gathered in one pass over it. */

import type { WholeSession } from '../../analysis/why/session-examiner.ts';
import type { Metadata } from '../../model/frame.ts';
import { exactJson } from '../../model/id.ts';
import { isObject } from '../../model/message.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { type BlockIds, blockIds, type SessionMap } from '../page/blocks.ts';
import { type Gathered, Gatherer } from '../page/gather.ts';
import type { PackInput } from '../page/numbers.ts';
import type { SessionHead } from '../page/page.ts';
import type { PageBlockQueue } from './html-blocks.ts';
import { TapePacking } from './packed-tape.ts';
import { tapeFileOf } from './tape-file.ts';

/** Frames that are read before compressed blocks are written. */
const FRAMES_PER_STEP = 256;

interface SessionBlockOptions {
  progress?: (done: number, all: number) => void;
  /** Called when the session has been read, before its head is made. */
  whole?: ((session: WholeSession) => void) | undefined;
}

export async function* sessionBlocks(
  n: number,
  whole: Session,
  blocks: PageBlockQueue,
  { progress = () => {}, whole: onWhole }: SessionBlockOptions = {},
): AsyncGenerator<Uint8Array, SessionHead> {
  const ids = blockIds(n);
  const { session, path, close } = tapeFileOf(whole);
  const pass = new Pass(session, { tree: true, bounded: !onWhole });
  try {
    const tape = new TapePacking(blocks, n, path);
    const add = (id: string, content: string) => blocks.add({ id, content });
    const texts = {
      labels: (at: number, text: string) => add(ids.labels(at), text),
      bodies: (at: number, text: string) => add(ids.bodies(at), text),
    };
    const gatherer = new Gatherer(session, pass, texts, onWhole !== undefined);
    while (readSome(pass, gatherer, tape)) {
      tape.addSome();
      yield* blocks.ready();
      progress(tape.read, tape.size);
    }
    while (tape.addNext()) yield* blocks.ready();
    const gathered = gatherer.end(onWhole);
    for (const [id, content] of gatheredBlocks(ids, gathered)) {
      blocks.addOrPack({ id, content });
      yield* blocks.ready();
    }
    const head = gathered.head();
    // Where the chunks of the tape are is known when they are packed.
    yield* blocks.rest();
    const map: SessionMap = { tape: tape.map, bodies: gathered.bodies };
    add(ids.map, exactJson(map));
    const { size, sha256 } = tape;
    return {
      ...head,
      tape: { bytes: size, sha256, chunks: tape.map.bytes.length, part: partQuery(session.metadata) },
      redaction: redactionOfTape(session.metadata),
    };
  } finally {
    pass.close();
    close();
  }
}

/** False at the end. A function of its own, because V8 is slow to compile the loop of a generator. */
function readSome(pass: Pass, gatherer: Gatherer, tape: TapePacking): boolean {
  for (let n = 0; n < FRAMES_PER_STEP; n++) {
    const read = pass.next();
    if (read === null) return false;
    gatherer.take(read);
    tape.take(read.frame);
  }
  return true;
}

function* gatheredBlocks(ids: BlockIds, gathered: Gathered): Generator<[id: string, content: string | PackInput]> {
  for (const [name, column] of gathered.columns) yield [ids.column(name), column];
  const { approvals, audit } = gathered.tables();
  yield [ids.approvals, exactJson(approvals)];
  yield [ids.audit, exactJson(audit)];
  yield [ids.rows, gathered.rows()];
  yield [ids.places, gathered.places];
  yield [ids.findings, exactJson(gathered.findings())];
  yield [ids.rules, exactJson(gathered.rules())];
  yield [ids.why, exactJson(gathered.why())];
  yield [ids.usage, exactJson(gathered.usage.points)];
}

/** The query that chose the frames of the tape. */
function partQuery({ part }: Metadata): string | null {
  return isObject(part) && typeof part.query === 'string' ? part.query : null;
}

/** The caller that redacted it adds the kinds that were replaced. */
function redactionOfTape({ redacted }: Metadata): SessionHead['redaction'] {
  if (!isObject(redacted) || redacted.mode === 'none') return null;
  return { kinds: {}, text: redacted.mode === 'text' };
}
