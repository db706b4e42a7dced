/**
 * The texts of a finished session, as people read them: strings of its lines, JSON in them, texts, and streamed text joined.
 * For a second look; it knows nothing of how the session was redacted.
 */
import { parseJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';

/** Gets every text with its frame (0 for metadata and names) and its key. */
export type ReadText = (text: string, f: number, key: string | null) => void;

/** More is not joined. */
const MAX_JOINED_CHARS = 1 << 20;
const MAX_OPEN_TEXTS = 2000;
const MAX_DEPTH = 100;

export function readFinishedSession(session: Session, reader: ReadText, progress?: (frames: number) => void): void {
  const { metadata, names } = session;
  const { session: _session, original: _original, started_at: _started, recorder: _recorder, ...about } = metadata;
  readTexts({ ...about, env: [] }, 0, reader);
  readTexts(names, 0, reader);
  const joined = new Map<number, { f: number; text: string }>();
  const flush = () => {
    for (const { f, text } of joined.values()) reader(text, f, null);
    joined.clear();
  };
  let count = 0;
  for (const read of new Pass(session)) {
    progress?.(++count);
    const { where, events, frame } = read;
    const streamed = where.item === null ? [] : events.flatMap(({ delta, text }) => (delta && text ? [text] : []));
    readFrame(read, (text, f, key) => {
      // A piece is read in what it is a piece of.
      if (!streamed.includes(text)) reader(text, f, key);
    });
    if (streamed.length === 0) continue;
    const earlier = joined.get(where.item!) ?? { f: frame.f, text: '' };
    earlier.text += streamed.join('');
    joined.set(where.item!, earlier);
    if (earlier.text.length > MAX_JOINED_CHARS || joined.size > MAX_OPEN_TEXTS) flush();
  }
  flush();
}

function readFrame({ frame, value }: ReadFrame, reader: ReadText): void {
  const { f } = frame;
  if (frame.form === 'event') readTexts(frame.detail, f, reader);
  else if (frame.cut) for (const block of frame.cut.whole()) reader(decoder.decode(block), f, null);
  else if (value !== undefined) readTexts(value, f, reader);
  else reader(decoder.decode(frame.raw), f, null);
}

const decoder = new TextDecoder();
const JSON_INSIDE = /^\s*[{[][\s\S]*[}\]]\s*$/;

function readTexts(value: unknown, f: number, reader: ReadText, key: string | null = null, depth = 0): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    const inside = JSON_INSIDE.test(value) ? parseJson(value) : undefined;
    if (typeof inside === 'object' && inside !== null) readTexts(inside, f, reader, key, depth + 1);
    else reader(value, f, key);
  } else if (typeof value === 'number' || typeof value === 'bigint') reader(String(value), f, key);
  else if (Array.isArray(value)) for (const one of value) readTexts(one, f, reader, key, depth + 1);
  else if (typeof value === 'object' && value !== null)
    for (const name in value) {
      // A key may be private, too; most are words of the protocol.
      if (!/^\w{0,40}$/.test(name)) reader(name, f, null);
      readTexts((value as Record<string, unknown>)[name], f, reader, name, depth + 1);
    }
}
