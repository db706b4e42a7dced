import { describe, expect, it } from 'vitest';
import { cutRuns } from '../../../../lib/output/viewer/blocks/cut-runs.ts';
import { stateOf, taskChange } from '../../../../lib/output/viewer/blocks/todo-change.ts';
import {
  comparableText,
  indentedText,
  markdownQuote,
  showCommand,
} from '../../../../lib/output/viewer/detail/copies.ts';
import { firstInvalid } from '../../../../lib/output/viewer/detail/utf8.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('what is copied', () => {
  it('is a command that shows the frame', () => {
    expect(showCommand('20261117T005717-pbnx', 17)).toBe('wiretape show 20261117T005717-pbnx#f17');
    expect(showCommand("it's; rm", 2)).toBe("wiretape show 'it'\\''s; rm#f2'");
  });

  it('is a quote whose fence nothing inside can close', () => {
    const quote = markdownQuote('f1 \u202e', 'a\n`````\n# b');
    expect(quote).toContain('\n``````json\na\n`````\n# b\n``````\n');
    expect(quote).not.toContain('\u202e');
  });

  it('is indented if it is JSON', () => {
    expect(indentedText('{"a":1e400}')).toBe('{\n  "a": 1e400\n}');
    expect(indentedText('plain')).toBe('plain');
    expect(comparableText({ raw: bytes('[1]'), form: 'message' }, bytes(''))).toBe('[\n  1\n]');
    expect(comparableText({ raw: Uint8Array.of(255), form: 'bytes' }, bytes(''))).toMatch(/^00000000 {2}ff/);
    expect(comparableText({ raw: bytes(''), form: 'event' }, bytes('{"event":"eof"}'))).toContain('"event": "eof"');
  });
});

describe('bytes that are not UTF-8', () => {
  it('are found', () => {
    expect(firstInvalid(bytes('héllo'))).toBe(-1);
    expect(firstInvalid(Uint8Array.from([...bytes('ab中'), 0xff, 0x61]))).toBe(5);
    expect(firstInvalid(Uint8Array.of(0xe4, 0xb8))).toBeGreaterThanOrEqual(0);
    expect(firstInvalid(Uint8Array.of(0x80))).toBe(0);
  });
});

describe('tasks', () => {
  it('are in the same states, however they are written', () => {
    expect(['Done', 'In Progress', 'in-progress', 'completed', 'todo', 'skipped', 'odd'].map(stateOf)).toEqual([
      ...['done', 'in_progress', 'in_progress', 'done', 'pending', 'cancelled', null],
    ]);
  });

  it('are compared with those before', () => {
    const before = [
      { title: 'a', status: 'in_progress' },
      { title: 'b', status: 'pending' },
      { title: 'c', status: 'pending' },
    ];
    const after = [
      { title: 'a', status: 'done' },
      { title: 'b', status: 'Pending' },
      { title: 'd', status: 'pending' },
    ];
    expect(taskChange(before, after)).toEqual({ now: [{ state: 'done', count: 1 }], added: 1, gone: 1 });
    expect(taskChange(before, before)).toBeNull();
  });
});

describe('a fold', () => {
  const joined = (runs: { text: string }[]) => runs.map(({ text }) => text).join('');
  const lines = (n: number) => Array.from({ length: n }, (_, i) => `line ${i}\n`).join('');

  it('comes after so many lines and loses nothing', () => {
    const runs = [
      { text: lines(30), style: '' },
      { text: lines(30), style: 'ansi-1' },
    ];
    const [head, rest] = cutRuns(runs, 40);
    expect(joined(head).split('\n').length - 1).toBe(40);
    expect(joined(head) + joined(rest)).toBe(lines(30) + lines(30));
    expect(rest[0]!.style).toBe('ansi-1');
  });

  it('is not made for a little more', () => {
    expect(cutRuns([{ text: lines(42), style: '' }], 40)[1]).toEqual([]);
    expect(cutRuns([{ text: lines(80), style: '' }], 40)[1]).not.toEqual([]);
  });

  it('cuts a line without end, but no character', () => {
    const text = '😀'.repeat(20_000);
    const [head, rest] = cutRuns([{ text, style: '' }], 40);
    expect(joined(head).length).toBeLessThan(text.length);
    expect(joined(head).length % 2).toBe(0);
    expect(joined(head) + joined(rest)).toBe(text);
  });
});
