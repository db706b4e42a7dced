/**
 * Secrets of every kind, planted in every place of tapes of every dialect: none is left in what the redaction makes, in any
 * reading of it, and the session means what it meant.
 */
import { describe, expect, it } from 'vitest';
import { Audit } from '../../../lib/audit/audit.ts';
import type { ApprovalRow } from '../../../lib/audit/row.ts';
import { Checker } from '../../../lib/check/checker.ts';
import type { Frame } from '../../../lib/core/frame.ts';
import { piecesOf, scan } from '../../../lib/redact/scan.ts';
import { redactSession } from '../../../lib/redact/session.ts';
import { Pass } from '../../../lib/session/pass.ts';
import { type Session, sessionInMemory } from '../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../support/fixture-sessions.ts';
import { KEYS, OTHERS } from '../../support/planted.ts';

const ALL = [...KEYS.map(({ kind, text }) => ({ kind, text, secret: text })), ...OTHERS];
const escaped = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How a secret may be written inside a string of JSON, as raw text of that string. */
const WRITTEN: Record<string, (text: string) => string> = {
  whole: inJson,
  escaped,
  'with escaped slashes': (text) => inJson(text).replaceAll('/', '\\/'),
  'in JSON': (text) => inJson(JSON.stringify({ note: `a ${text} b` })),
  'in JSON in JSON': (text) => inJson(JSON.stringify({ a: JSON.stringify([JSON.stringify({ note: text })]) })),
  'as a key in JSON': (text) => inJson(JSON.stringify({ [text]: 1 })),
  'in base64': (text) => Buffer.from(`x ${text} y`).toString('base64'),
  'in base64 in JSON': (text) => inJson(JSON.stringify({ data: Buffer.from(text).toString('base64') })),
  'in base64url': (text) => Buffer.from(`näher: ${text}`).toString('base64url'),
  'percent-encoded': (text) => encodeURIComponent(text),
  'percent-encoded byte by byte': (text) =>
    [...text].map((c) => `%${c.charCodeAt(0).toString(16).padStart(2, '0')}`).join(''),
  'as a file name': (text) => inJson(`/tmp/${text}.txt`),
};

interface Place {
  index: number;
  start: number;
  end: number;
}

const TEXT =
  /"(?:text|content|thinking|think|output|message|delta|title|description|input|result)"\s*:\s*"((?:[^"\\]|\\.)*)"/g;

/** Strings that people wrote, by frame. */
function placesIn(frames: readonly Frame[]): Place[] {
  return frames.flatMap((frame, index) => {
    if (frame.event !== null || frame.from === 'stderr') return [];
    const line = Buffer.from(frame.raw).toString();
    return [...line.matchAll(TEXT)].map((match) => {
      const end = match.index + match[0].length - 1;
      return { index, start: end - match[1]!.length, end };
    });
  });
}

const lineOf = ({ raw }: Frame) => Buffer.from(raw).toString();
const withLine = (frame: Frame, line: string): Frame => {
  const raw = Buffer.from(line);
  const head = frame.head?.replace(/\d+/, String(raw.length));
  return { ...frame, raw, text: line, ...(head === undefined ? {} : { head }) };
};

function plantedIn(
  session: Session,
  written: (text: string) => string,
  turn: number,
): { session: Session; secrets: string[] } {
  const frames = [...session.frames()];
  const places = placesIn(frames);
  const secrets: string[] = [];
  const used = new Set<number>();
  ALL.forEach(({ text, secret }, n) => {
    const place = places[(n * 7 + turn) % Math.max(1, places.length)];
    if (!place || used.has(place.index)) return;
    used.add(place.index);
    const line = lineOf(frames[place.index]!);
    frames[place.index] = withLine(
      frames[place.index]!,
      `${line.slice(0, place.end)} ${written(text)} ${line.slice(place.end)}`,
    );
    secrets.push(secret);
  });
  return { session: sessionInMemory({ ...session.metadata, cwd: '/srv/builds/acme-rocket' }, frames), secrets };
}

/** Every reading of a text. */
function* readings(text: string, depth = 0): Generator<string> {
  yield text;
  if (depth > 6) return;
  const unescaped = text.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, hex?: string, c?: string) => {
    return hex ? String.fromCharCode(Number.parseInt(hex, 16)) : ({ n: '\n', r: '\r', t: '\t' }[c!] ?? c!);
  });
  if (unescaped !== text) yield* readings(unescaped, depth + 1);
  if (/%[0-9a-f]{2}/i.test(text))
    yield* readings(
      text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
      depth + 1,
    );
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12,}={0,2}/g)) {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (/^[\x09\x0a\x0d\x20-\x7e\xa0-\xff]+$/.test(decoded)) yield* readings(decoded, depth + 1);
  }
}

function survivors(session: Session, secrets: readonly string[]): string[] {
  const left = new Set<string>();
  for (const { where, text } of piecesOf(session))
    for (const reading of readings(text))
      for (const secret of secrets)
        if (reading.includes(secret)) left.add(`${secret} in ${where}: ${text.slice(0, 3000)}`);
  return [...left];
}

/** What check, approvals and the timeline say, without texts. */
function meaning(session: Session, dialect: string): unknown {
  const { command, metadata } = session;
  const pass = new Pass({ command: metadata.command, dialect, frames: () => session.frames() });
  const checker = new Checker({ dialect, command, source: 'record' });
  const audit = new Audit(pass);
  const rows: ApprovalRow[] = [];
  const kinds: string[] = [];
  const findings: string[] = [];
  for (const read of pass) {
    rows.push(...audit.take(read));
    for (const { rule, f } of checker.take(read)) findings.push(`${rule} f${f}`);
    const pair = read.pairing?.role ?? '';
    kinds.push(
      `${read.frame.f} ${read.frame.t} ${read.frame.from} ${read.events.map(({ kind }) => kind)} ${read.where.turn} ${read.where.item} ${pair}`,
    );
  }
  for (const { rule, f } of checker.end()) findings.push(`${rule} f${f}`);
  rows.push(...audit.end());
  const judged = rows.map(({ f, kind, decision, by, executed, answer_f, result_f }) => [
    f,
    kind,
    decision,
    by,
    executed,
    answer_f,
    result_f,
  ]);
  return { kinds, findings, judged, counts: pass.timeline.counts };
}

const keyOf = ({ id }: Session) => id.split('/')[0]!;
/** The tape of each program that has most strings. */
const tapes = [...new Set(fixtureSessions().map(keyOf))].map((key) =>
  fixtureSessions()
    .filter((one) => keyOf(one) === key)
    .reduce((best, one) => (placesIn([...one.frames()]).length > placesIn([...best.frames()]).length ? one : best)),
);

describe('planted secrets', () => {
  it('are planted at all', () => {
    expect(tapes.length).toBeGreaterThan(40);
    expect(tapes.filter((tape) => placesIn([...tape.frames()]).length === 0).length).toBeLessThan(2);
  });

  it.each(Object.keys(WRITTEN))('%s', (how) => {
    let planted = 0;
    tapes.forEach((tape, turn) => {
      // Each way in a third of the tapes, and each tape in a third of the ways.
      if ((turn + Object.keys(WRITTEN).indexOf(how)) % 3 > 0) return;
      const { session, secrets } = plantedIn(tape, WRITTEN[how]!, turn * 13);
      planted += secrets.length;
      const redacted = redactSession(session);
      expect(survivors(redacted.session, secrets), tape.id).toEqual([]);
      const dialect = new Pass(session).dialect;
      expect(meaning(redacted.session, dialect), tape.id).toEqual(meaning(session, dialect));
      expect(scan(piecesOf(redacted.session), { values: redacted.values() }), tape.id).toEqual([]);
    });
    expect(planted).toBeGreaterThan(80);
  });

  it('each kind, in each way of writing', () => {
    const lines = Object.entries(WRITTEN).flatMap(([how, written]) =>
      ALL.map(({ kind, text, secret }) => ({
        how,
        kind,
        secret,
        line: `{"jsonrpc":"2.0","method":"m","params":{"x":" ${written(text)} "}}`,
      })),
    );
    const frames = lines.map(({ line }, i) => frameOf(i + 1, line));
    const redacted = [...redactSession(sessionInMemory(metadataFor('each'), frames)).session.frames()];
    const left = lines.flatMap(({ how, kind, secret, line }, i) => {
      const after = lineOf(redacted[i]!);
      expect(() => JSON.parse(after), after).not.toThrow();
      return [...readings(after)].some((reading) => reading.includes(secret))
        ? [`${kind} ${how}: ${line} -> ${after}`]
        : [];
    });
    expect(left).toEqual([]);
  });
});

const frameOf = (f: number, line: string, from: Frame['from'] = 'agent', isText = false): Frame => ({
  ...{ f, t: f, t0: null, from, form: isText ? 'text' : 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(line),
});

/** The first frame that adds to a text, and the string that does. */
function deltaIn(session: Session): { index: number; start: number; end: number } | null {
  let index = -1;
  for (const { frame, events } of new Pass(session)) {
    index++;
    const event = events.find(({ delta, text }) => delta && text);
    if (!event) continue;
    const line = lineOf(frame);
    const start = line.indexOf(`:${JSON.stringify(event.text)}`) + 2;
    if (start > 1) return { index, start, end: start + inJson(event.text!).length };
  }
  return null;
}

/** Parts of any length, from a seed. */
function cut(text: string, parts: number, seed: number): string[] {
  const places = new Set<number>();
  for (let i = 0, x = seed + 1; places.size < Math.min(parts, text.length) - 1; i++) {
    x = (Math.imul(x, 1103515245) + 12345 + i) >>> 0;
    places.add(1 + (x % (text.length - 1)));
  }
  const ends = [...places, text.length].sort((a, b) => a - b);
  return ends.map((end, i) => text.slice(ends[i - 1] ?? 0, end));
}

describe('a secret that is cut', () => {
  const streaming = tapes.map((tape) => ({ tape, delta: deltaIn(tape) })).filter(({ delta }) => delta !== null);

  it('is looked for in many dialects', () => {
    expect(streaming.length).toBeGreaterThan(12);
  });

  it.each([2, 3, 7, 1000])('into %s deltas does not survive', (parts) => {
    streaming.forEach(({ tape, delta }, turn) => {
      if (parts === 1000 && turn % 3 > 0) return;
      const frames = [...tape.frames()];
      const { index, start, end } = delta!;
      const line = lineOf(frames[index]!);
      const some = ALL.filter((_, n) => n % 9 === turn % 9);
      const said = `so ${some.map(({ text }) => text).join(' and then ')} done`;
      const pieces = cut(said, parts === 1000 ? said.length : parts * some.length, turn + parts);
      const chunks = pieces.map((piece) =>
        withLine(frames[index]!, line.slice(0, start) + inJson(piece) + line.slice(end)),
      );
      const all = [...frames.slice(0, index), ...chunks, ...frames.slice(index + 1)].map((frame, i) => ({
        ...frame,
        raw: frame.raw,
        f: i + 1,
      }));
      const session = sessionInMemory(tape.metadata, all);
      const redacted = redactSession(session);
      expect(
        survivors(
          redacted.session,
          some.map(({ secret }) => secret),
        ),
        tape.id,
      ).toEqual([]);
      const dialect = new Pass(session).dialect;
      expect(meaning(redacted.session, dialect), tape.id).toEqual(meaning(session, dialect));
    });
  });

  it('over plain lines, and over lines of a protocol that nobody knows, does not survive', () => {
    const pem = OTHERS.find(({ kind }) => kind === 'private-key')!.text;
    const key = KEYS.find(({ kind }) => kind === 'github-token')!.text;
    const frames = [
      ...pem.split('\n').map((line) => ['stderr', line] as const),
      ['stderr', `wrapped ${key.slice(0, 20)}`] as const,
      ['stderr', `${key.slice(20)} and more`] as const,
      ...cut(key, 6, 3).map((part) => ['agent', JSON.stringify({ chunk: part })] as const),
    ].map(([from, line], i) => frameOf(i + 1, line, from, from === 'stderr'));
    const { session } = redactSession(sessionInMemory(metadataFor('cut'), frames));
    const said = [...session.frames()].map(lineOf);
    const joined = said.map((line) => (line.startsWith('{') ? JSON.parse(line).chunk : line)).join('');
    expect(joined).not.toContain(key.slice(4, 24));
    expect(joined).not.toContain(pem.split('\n')[1]);
    expect(
      said
        .slice(-6)
        .map((line) => JSON.parse(line).chunk)
        .join(''),
    ).toMatch(/^\[TOKEN_\d+\]$/);
  });
});
