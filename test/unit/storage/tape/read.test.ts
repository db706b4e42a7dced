/** The reader survives truncation at any byte, garbage in the middle, a growing file and a future format (section 4). */
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parseLine, readMetadata, readTape } from '../../../../lib/storage/tape/read.ts';
import { UnreadableTape } from '../../../../lib/storage/tape/unreadable.ts';
import { buildTape, TestJournal } from '../../../support/journal.ts';
import { it, type Place } from '../../../support/store.ts';

function someTape(place: Place): Buffer {
  const journal = new TestJournal(join(place.dir, 'journal'));
  journal.event(1, { from: 'proc', event: 'spawn', pid: 7 }).data('client', 2, '{"a":"é"}\n');
  journal.clock(3).data('agent', 4, 'text\r\n').data('stderr', 5, Uint8Array.of(0xff, 0x0a)).exit(6);
  buildTape(join(place.dir, 'journal'), join(place.dir, 'tape'));
  return readFileSync(join(place.dir, 'tape'));
}

function kinds(place: Place, bytes: Uint8Array): string[] {
  writeFileSync(join(place.dir, 'changed'), bytes);
  return [...readTape(join(place.dir, 'changed'))].map(({ is }) => is);
}

const WHOLE = ['metadata', 'frame', 'frame', 'seal', 'frame', 'frame', 'frame', 'seal'];

describe('readTape', () => {
  it('reads a command whose words are no texts', ({ place }) => {
    const tape = join(place.dir, 'odd');
    writeFileSync(tape, '{"type":"metadata","wiretape":1,"command":["a",{"toString":1},[{"toString":null}],2,null]}\n');
    expect(readMetadata(tape).command).toEqual(['a', '{"toString":1}', '[{"toString":null}]', '2', 'null']);
  });

  it('gives every line its kind', ({ place }) => {
    expect(kinds(place, someTape(place))).toEqual(WHOLE);
  });

  it('reads a tape cut off at any byte as far as it goes', ({ place }) => {
    const tape = someTape(place);
    const firstLine = tape.indexOf(10) + 1;
    for (let length = 0; length < tape.length; length++) {
      const cut = tape.subarray(0, length);
      if (length < firstLine) {
        expect(() => kinds(place, cut)).toThrow(UnreadableTape);
        continue;
      }
      const lines = cut.filter((b) => b === 10).length;
      const torn = cut.at(-1) === 10 ? [] : ['torn'];
      expect(kinds(place, cut)).toEqual([...WHOLE.slice(0, lines), ...torn]);
    }
  });

  it('passes over garbage in the middle, and says so', ({ place }) => {
    const lines = someTape(place)
      .toString('latin1')
      .split(/(?<=\n)/);
    const garbage = [
      '}{\n',
      '\n',
      '\0\xff\n',
      '{"f":"1"}\n',
      '{"f":1,"t":0,"from":"nobody","message":1}\n',
      '[1]\n',
      '{"f":1,"t":0,"from":"agent"}\n',
    ];
    for (const piece of garbage) {
      const spoilt = Buffer.from(lines.toSpliced(3, 0, piece).join(''), 'latin1');
      expect(kinds(place, spoilt), piece).toEqual(WHOLE.toSpliced(3, 0, 'damaged'));
    }
  });

  it('accepts unknown types and keys', ({ place }) => {
    const lines = someTape(place)
      .toString('latin1')
      .split(/(?<=\n)/);
    expect(kinds(place, Buffer.from(lines.toSpliced(2, 0, '{"type":"bookmark","x":1}\n').join('')))).toContain(
      'unknown',
    );
    const entry = parseLine(
      Buffer.from('{"f":3,"t":1.5,"from":"agent","note":{"message":1},"eol":"\\r\\n","message": [1, 2]}'),
    );
    expect(entry).toMatchObject({ is: 'frame', frame: { f: 3, t: 1.5, from: 'agent', form: 'message', eol: '\r\n' } });
    expect(Buffer.from(entry!.is === 'frame' ? entry!.frame.raw : []).toString()).toBe(' [1, 2]');
  });

  it('takes presence for truth: null and empty strings are content', () => {
    const frame = (line: string) => parseLine(Buffer.from(line));
    expect(frame('{"f":1,"t":0,"from":"agent","message":null}')).toMatchObject({ frame: { form: 'message' } });
    expect(frame('{"f":1,"t":0,"from":"agent","text":""}')).toMatchObject({ frame: { form: 'text' } });
    expect(frame('{"f":1,"t":0,"from":"agent","bytes":""}')).toMatchObject({ frame: { form: 'bytes' } });
  });

  it('reads a file that grows, line by line', ({ place }) => {
    const tape = someTape(place);
    const path = join(place.dir, 'growing');
    const firstLine = tape.indexOf(10) + 1;
    writeFileSync(path, tape.subarray(0, firstLine));
    const entries = readTape(path);
    expect(entries.next().value).toMatchObject({ is: 'metadata' });
    appendFileSync(path, tape.subarray(firstLine));
    expect([...entries].map(({ is }) => is)).toEqual(WHOLE.slice(1));
  });

  it('refuses a format of the future with a hint, and what is no tape', ({ place }) => {
    expect(() => kinds(place, Buffer.from('{"type":"metadata","wiretape":2}\n'))).toThrow(/format 2.*up to 1/);
    expect(() => kinds(place, Buffer.from('{"type":"metadata","protocol_version":"1.10"}\n'))).toThrow(UnreadableTape);
    expect(() => kinds(place, Buffer.from('{"jsonrpc":"2.0"}\n'))).toThrow(UnreadableTape);
  });
});
