/** Secrets of every kind, planted in what people wrote on tapes; every reading of a text; and what a session means. */
import { Audit } from '../../lib/analysis/audit/audit.ts';
import type { ApprovalRow } from '../../lib/analysis/audit/row.ts';
import { Checker } from '../../lib/analysis/check/checker.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { Pass } from '../../lib/session/pass.ts';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { KEYS, OTHERS } from './planted.ts';

export const ALL = [...KEYS.map(({ kind, text }) => ({ kind, text, secret: text })), ...OTHERS];
const escaped = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
export const inJson = (text: string) => JSON.stringify(text).slice(1, -1);

/** How a secret may be written inside a string of JSON, as raw text of that string. */
export const WRITTEN: Record<string, (text: string) => string> = {
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
export function placesIn(frames: readonly Frame[]): Place[] {
  return frames.flatMap((frame, index) => {
    if (frame.event !== null || frame.from === 'stderr') return [];
    const line = Buffer.from(frame.raw).toString();
    return [...line.matchAll(TEXT)].map((match) => {
      const end = match.index + match[0].length - 1;
      return { index, start: end - match[1]!.length, end };
    });
  });
}

export const lineOf = ({ raw }: Frame) => Buffer.from(raw).toString();
export const withLine = (frame: Frame, line: string): Frame => {
  const raw = Buffer.from(line);
  const head = frame.head?.replace(/\d+/, String(raw.length));
  return { ...frame, raw, text: line, ...(head === undefined ? {} : { head }) };
};

export function plantedIn(
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
export function* readings(text: string, depth = 0): Generator<string> {
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

/** What check, approvals and the timeline say, without texts. */
export function meaning(session: Session, dialect: string): unknown {
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
