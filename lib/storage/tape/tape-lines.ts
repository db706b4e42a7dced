/** Writes a tape from frames instead of a journal: for a session that was filtered, redacted or made by a program. */
import { isUtf8 } from 'node:buffer';
import { type Frame, isoMicros, type Metadata, microsOf, NO_DETAIL } from '../../model/frame.ts';
import { judgeJson } from '../../model/json/json-line.ts';
import { base64Of } from './line-forms.ts';
import { SealChain, sealLine } from './seal.ts';

/**
 * The tape in pieces, with a final seal. Frames keep their numbers and times. `verify` reports it as intact if its metadata
 * say `source: 'import'`, or its last frame is the last one that a recorder wrote.
 */
export function* tapeLines(metadata: Metadata, frames: Iterable<Frame>): Generator<Uint8Array> {
  const chain = new SealChain();
  const sealed = (bytes: Uint8Array): Uint8Array => {
    chain.update(bytes);
    return bytes;
  };
  yield sealed(Buffer.from(`${JSON.stringify(metadata)}\n`));
  let last: LastFrame = { f: 0, t: 0, event: null, detail: NO_DETAIL };
  for (const frame of frames) {
    const { f, t, event, detail } = frame;
    last = { f, t, event, detail };
    for (const piece of lineOf(frame)) yield sealed(piece);
  }
  yield Buffer.from(finalSeal(metadata, last, chain.seal()));
}

type LastFrame = Pick<Frame, 'f' | 't' | 'event' | 'detail'>;

/** No digest covers the final seal, so `verify` requires that everything in it follows from the last frame. */
function finalSeal({ source, started_at }: Metadata, { f, t, event, detail }: LastFrame, sha256: string): string {
  const isRecorded = source !== 'import' && typeof detail.at === 'string';
  const at = isRecorded ? detail.at : isoMicros(microsOf(started_at) + Math.round(t * 1e6));
  return `${sealLine(f, t.toFixed(6), at, sha256, { recovered: event === 'lost' })}\n`;
}

const LF = 0x0a;

function* lineOf(frame: Frame): Generator<Uint8Array> {
  const { f, t, t0, from, form, eol, event, detail, cut, head: header } = frame;
  // The same form as a recorder's, which readers parse fastest.
  const head = `{"f":${f},"t":${t.toFixed(6)},${t0 === null ? '' : `"t0":${t0.toFixed(6)},`}"from":"${from}"`;
  if (form === 'event') return yield Buffer.from(`${head},${JSON.stringify({ event, ...detail }).slice(1)}\n`);
  const end = header ? `,"head":${JSON.stringify(header)}` : eol === '\n' ? '' : `,"eol":${JSON.stringify(eol)}`;
  const open = head + end;
  if (cut) {
    yield Buffer.from(`${open},"bytes":"`);
    for (const piece of base64Of(cut.whole())) yield Buffer.from(piece);
    return yield Buffer.from('"}\n');
  }
  const raw = Buffer.from(frame.raw);
  const isText = isUtf8(raw);
  if (isText && !raw.includes(LF) && judgeJson(raw, 0, raw.length) !== 'no')
    yield Buffer.concat([Buffer.from(`${open},"message":`), raw, Buffer.from('}\n')]);
  else if (isText) yield Buffer.from(`${open},"text":${JSON.stringify(raw.toString('utf8'))}}\n`);
  else yield Buffer.from(`${open},"bytes":"${raw.toString('base64')}"}\n`);
}
