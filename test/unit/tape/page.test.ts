/** Pages that somebody has changed: the tape that comes out is the one that went in, or nothing does. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect } from 'vitest';
import { isPage, sessionsIn, takeTape } from '../../../lib/tape/page.ts';
import { tapeLines } from '../../../lib/tape/tape-lines.ts';
import { fixtureSessions } from '../../support/fixture-sessions.ts';
import { pageOf } from '../../support/page.ts';
import { it, type Place } from '../../support/store.ts';

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

const leftovers = () => readdirSync(tmpdir()).filter((name) => /^wiretape-[A-Za-z0-9]{6}$/.test(name)).length;

describe('a page', () => {
  it('gives back its tape, also with other line ends and a last line without one', ({ place }) => {
    const tape = Buffer.concat([...tapeLines(session!.metadata, session!.frames())].map((piece) => Buffer.from(piece)));
    for (const text of [page, page.replaceAll('\n', '\r\n'), page.trimEnd()]) {
      const path = written(place, text);
      expect(isPage(path)).toBe(true);
      expect(sessionsIn(path)).toBe(1);
      const taken = takeTape(path, null);
      expect(readFileSync(taken.path).equals(tape)).toBe(true);
      expect(existsSync(taken.folder)).toBe(true);
    }
  });

  it.each([
    [
      'whose tape was changed',
      () => withBlock('s0-c0', (tape) => Buffer.from(tape.toString().replace('"f":1,', '"f":9,'))),
      /changed/,
    ],
    ['whose tape is longer', () => withBlock('s0-c0', (tape) => Buffer.concat([tape, Buffer.from('{}\n')])), /changed/],
    ['with a bomb', () => withBlock('s0-c0', () => Buffer.alloc(50_000_000)), /changed/],
    [
      'with another digest',
      () => withJson('head', (head) => Object.assign((head.sessions as { tape: object }[])[0]!.tape, { sha256: 'x' })),
      /changed/,
    ],
    [
      'with a size that is no number',
      () => withJson('head', (head) => Object.assign((head.sessions as { tape: object }[])[0]!.tape, { bytes: '12' })),
      /changed/,
    ],
    [
      'with a size that no disk has',
      () =>
        withJson('head', (head) => Object.assign((head.sessions as { tape: object }[])[0]!.tape, { bytes: 2 ** 52 })),
      /changed/,
    ],
    ['without sessions', () => withJson('head', (head) => Object.assign(head, { sessions: [] })), /changed/],
    ['of a later format', () => withJson('head', (head) => Object.assign(head, { format: 2 })), /format 2/],
    ['without a chunk', () => page.replace(BLOCK('s0-c0'), ''), /block s0-c0 is missing/],
    ['without a map', () => page.replace(BLOCK('s0-map'), ''), /block s0-map is missing/],
    ['without its end', () => page.slice(0, page.indexOf('id="s0-rows"')), /not complete/],
    ['that is cut off in a block', () => page.slice(0, page.indexOf('id="head"') + 50), /no end/],
    ['whose head is no base64', () => page.replace(BLOCK('head'), '$1%%%$3'), /changed/],
    ['of somebody else', () => '<!DOCTYPE html><p>hello', /not a page of wiretape/],
  ])('%s is refused, and leaves nothing behind', (_, make, message) => {
    const before = leftovers();
    const path = join(tmpdir(), `page-${process.pid}.html`);
    writeFileSync(path, make(), 'latin1');
    expect(() => takeTape(path, null)).toThrow(message);
    expect(leftovers()).toBe(before);
  });
});
