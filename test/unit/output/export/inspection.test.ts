/** Leak scans beside other work: long files in a thread, and what was looked at already. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { Failure } from '../../../../lib/model/failure.ts';
import { piecesIn } from '../../../../lib/output/export/artefact.ts';
import { Inspector } from '../../../../lib/output/export/inspection.ts';
import { zip } from '../../../../lib/storage/tape/zip.ts';
import { KEYS } from '../../../support/planted.ts';
import { it } from '../../../support/store.ts';

const SECRET = KEYS.find(({ kind }) => kind === 'github-token')!.text;

async function leaksIn(path: string, keep: string[] = []) {
  const inspector = new Inspector();
  const asked = inspector.inspect({ path, name: 'wire.jsonl', values: ['the old name'], keep });
  const found = await asked.finally(() => inspector.stop());
  return found.map(({ kind, where }) => `${kind}: ${where}`);
}

const WORDS = '{"text":"a line of a hundred and some bytes, in which there is nothing that anybody could look for"}\n';
/** So many are looked at in a thread. */
const MANY = 50_000;

describe.each([
  ['a short file', 10],
  ['a file that is looked at in a thread', MANY],
])('%s', (_, lines) => {
  it('has leaks where they are', async ({ place }) => {
    const path = join(place.dir, 'wire.jsonl');
    writeFileSync(path, `${WORDS.repeat(lines)}{"key":"${SECRET}"}\n{"from":"the old name"}\n`);
    const old = `replaced-value: wire.jsonl, line ${lines + 2}`;
    expect(await leaksIn(path)).toEqual([`github-token: wire.jsonl, line ${lines + 1}`, old]);
    expect(await leaksIn(path, [SECRET])).toEqual([old]);
  });
});

it('is told if a file cannot be read in the thread', async ({ place }) => {
  const [long, gone] = [join(place.dir, 'long'), join(place.dir, 'gone')];
  writeFileSync(long, WORDS.repeat(MANY));
  const inspector = new Inspector();
  const about = { values: [], keep: [] };
  const answers = await Promise.allSettled([
    inspector.inspect({ path: long, ...about }),
    inspector.inspect({ path: gone, ...about }),
    inspector.inspect({ path: long, ...about }),
  ]);
  await inspector.stop();
  expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

describe('what was looked at already', () => {
  it('is not looked at again in an archive, unless a byte is different', async ({ place }) => {
    const file = join(place.dir, 'wire.jsonl');
    const archive = join(place.dir, 'report.zip');
    const pack = async (...texts: string[]) => {
      const files = texts.map((text, n) => ({ name: `${n}`, content: [Buffer.from(text)] }));
      const pieces: Buffer[] = [];
      for await (const piece of zip(files)) pieces.push(piece);
      writeFileSync(archive, Buffer.concat(pieces));
    };
    const textsIn = (path: string, besides: string[]) => [...piecesIn(path, { besides })].map(({ text }) => text);
    writeFileSync(file, 'one\ntwo\n');
    await pack('one\ntwo\n', 'two\nthree');
    expect(textsIn(archive, [])).toEqual(['0', 'one', 'two', '', '1', 'two', 'three']);
    expect(textsIn(archive, [file])).toEqual(['0', '1', 'two', 'three']);
    await pack('one\ntwi\n');
    expect(textsIn(archive, [file])).toEqual(['0', 'one', 'twi', '']);
  });

  it('is not looked at again in a page, unless a byte is different', ({ place }) => {
    const file = join(place.dir, 'wire.jsonl');
    const page = join(place.dir, 'report.html');
    const block = (text: string) =>
      `<script type="application/octet-stream" id="c">${gzipSync(text).toString('base64')}</script>\n`;
    const textsIn = () => [...piecesIn(page, { besides: [file] })].map(({ text }) => text);
    writeFileSync(file, 'one\ntwo\nthree\n');
    writeFileSync(page, `${block('one\n')}${block('a body')}${block('two\nthree\n')}${block('two\n')}`);
    expect(textsIn()).toEqual(['a body', 'two', '']);
    writeFileSync(page, `${block('one\n')}${block('twi\nthree\n')}`);
    expect(textsIn()).toEqual(['twi', 'three', '']);
  });
});

it('says the same as elsewhere if a pattern takes too long in the thread', async ({ place }) => {
  const path = join(place.dir, 'long');
  writeFileSync(path, `${WORDS.repeat(MANY)}{"to":"${'a'.repeat(40)}@corp.org"}\n`);
  const failure = await leaksIn(path, ['/^(a+)+@example/']).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({
    message: 'the regular expression of --keep took too long on one line',
    hint: 'avoid nested repetition such as (a+)+',
    exitCode: 2,
  });
});
