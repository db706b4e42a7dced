/**
 * Secrets of every kind, planted in every place of tapes of every dialect: none is left in what the redaction makes, in any
 * reading of it, and the session means what it meant.
 */
import { describe, expect, it } from 'vitest';
import { piecesOf, scanForLeaks } from '../../../../lib/analysis/redact/leak-scan.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { Pass } from '../../../../lib/session/pass.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { KEYS, OTHERS } from '../../../support/planted.ts';
import {
  ALL,
  inJson,
  lineOf,
  meaning,
  placesIn,
  plantedIn,
  readings,
  WRITTEN,
  withLine,
} from '../../../support/planting.ts';
import { runsAll, sample } from '../../../support/scale.ts';

function survivors(session: Session, secrets: readonly string[]): string[] {
  const left = new Set<string>();
  for (const { where, text } of piecesOf(session))
    for (const reading of readings(text))
      for (const secret of secrets)
        if (reading.includes(secret)) left.add(`${secret} in ${where}: ${text.slice(0, 3000)}`);
  return [...left];
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
    sample(tapes, 15).forEach((tape, turn) => {
      // Each way in a third of the tapes, and each tape in a third of the ways.
      if ((turn + Object.keys(WRITTEN).indexOf(how)) % 3 > 0) return;
      const { session, secrets } = plantedIn(tape, WRITTEN[how]!, turn * 13);
      planted += secrets.length;
      const redacted = redactSession(session);
      expect(survivors(redacted.session, secrets), tape.id).toEqual([]);
      const dialect = new Pass(session).dialect;
      expect(meaning(redacted.session, dialect), tape.id).toEqual(meaning(session, dialect));
      expect(scanForLeaks(piecesOf(redacted.session), { values: redacted.values() }), tape.id).toEqual([]);
    });
    expect(planted).toBeGreaterThan(runsAll ? 80 : 20);
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
    sample(streaming, 6).forEach(({ tape, delta }, turn) => {
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

  it('over deltas that an agent sends again does not survive', () => {
    const { tape, delta } = streaming.find(({ tape: { id } }) => id === 'wire-1.24.0/replay.jsonl')!;
    const frames = [...tape.frames()];
    const { index, start, end } = delta!;
    const line = lineOf(frames[index]!);
    const chunks = ['so my api_k', 'ey: ', 'q8Zr2LmN5tVx and more'].map((piece) =>
      withLine(frames[index]!, line.slice(0, start) + inJson(piece) + line.slice(end)),
    );
    const all = [...frames.slice(0, index), ...chunks, ...frames.slice(index + 1)];
    const session = sessionInMemory(
      tape.metadata,
      all.map((frame, i) => ({ ...frame, raw: frame.raw, f: i + 1 })),
    );
    expect(survivors(redactSession(session).session, ['q8Zr2LmN5tVx'])).toEqual([]);
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

describe('a secret in pieces', () => {
  const text = (piece: string) => ({
    jsonrpc: '2.0',
    method: 'event',
    params: { type: 'ContentPart', payload: { type: 'text', text: piece } },
  });
  const begin = [
    frameOf(1, '{"jsonrpc":"2.0","id":"1","method":"prompt","params":{"user_input":"x"}}', 'client'),
    frameOf(2, '{"jsonrpc":"2.0","method":"event","params":{"type":"TurnBegin","payload":{"user_input":"x"}}}'),
    frameOf(3, '{"jsonrpc":"2.0","method":"event","params":{"type":"StepBegin","payload":{"n":1}}}'),
  ];
  /** A protocol that nobody knows; the number of a line is no string, and its id is no text. */
  const unknown = (chunk: string, n: number) => ({ id: uuid(n), n, data: { chunk } });
  const uuid = (n: number) => `0a1b2c3d-0000-4000-8000-${String(n).padStart(12, '0')}`;
  const long = 'lorem ipsum dolor sit amet '.repeat(1000);
  const inBase64 = (said: string) => `see ${Buffer.from(`x ${said} y`).toString('base64')} end`;

  it.each([
    ['base64 over deltas', begin, text, inBase64, 7],
    ['base64 over many deltas', begin, text, (said: string) => inBase64(`${long}${said} ${long}`), 399],
    ['lines that look alike', [], unknown, (said: string) => `so ${said} done`, 7],
    ['lines that look alike, in base64', [], unknown, inBase64, 20],
  ] as const)('%s does not survive', (_, head, lineWith, written, size) => {
    const left: string[] = [];
    for (const { kind, text: whole, secret } of ALL) {
      const pieces = written(whole).match(new RegExp(`[^]{1,${size}}`, 'g'))!;
      const lines = pieces.map((piece, i) => frameOf(head.length + i + 1, JSON.stringify(lineWith(piece, i))));
      const session = sessionInMemory(metadataFor('cut', ['kimi', '--wire']), [...head, ...lines]);
      const after = [...redactSession(session).session.frames()].slice(head.length).map(lineOf);
      const said = after
        .map((line) => /"(?:text|chunk)":("(?:[^"\\]|\\.)*")\}/.exec(line)![1]!)
        .map((one) => JSON.parse(one));
      if ([...readings(said.join(''))].some((reading) => reading.includes(secret))) left.push(kind);
    }
    expect(left).toEqual([]);
  });

  it('is not made of values that stand in lines of their own', () => {
    const key = KEYS.find(({ kind }) => kind === 'github-token')!.text;
    const other = `${key.slice(0, -1)}Z`;
    const frames = [key, other, `a ${key} b`, 'c'].map((chunk, i) => frameOf(i + 1, JSON.stringify({ chunk })));
    const { session } = redactSession(sessionInMemory(metadataFor('alike'), frames));
    expect([...session.frames()].map((frame) => JSON.parse(lineOf(frame)).chunk)).toEqual([
      '[TOKEN_1]',
      '[TOKEN_2]',
      'a [TOKEN_1] b',
      'c',
    ]);
  });
});

describe('where somebody works', () => {
  const told = (text: string, more: object = {}) => {
    const frames = [frameOf(1, JSON.stringify({ text }))];
    const metadata = { ...metadataFor('paths'), cwd: '/home/bob/work/rocket', user: 'bob', ...more };
    return JSON.parse(lineOf([...redactSession(sessionInMemory(metadata, frames)).session.frames()][0]!)).text;
  };

  it('is replaced with the project, and not below it', () => {
    expect(told('/home/bob/work/rocket/src/a.ts')).toMatch(/^\/\[PATH_\d\]\/src\/a\.ts$/);
    expect(told('/home/bob/trial/acp/kimi')).toMatch(/^\/\[PATH_\d\]\/acp\/kimi$/);
    expect(told('/home/bob/projects/acme/lib/x.ts')).toMatch(/^\/\[PATH_\d\]\/lib\/x\.ts$/);
    expect(told('C:\\Users\\bob\\Documents\\acme\\x.txt')).toMatch(/^C:\\\[PATH_\d\]\\x\.txt$/);
  });

  it('is a home where nothing below it tells anything', () => {
    expect(told('/home/bob/.kimi/plans/x.md')).toMatch(/^\/\[PATH_\d\]\/\.kimi\/plans\/x\.md$/);
    expect(told('/home/bob/k/1.49.0/kimi')).toMatch(/^\/\[PATH_\d\]\/k\/1\.49\.0\/kimi$/);
  });

  it('is told by a short name in other paths, but not in words', () => {
    expect(told('/opt/bob/tool and /mnt/data/bob')).toMatch(/^\/opt\/\[USER_\d\]\/tool and \/mnt\/data\/\[USER_\d\]$/);
    expect(told('bob the builder')).toBe('bob the builder');
    expect(told('/opt/dev/tool', { user: 'dev', cwd: '/' })).toBe('/opt/dev/tool');
  });
});
