/** What is found under paths: once each, by its content, and never by going round in circles. */
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { findSources, type ImportCandidate } from '../../../../../lib/storage/tape/import/find-sources.ts';
import { IMPORTS, importOne, writeIn } from '../../../../support/imports.ts';
import { it } from '../../../../support/store.ts';

const at = (found: ImportCandidate): string[] =>
  found.is === 'source' ? [found.source.format, found.source.path] : ['refused', found.path, found.why];

const LINE = '{"t":1790000000,"dir":"a2c","line":"x"}\n';

describe('search', () => {
  it('finds every session of a tree once, whatever leads to it', ({ place }) => {
    const all = findSources([IMPORTS, IMPORTS, join(IMPORTS, '1.49.0-subagent_parallel')], () => false);
    expect(all.map((found) => at(found)[0]).sort()).toEqual([
      ...['kimi-cli', 'kimi-cli', 'kimi-cli', 'kimi-cli', 'kimi-code', 'line-log', 'line-log'],
    ]);
    const log = writeIn(place, 'x.jsonl', LINE);
    const meta = writeIn(place, 'x.meta.jsonl', '{"t":1790000000,"event":"spawn","cmd":"a","args":["b"]}\n');
    expect(findSources([meta, log, place.dir], () => false).map(at)).toEqual([['line-log', log]]);
    expect(importOne(place, meta).metadata.command).toEqual(['a', 'b']);
  });

  it('says why a file is none', ({ place }) => {
    const empty = writeIn(place, 'empty.jsonl', '');
    const binary = writeIn(place, 'binary', Buffer.from([0, 1, 2, 255, 10, 0]));
    const prose = writeIn(place, 'notes.txt', 'hello\nworld\n');
    const alone = writeIn(place, 'y.meta.jsonl', '{"event":"remark"}\n');
    expect(
      findSources([empty, binary, prose, alone, join(place.dir, 'none'), '/dev/null'], () => false).map(at),
    ).toEqual([
      ['refused', empty, 'the file is empty'],
      ['refused', binary, 'a binary file'],
      ['refused', prose, 'no JSON objects in its first lines'],
      ['refused', alone, 'the log it belongs to is missing'],
      ['refused', join(place.dir, 'none'), 'no such file or folder'],
      ['refused', '/dev/null', 'neither a file nor a folder'],
    ]);
  });

  it('takes plain JSON lines only where the file itself is named', ({ place }) => {
    const plain = writeIn(place, 'a/plain.jsonl', '{"jsonrpc":"2.0","id":1,"result":{}}\r\nnoise\n{"cut');
    expect(findSources([join(place.dir, 'a')], () => false).map(at)).toEqual([
      ['refused', plain, expect.stringContaining('name the file')],
    ]);
    const { frames, notes } = importOne(place, plain);
    expect(frames.map(({ from, raw, eol, t }) => [from, `${raw}`, eol, t])).toEqual([
      ['agent', '{"jsonrpc":"2.0","id":1,"result":{}}', '\r\n', 0],
      ['agent', 'noise', '\n', 0],
      ['agent', '{"cut', '', 0],
    ]);
    expect(notes.join('\n')).toMatch(/who spoke.*\n.*no times/);
  });

  it('does not follow links in circles, and takes a linked file once', ({ place }) => {
    const log = writeIn(place, 'a/b/x.jsonl', LINE);
    symlinkSync(join(place.dir, 'a'), join(place.dir, 'a/b/round'));
    symlinkSync(log, join(place.dir, 'a/same.jsonl'));
    symlinkSync('self.jsonl', join(place.dir, 'a/self.jsonl'));
    mkdirSync(join(place.dir, 'a/dir.jsonl'));
    expect(findSources([join(place.dir, 'a')], () => false).map(at)).toEqual([
      ['line-log', log],
      ['refused', join(place.dir, 'a/self.jsonl'), 'a broken symbolic link'],
    ]);
  });

  it('leaves the store alone', ({ place }) => {
    const log = writeIn(place, 'x.jsonl', LINE);
    expect(findSources([log], (path) => path === log).map(at)).toEqual([
      ['refused', log, 'it is already in the store'],
    ]);
  });

  it('copes with a first line of many megabytes, of a record or of rubbish', ({ place }) => {
    const long = 'x'.repeat(5 << 20);
    const log = writeIn(place, 'long.jsonl', `${JSON.stringify({ t: 1790000000, dir: 'a2c', line: long })}\n`);
    const { frames, verdict } = importOne(place, log);
    expect(frames[0]!.raw.length).toBe(long.length);
    expect(verdict).toBe('intact');
    const rubbish = writeIn(place, 'rubbish.jsonl', `{"t":${long}`);
    expect(findSources([rubbish], () => false).map(at)).toEqual([
      ['refused', rubbish, 'no JSON objects in its first lines'],
    ]);
    const bytes = Buffer.alloc(3 << 20, 0xff);
    const torn = importOne(place, writeIn(place, 'torn.jsonl', Buffer.concat([Buffer.from(LINE), bytes])));
    expect(torn.frames[1]).toMatchObject({ event: 'unread', detail: { why: 'torn', size: bytes.length } });
    // Not toEqual: it takes 13 s for so many bytes.
    expect(Buffer.from(String(torn.frames[1]!.detail.held_base64), 'base64').equals(bytes)).toBe(true);
  });
});
