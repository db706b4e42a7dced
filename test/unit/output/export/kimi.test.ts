/** The wire.jsonl for kimi: what kimi itself wrote of the same sessions, and the approvals that it left out. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { kimi } from '../../../../lib/output/export/kimi.ts';
import { fileIn, IMPORTS, importOne, writeIn } from '../../../support/imports.ts';
import { sessionOn } from '../../../support/session.ts';
import { it, type Place } from '../../../support/store.ts';

interface Exported {
  lines: Record<string, never>[];
  messages: { type: string; payload: Record<string, unknown> }[];
  notes: string[];
}

function exportOf(place: Place, path: string): Exported {
  const notes: string[] = [];
  const text = [...kimi.write(sessionOn(importOne(place, path).tape), { note: (note) => notes.push(note) })].join('');
  return { ...parsed(text), notes };
}

function parsed(text: string): Pick<Exported, 'lines' | 'messages'> {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { lines, messages: lines.filter(({ timestamp }) => timestamp).map(({ message }) => message) };
}

const kimisOwn = (fixture: string) => parsed(readFileSync(fileIn(fixture, '/wire.jsonl'), 'utf8'));
const log = (name: string) => join(IMPORTS, `line-logs/${name}.jsonl`);

/** A log of agent lines, a tenth of a second apart; `>` marks those of the client. */
function talk(place: Place, ...lines: (object | ['>', object])[]): string {
  const records = lines.map((line, i) => {
    const [dir, value] = Array.isArray(line) ? ['c2a', line[1]] : ['a2c', line];
    return JSON.stringify({ t: 1790000000 + i / 10, dir, line: JSON.stringify(value) });
  });
  return writeIn(place, 'talk.jsonl', records.join('\n'));
}

const event = (type: string, payload: object = {}) => ({ jsonrpc: '2.0', method: 'event', params: { type, payload } });
const ask = (id: string) => ({
  ...{ jsonrpc: '2.0', method: 'request', id },
  params: { type: 'ApprovalRequest', payload: { id } },
});

describe('export for kimi', () => {
  it('is what kimi wrote itself, message by message, where it left nothing out', ({ place }) => {
    const { messages, lines } = exportOf(place, log('wire-1.24.0-approve_for_session'));
    const own = kimisOwn('1.24.0-approve_for_session');
    expect(messages).toEqual(own.messages);
    expect(lines[0]).toEqual(own.lines[0]);
  });

  it('puts back the approvals that kimi left out', ({ place }) => {
    const { messages } = exportOf(place, log('wire-1.49.0-subagent_parallel'));
    const isApproval = ({ type }: { type: string }) => type.startsWith('Approval');
    expect(messages.filter((message) => !isApproval(message))).toEqual(kimisOwn('1.49.0-subagent_parallel').messages);
    expect(messages.filter(isApproval).map(({ type }) => type)).toEqual([
      ...['ApprovalRequest', 'ApprovalRequest', 'ApprovalResponse', 'ApprovalResponse'],
    ]);
  });

  it.for(['0.68-tools', '1.14.0-question', '1.49.0-subagent_parallel'])('gives %s back', (name, { place }) => {
    const { lines, messages } = exportOf(place, join(IMPORTS, name));
    const own = kimisOwn(name);
    expect(messages).toEqual(own.messages);
    lines.forEach(({ timestamp }, i) => {
      expect(Math.abs((timestamp ?? 0) - (own.lines[i]!.timestamp ?? 0))).toBeLessThan(2e-6);
    });
  });

  it('merges streamed parts as kimi does', ({ place }) => {
    const text = (words: string) => event('ContentPart', { type: 'text', text: words });
    const think = (words: string, encrypted: string | null = null) =>
      event('ContentPart', { type: 'think', think: words, encrypted });
    const { messages, lines } = exportOf(
      place,
      talk(
        place,
        ...[text('a'), text('b'), think('c'), think('d', 'sig'), think('e')],
        event('ToolCall', { id: '1', function: { name: 'Shell', arguments: null } }),
        ...[event('ToolCallPart', { arguments_part: '{"x"' }), event('ToolCallPart', { arguments_part: ':1}' })],
        ...[event('ContentPart', { type: 'image_url' }), event('ContentPart', { type: 'image_url' }), text('z')],
      ),
    );
    expect(messages.map(({ payload }) => payload)).toEqual([
      { type: 'text', text: 'ab' },
      { type: 'think', think: 'cd', encrypted: 'sig' },
      { type: 'think', think: 'e', encrypted: null },
      { id: '1', function: { name: 'Shell', arguments: '{"x":1}' } },
      { type: 'image_url' },
      { type: 'image_url' },
      { type: 'text', text: 'z' },
    ]);
    expect(lines.map(({ timestamp }) => timestamp)).toEqual([0, 2, 4, 5, 8, 9, 10].map((i) => 1790000000 + i / 10));
  });

  it('leaves out what was sent again', ({ place }) => {
    const { messages, notes } = exportOf(
      place,
      talk(
        place,
        ['>', { jsonrpc: '2.0', method: 'prompt', id: 'p', params: { user_input: 'a' } }],
        event('TurnBegin', { user_input: 'a' }),
        ...[ask('r1'), ask('r1')],
        // Refused, so what follows is not sent again.
        ['>', { jsonrpc: '2.0', method: 'replay', id: '1' }],
        ...[event('TurnEnd'), { jsonrpc: '2.0', id: '1', error: { code: -32000, message: 'busy' } }],
        { jsonrpc: '2.0', id: 'p', result: { status: 'finished' } },
        ['>', { jsonrpc: '2.0', method: 'replay', id: '2' }],
        ...[event('TurnBegin', { user_input: 'a' }), event('TurnEnd'), { jsonrpc: '2.0', id: '2', result: {} }],
        event('StatusUpdate'),
      ),
    );
    expect(messages.map(({ type }) => type)).toEqual(['TurnBegin', 'ApprovalRequest', 'TurnEnd', 'StatusUpdate']);
    expect(notes).toEqual(['left out 3 frames that the agent sent again']);
  });

  it('writes a brief of 0.59 as later versions read it', ({ place }) => {
    const display = [{ type: 'brief', data: 'text' }];
    const { messages } = exportOf(place, talk(place, event('ToolResult', { return_value: { display } })));
    expect(messages[0]!.payload.return_value).toMatchObject({ display: [{ type: 'brief', text: 'text' }] });
  });

  it('is refused for what is no Kimi Wire', ({ place }) => {
    const path = talk(place, { jsonrpc: '2.0', method: 'event', params: { type: 'step_begin', payload: { n: 1 } } });
    expect(() => exportOf(place, path)).toThrow('has no Kimi Wire messages');
  });
});
