/**
 * The texts of a finished session, as people read them: strings of its lines, JSON in them, texts, and streamed text joined.
 * For a second look; it knows nothing of how the session was redacted.
 */
import { parseJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';

/** Gets every text with its frame (0 for metadata and names) and its key. */
export type Reader = (text: string, f: number, key: string | null) => void;

/** More is not joined. */
const MOST_JOINED = 1 << 20;
const MOST_OPEN = 2000;
const DEEPEST = 100;

export function readFinished(session: Session, reader: Reader, progress?: (frames: number) => void): void {
  const { metadata, names } = session;
  const { session: _session, original: _original, started_at: _started, recorder: _recorder, ...about } = metadata;
  eachText({ ...about, env: [] }, 0, reader);
  eachText(names, 0, reader);
  const joined = new Map<number, { f: number; text: string }>();
  const flush = () => {
    for (const { f, text } of joined.values()) reader(text, f, null);
    joined.clear();
  };
  let count = 0;
  for (const read of new Pass(session)) {
    progress?.(++count);
    const { where, events, frame } = read;
    const said = where.item === null ? [] : events.flatMap(({ delta, text }) => (delta && text ? [text] : []));
    readFrame(read, (text, f, key) => {
      // A piece is read in what it is a piece of.
      if (!said.includes(text)) reader(text, f, key);
    });
    if (said.length === 0) continue;
    const before = joined.get(where.item!) ?? { f: frame.f, text: '' };
    before.text += said.join('');
    joined.set(where.item!, before);
    if (before.text.length > MOST_JOINED || joined.size > MOST_OPEN) flush();
  }
  flush();
}

function readFrame({ frame, value }: ReadFrame, reader: Reader): void {
  const { f } = frame;
  if (frame.form === 'event') eachText(frame.detail, f, reader);
  else if (frame.cut) for (const block of frame.cut.whole()) reader(decoder.decode(block), f, null);
  else if (value !== undefined) eachText(value, f, reader);
  else reader(decoder.decode(frame.raw), f, null);
}

const decoder = new TextDecoder();
const JSON_INSIDE = /^\s*[{[][\s\S]*[}\]]\s*$/;

function eachText(value: unknown, f: number, reader: Reader, key: string | null = null, depth = 0): void {
  if (depth > DEEPEST) return;
  if (typeof value === 'string') {
    const inside = JSON_INSIDE.test(value) ? parseJson(value) : undefined;
    if (typeof inside === 'object' && inside !== null) eachText(inside, f, reader, key, depth + 1);
    else reader(value, f, key);
  } else if (typeof value === 'number' || typeof value === 'bigint') reader(String(value), f, key);
  else if (Array.isArray(value)) for (const one of value) eachText(one, f, reader, key, depth + 1);
  else if (typeof value === 'object' && value !== null)
    for (const name in value) {
      // A key may be private, too; most are words of the protocol.
      if (!/^\w{0,40}$/.test(name)) reader(name, f, null);
      eachText((value as Record<string, unknown>)[name], f, reader, name, depth + 1);
    }
}
