/** Recorded lines of the client: only ids and paths change, and only where they must. */
import { describe, expect, it } from 'vitest';
import { acpTraits } from '../../../../lib/dialects/acp/traits.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { LiveIds } from '../../../../lib/replay/client/live-ids.ts';
import { toLiveMessage, workingDirectories } from '../../../../lib/replay/client/outgoing-line.ts';
import { idTreeOf } from '../../../../lib/replay/id-tree.ts';

function lineOf(text: string, more: Partial<Frame> = {}): Frame {
  const raw = Buffer.from(text);
  const head = { f: 1, t: 0, t0: null, from: 'client', form: 'message' } as const;
  return { ...head, raw, text, eol: '\n', event: null, detail: {}, ...more };
}

const ROLE = { from: 'client', isAnswer: false } as const;

function sent(
  text: string,
  paths: Parameters<typeof toLiveMessage>[2] = null,
  ids = new LiveIds(idTreeOf(acpTraits.replay)),
) {
  const { raw } = toLiveMessage({ frame: lineOf(text), value: JSON.parse(text), role: ROLE }, ids, paths);
  return raw.toString();
}

describe('paths', () => {
  const paths = workingDirectories('/home/dev/app', '/tmp/"here"');

  it('below the recorded working directory are moved to the live one', () => {
    expect(sent('{"cwd": "/home/dev/app","a":["/home/dev/app/src/x.ts"]}', paths)).toBe(
      '{"cwd": "/tmp/\\"here\\"","a":["/tmp/\\"here\\"/src/x.ts"]}',
    );
  });

  it('that only begin or end in the same way stay', () => {
    const text = '{"a":"/home/dev/apple","b":"/mnt/home/dev/app","c":"/home/dev/app-2/x","d":"/home/dev"}';
    expect(sent(text, paths)).toBe(text);
  });

  it('that a redaction has taken away are moved, if they are the folder of the session', () => {
    const redacted = workingDirectories('/[PATH_1]', '/tmp/here');
    const text = '{"method":"session/new","params":{"cwd":"/[PATH_2]","a":"/[PATH_3]/x","b":"/[PATH_1]/y"}}';
    expect(sent(text, redacted)).toBe(
      '{"method":"session/new","params":{"cwd":"/tmp/here","a":"/[PATH_3]/x","b":"/tmp/here/y"}}',
    );
  });

  it('are left alone if the directory is the same, the root, or unknown', () => {
    expect([
      workingDirectories('/a', '/a'),
      workingDirectories('/', '/a'),
      workingDirectories(undefined, '/a'),
    ]).toEqual([null, null, null]);
  });
});

describe('ids', () => {
  it('of the live agent replace those on the tape, and nothing else changes', () => {
    const ids = new LiveIds(idTreeOf(acpTraits.replay));
    ids.pair({ id: 1, result: { sessionId: 'old' } }, { id: 1, result: { sessionId: 'new' } }, true);
    const text = '{ "id":1.0, "params" : {"sessionId":"old","prompt":[{"text":"old \\u00e9"}]} }';
    expect(sent(text, null, ids)).toBe(text.replace('"sessionId":"old"', '"sessionId":"new"'));
  });

  it('that the agent repeats in every line are learned in their order', () => {
    const ids = new LiveIds(idTreeOf(acpTraits.replay));
    for (const sessionId of ['a', 'a', 'b']) ids.recorded({ params: { sessionId } });
    for (const sessionId of ['x', 'y', 'x']) ids.live({ params: { sessionId } });
    expect(sent('{"params":{"sessionId":"a"}}', null, ids)).toContain('"x"');
    expect(sent('{"params":{"sessionId":"b"}}', null, ids)).toContain('"y"');
  });
});

describe('lines that are not text', () => {
  it('are sent as they are', () => {
    const raw = Buffer.from([0xff, 0xfe]);
    const frame = lineOf('', { raw, text: null, eol: '\r\n' });
    const ids = new LiveIds(idTreeOf(acpTraits.replay));
    expect(toLiveMessage({ frame, value: undefined, role: ROLE }, ids, null)).toEqual({ raw, eol: '\r\n' });
  });

  it('keep the header of a frame, or get one that fits', () => {
    const ids = new LiveIds(idTreeOf(acpTraits.replay));
    const head = 'Content-Length: 11\r\nX: 1\r\n\r\n';
    const frame = lineOf('{"a":"/é"}', { head, eol: '' });
    const value = { a: '/é' };
    expect(toLiveMessage({ frame, value, role: ROLE }, ids, null).head).toBe(head);
    expect(toLiveMessage({ frame, value, role: ROLE }, ids, ['/é', '/ééé'])).toMatchObject({
      head: 'Content-Length: 15\r\n\r\n',
    });
  });
});
