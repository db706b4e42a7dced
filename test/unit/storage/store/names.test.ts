/** meta.json holds names and tags: written whole or not at all, and read whatever somebody made of it. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { describe, expect } from 'vitest';
import { META } from '../../../../lib/storage/store/home.ts';
import { readNames, writeNames } from '../../../../lib/storage/store/names.ts';
import { cases } from '../../../support/scale.ts';
import { it, makePlace, removePlace } from '../../../support/store.ts';
import { anyText } from '../../../support/text.ts';

const NOTHING = { name: null, tags: {} };

describe('names', () => {
  it('come back as they were, readable by us alone, with nothing left beside them', async () => {
    const place = makePlace();
    try {
      fc.assert(
        fc.property(fc.option(anyText), fc.dictionary(anyText, anyText), (name, tags) => {
          writeNames(place.dir, { name, tags });
          expect(readNames(place.dir)).toEqual({ name, tags: { ...tags } });
        }),
        { numRuns: cases(100) },
      );
      expect(statSync(join(place.dir, META)).mode & 0o777).toBe(0o600);
      expect(readdirSync(place.dir).sort()).toEqual(['home', META]);
    } finally {
      await removePlace(place);
    }
  });

  it('leave what else the file has as it is', ({ place }) => {
    writeFileSync(join(place.dir, META), '{"name":"old","tags":{"a":"1"},"later":{"of":["ours"]}}');
    writeNames(place.dir, { name: 'new', tags: {} });
    expect(JSON.parse(readFileSync(join(place.dir, META), 'utf8'))).toEqual({
      name: 'new',
      tags: {},
      later: { of: ['ours'] },
    });
  });

  it('are met old or new, never in between', async ({ place }) => {
    const long = (c: string) => ({ name: c, tags: { long: c.repeat(200_000) } });
    writeNames(place.dir, long('a'));
    // Another thread reads the file all the while.
    const reader = new Worker(
      `const { parentPort, workerData } = require('node:worker_threads');
       const { readFileSync } = require('node:fs');
       let reads = 0, odd = 0, going = true;
       parentPort.on('message', () => { going = false; });
       const look = () => {
         for (let i = 0; i < 20; i++) {
           reads++;
           try {
             const { name, tags } = JSON.parse(readFileSync(workerData, 'utf8'));
             if (tags.long !== name.repeat(200000)) odd++;
           } catch { odd++; }
         }
         if (going) setImmediate(look); else parentPort.postMessage({ reads, odd });
       };
       parentPort.postMessage('reading');
       look();`,
      { eval: true, workerData: join(place.dir, META) },
    );
    await new Promise((done) => reader.once('message', done));
    for (let i = 0; i < 150; i++) writeNames(place.dir, long(i % 2 ? 'a' : 'b'));
    const result = new Promise<{ reads: number; odd: number }>((done) => reader.once('message', done));
    reader.postMessage('stop');
    const { reads, odd } = await result;
    expect(reads).toBeGreaterThan(10);
    expect(odd).toBe(0);
  });

  it('leave nothing behind when they cannot be written', ({ place }) => {
    mkdirSync(join(place.dir, META));
    expect(() => writeNames(place.dir, { name: 'x', tags: {} })).toThrow();
    expect(readdirSync(place.dir).sort()).toEqual(['home', META]);
    expect(readNames(place.dir)).toEqual(NOTHING);
  });

  it.for<[string, unknown]>([
    ['', NOTHING],
    ['{', NOTHING],
    ['null', NOTHING],
    ['7', NOTHING],
    ['[]', NOTHING],
    ['"name"', NOTHING],
    ['{}', NOTHING],
    ['{"name":7,"tags":"x"}', NOTHING],
    ['{"name":"n","tags":["a"]}', { name: 'n', tags: {} }],
    ['{"name":"n","tags":null}', { name: 'n', tags: {} }],
    ['{"name":"n","tags":{"a":1,"b":null,"c":true}}', { name: 'n', tags: { a: '1', b: 'null', c: 'true' } }],
    ['\ufeff{"name":"from a Windows editor"}', { name: 'from a Windows editor', tags: {} }],
    ['{"name":"n","tags":{"a":{"toString":1}}}', { name: 'n', tags: { a: '{"toString":1}' } }],
  ])('are what can be made of %j', ([text, names], { place }) => {
    writeFileSync(join(place.dir, META), text as string);
    expect(readNames(place.dir)).toEqual(names);
  });

  it('keep a tag called __proto__ as a tag', ({ place }) => {
    writeFileSync(join(place.dir, META), '{"tags":{"__proto__":"x","constructor":"y"}}');
    expect(JSON.stringify(readNames(place.dir).tags)).toBe('{"__proto__":"x","constructor":"y"}');
    writeNames(place.dir, readNames(place.dir));
    expect(readFileSync(join(place.dir, META), 'utf8')).toContain('"__proto__":"x"');
  });
});
