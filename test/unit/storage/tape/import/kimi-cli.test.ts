/** kimi-cli's own wire.jsonl: lines put together again, and everything said that such a file cannot know. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { fileIn, IMPORTS, importOne, textOfFrame, writeIn } from '../../../../support/imports.ts';
import { it } from '../../../../support/store.ts';

const messagesIn = (path: string): unknown[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"timestamp"'))
    .map((line) => (JSON.parse(line) as { message: unknown }).message);

const record = (t: number, type: string, payload: object = {}) =>
  JSON.stringify({ timestamp: 1790000000 + t, message: { type, payload } });

describe('a wire.jsonl of kimi-cli', () => {
  it.for([
    ['0.68-tools', null, 63],
    ['1.14.0-question', '1.3', 41],
    ['1.24.0-approve_for_session', '1.5', 33],
    ['1.49.0-subagent_parallel', '1.10', 32],
  ] as const)('of %s comes in whole', ([name, protocol, count], { place }) => {
    const { frames, metadata, verdict } = importOne(place, join(IMPORTS, name));
    expect(frames).toHaveLength(count);
    const params = frames.map((frame) => (JSON.parse(textOfFrame(frame)) as { params: unknown }).params);
    expect(params).toEqual(messagesIn(fileIn(name, '/wire.jsonl')));
    expect(new Set(frames.map(({ from }) => from))).toEqual(new Set(['agent']));
    expect(metadata).toMatchObject({ rebuilt: true, dialect: 'wire', command: [], cwd: '/home/dev/project' });
    expect(metadata.protocol ?? null).toBe(protocol);
    expect(verdict).toBe('intact');
  });

  it('has requests with their ids, and messages as they are spaced in the file', ({ place }) => {
    const { frames } = importOne(place, join(IMPORTS, '0.68-tools'));
    const asked = frames.map(textOfFrame).filter((line) => line.includes('"method":"request"'));
    expect(asked).toHaveLength(5);
    expect(asked[0]).toContain(
      '{"jsonrpc":"2.0","method":"request","id":"ecf0a89d-c4c2-401b-81bf-4ddfe211ea55","params":{"type": "ApprovalRequest", "payload": {"id": "ecf0a89d',
    );
    expect(frames.map(textOfFrame).some((line) => line.includes('"type": "ApprovalRequestResolved"'))).toBe(true);
  });

  it('says what it cannot know, and that no approvals are in it only where there are none', ({ place }) => {
    const modern = importOne(place, join(IMPORTS, '1.49.0-subagent_parallel')).notes.join('\n');
    expect(modern).toMatch(/client's side.*\n.*rebuilt.*\n.*no approvals/);
    const older = importOne(place, join(IMPORTS, '1.24.0-approve_for_session')).notes.join('\n');
    expect(older).not.toContain('no approvals');
  });

  it('brings along what background subagents did, and takes foreground ones once', ({ place }) => {
    writeIn(
      place,
      's/wire.jsonl',
      [
        '{"type": "metadata", "protocol_version": "1.10"}',
        record(1, 'TurnBegin', { user_input: 'go' }),
        record(2, 'SubagentEvent', { agent_id: 'fore', event: { type: 'TurnBegin', payload: { user_input: 'one' } } }),
        record(9, 'TurnEnd'),
      ].join('\n'),
    );
    const fore = [record(2, 'TurnBegin', { user_input: 'one' }), record(3, 'TurnEnd')];
    const again = [record(5, 'TurnBegin', { user_input: 'two' }), record(6, 'StepBegin', { n: 1 })];
    writeIn(place, 's/subagents/fore/wire.jsonl', [...fore, ...again].join('\n'));
    writeIn(place, 's/subagents/back/wire.jsonl', `${record(4, 'TurnBegin', { user_input: 'three' })}\n{"timest`);
    writeIn(place, 's/subagents/back/meta.json', '{"agent_id":"back","subagent_type":"coder"}');
    const { frames, metadata, notes, skipped } = importOne(place, join(place.dir, 's'));
    const what = frames.map((frame) => {
      if (frame.event) return [frame.t, frame.event, frame.detail.file, frame.detail.why];
      const { type, payload } = JSON.parse(textOfFrame(frame)).params;
      return [frame.t, type, payload.agent_id ?? null, payload.subagent_type ?? null, payload.event?.type ?? null];
    });
    expect(what).toEqual([
      [0, 'TurnBegin', null, null, null],
      [1, 'SubagentEvent', 'fore', null, 'TurnBegin'],
      [3, 'SubagentEvent', 'back', 'coder', 'TurnBegin'],
      [3, 'unread', 'subagents/back/wire.jsonl', 'torn'],
      [4, 'SubagentEvent', 'fore', null, 'TurnBegin'],
      [5, 'SubagentEvent', 'fore', null, 'StepBegin'],
      [8, 'TurnEnd', null, null, null],
    ]);
    expect(metadata.unsent_subagents).toEqual(['back', 'fore']);
    expect(notes.some((note) => note.includes('2 background subagents'))).toBe(true);
    expect(skipped).toBe(1);
  });

  it('takes unknown types, odd records and torn lines', ({ place }) => {
    const path = writeIn(
      place,
      'wire.jsonl',
      [record(1, 'Unheard', { of: 1.5 }), '{"foo":1}', '', record(2, 'TurnEnd'), '{"timestamp": 17900'].join('\n'),
    );
    const { frames, skipped } = importOne(place, path);
    expect(textOfFrame(frames[0]!)).toBe(
      '{"jsonrpc":"2.0","method":"event","params":{"type":"Unheard","payload":{"of":1.5}}}',
    );
    expect(frames.map(({ event, detail }) => event && detail.held)).toEqual([
      null,
      '{"foo":1}',
      null,
      '{"timestamp": 17900',
    ]);
    expect(skipped).toBe(2);
  });
});
