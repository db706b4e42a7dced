/** Pages that somebody has changed: the tape that comes out is the one that went in, or nothing does. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect } from 'vitest';
import { isPage, sessionsIn } from '../../../../lib/storage/tape/page.ts';
import { tapeLines } from '../../../../lib/storage/tape/tape-lines.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { pageOf } from '../../../support/page.ts';
import { it, type Place } from '../../../support/store.ts';
import { takenTape } from '../../../support/taken-tape.ts';

const [session] = fixtureSessions();
let page = '';

beforeAll(async () => {
  page = (await pageOf([session!])).toString('latin1');
});

function written({ dir }: Place, text: string): string {
  const path = join(dir, 'page.html');
  writeFileSync(path, text, 'latin1');
  return path;
}

const BLOCK = (id: string) => new RegExp(`(<script type="application/octet-stream" id="${id}">)([^<]*)(</script>)`);

/** The page with another block; `change` gets what the block says. */
function withBlock(id: string, change: (content: Buffer) => Buffer): string {
  return page.replace(BLOCK(id), (_, open: string, text: string, close: string) => {
    const packed = gzipSync(change(gunzipSync(Buffer.from(text, 'base64'))));
    return `${open}${packed.toString('base64')}${close}`;
  });
}

const withJson = (id: string, change: (value: Record<string, never>) => void) =>
  withBlock(id, (content) => {
    const value = JSON.parse(content.toString());
    change(value);
    return Buffer.from(JSON.stringify(value));
  });

const withTape = (lie: object) =>
  withJson('head', (head) => Object.assign((head.sessions as { tape: object }[])[0]!.tape, lie));

const withBytes = (bytes: number) => withJson('s0-map', (map) => Object.assign(map.tape as object, { bytes: [bytes] }));

const blockOf = (text: string, id: string): string | undefined => BLOCK(id).exec(text)?.[0];

const manyBlocks = () =>
  Array.from(
    { length: 70_000 },
    (_, i) => `<script type="application/octet-stream" id="s0-c${i + 1}">A</script>\n`,
  ).join('');

describe('a page', () => {
  it('gives back its tape, also with other line ends and a last line without one', ({ place }) => {
    const tape = Buffer.concat([...tapeLines(session!.metadata, session!.frames())].map((piece) => Buffer.from(piece)));
    for (const text of [page, page.replaceAll('\n', '\r\n'), page.trimEnd()]) {
      const path = written(place, text);
      expect(isPage(path)).toBe(true);
      expect(sessionsIn(path)).toBe(1);
      expect(takenTape(place, path).equals(tape)).toBe(true);
    }
  });

  it.for<[string, () => string, RegExp]>([
    [
      'whose tape was changed',
      () => withBlock('s0-c0', (tape) => Buffer.from(tape.toString().replace('"f":1,', '"f":9,'))),
      /not the one that it names/,
    ],
    [
      'whose tape is longer',
      () => withBlock('s0-c0', (tape) => Buffer.concat([tape, Buffer.from('{}\n')])),
      /s0-c0 is larger than its map says/,
    ],
    [
      'whose tape is shorter',
      () => withBlock('s0-c0', (tape) => tape.subarray(1)),
      /s0-c0 is smaller than its map says/,
    ],
    ['with a bomb', () => withBlock('s0-c0', () => Buffer.alloc(50_000_000)), /s0-c0 is larger than its map says/],
    ['with a bomb in its head', () => withBlock('head', () => Buffer.alloc(50_000_000, ' ')), /head is larger than/],
    ['with a deep head', () => withBlock('head', () => Buffer.alloc(10_000_000, '[')), /head has more values/],
    ['with a wide map', () => withBlock('s0-map', () => Buffer.alloc(10_000_000, '[],')), /s0-map has more values/],
    ['with another digest', () => withTape({ sha256: 'x' }), /not the one that it names/],
    ['with a digest that is none', () => withTape({ sha256: 1 }), /does not say how long/],
    ['with a size that is no number', () => withTape({ bytes: '12' }), /does not say how long/],
    ['with a size that is negative', () => withTape({ bytes: -1 }), /does not say how long/],
    ['with a size that no disk has', () => withTape({ bytes: 2 ** 52 }), /names 4503599627370496 bytes, and its map/],
    [
      'with sizes that no disk has',
      () =>
        withBytes(2 ** 40).replace(BLOCK('head'), (whole) => blockOf(withTape({ bytes: 2 ** 40 }), 'head') ?? whole),
      /1\.1 TB: more than 512 MB, and more than 10 times/,
    ],
    [
      'with chunks that it does not have',
      () => withTape({ chunks: 2 ** 40 }),
      /names 1099511627776 chunks, and its map 1/,
    ],
    ['without sessions', () => withJson('head', (head) => Object.assign(head, { sessions: [] })), /names no session/],
    [
      'with many sessions',
      () => withJson('head', (head) => Object.assign(head, { sessions: [1, 2, 3] })),
      /3 sessions/,
    ],
    [
      'with a session that is none',
      () => withJson('head', (head) => Object.assign(head, { sessions: [[]] })),
      /how long/,
    ],
    ['with a head that is no object', () => withBlock('head', () => Buffer.from('[]')), /head is not an object/],
    ['with a head that is no JSON', () => withBlock('head', () => Buffer.from('{')), /head is not JSON/],
    ['of a later format', () => withJson('head', (head) => Object.assign(head, { format: 2 })), /format 2/],
    ['of no format', () => withJson('head', (head) => Object.assign(head, { format: ['\x1b'] })), /not a number/],
    ['without a chunk', () => page.replace(BLOCK('s0-c0'), ''), /block s0-c0 is missing/],
    ['without a map', () => page.replace(BLOCK('s0-map'), ''), /block s0-map is missing/],
    ['with two heads', () => `${page}\n${blockOf(page, 'head')}`, /two blocks called head/],
    ['with more blocks than any', () => `${page}\n${manyBlocks()}`, /more than 65536 blocks/],
    ['without its end', () => page.slice(0, page.indexOf('id="s0-rows"')), /not complete/],
    ['that is cut off in a block', () => page.slice(0, page.indexOf('id="head"') + 50), /no end/],
    ['whose head is no base64', () => page.replace(BLOCK('head'), '$1%%%$3'), /head is not base64/],
    [
      'whose head is not packed',
      () => page.replace(BLOCK('head'), '$1AAAA$3'),
      /head cannot be unpacked: it is not gzip/,
    ],
    ['of somebody else', () => '<!DOCTYPE html><p>hello', /not a page of wiretape/],
  ])('%s is refused, and leaves nothing behind', ([, make, message], { place }) => {
    const path = written(place, make());
    expect(() => takenTape(place, path)).toThrow(message);
  });
});
