/** Permission requests with ids of their own, as hermes sends them: which call they are about. */
import { describe, expect, it } from 'vitest';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import * as $ from '../../../support/audit.ts';
import { answer, ask, type Said, tell } from '../../../support/reading.ts';

const opened = (session = 's', id = 1): Said[] => [
  ['client', ask(id, 'session/new', { cwd: '/w', mcpServers: [] })],
  ['agent', answer(id, { sessionId: session })],
  ['client', ask(id + 1, 'session/prompt', { sessionId: session, prompt: [] })],
];
const update = (sessionUpdate: string, toolCallId: string, more: object, sessionId = 's'): Said => [
  'agent',
  tell('session/update', { sessionId, update: { sessionUpdate, toolCallId, ...more } }),
];
const calls = (id: string, command: string, more: object = {}, session = 's') =>
  update(
    'tool_call',
    id,
    {
      ...{ kind: 'execute', title: `terminal: ${command}` },
      content: [{ type: 'content', content: { type: 'text', text: `$ ${command}` } }],
      ...more,
    },
    session,
  );
const edits = (id: string, path: string) =>
  update('tool_call', id, { kind: 'edit', title: `write: ${path}`, locations: [{ path }] });
const done = (id: string, status = 'completed', session = 's') => update('tool_call_update', id, { status }, session);
const wants = (id: number, toolCall: object, sessionId = 's'): Said => [
  'agent',
  ask(id, 'session/request_permission', {
    ...{ sessionId, toolCall: { status: 'pending', ...toolCall } },
    options: [
      { optionId: 'y', name: 'Yes', kind: 'allow_once' },
      { optionId: 'n', name: 'No', kind: 'reject_once' },
    ],
  }),
];
const wantsCommand = (id: number, name: string, command: string, session = 's') =>
  wants(id, { toolCallId: name, kind: 'execute', title: `danger: ${command}`, rawInput: { command } }, session);
const replies = (id: number, optionId: string): Said => [
  'client',
  answer(id, { outcome: { outcome: 'selected', optionId } }),
];
const ends: Said = ['agent', answer(2, { stopReason: 'end_turn' })];

function rows(said: Said[]): string[] {
  const { rows: found } = $.auditSaid(acp, said);
  return found.map((row) => `${row.tool_call_id} ${$.words(row)}`);
}

describe('a request with an id of its own', () => {
  it('is about the open call with the same command', () => {
    const said = [...opened(), calls('tc-1a2b3c', 'rm  x'), wantsCommand(5, 'perm-check-1', 'rm x'), replies(5, 'y')];
    expect(rows([...said, done('tc-1a2b3c'), ends])).toEqual(['tc-1a2b3c allow client f6 yes f7 []']);
  });

  it('is about the open call with the same file', () => {
    const request = wants(5, {
      ...{ toolCallId: 'edit-approval-1', kind: 'edit', title: 'Approve edit' },
      rawInput: { tool: 'write_file', arguments: { path: '/w/a' } },
    });
    const said = [...opened(), calls('tc-1', 'rm x'), edits('tc-2', '/w/b'), edits('tc-3', '/w/a'), request];
    expect(rows([...said, replies(5, 'n'), done('tc-3', 'failed'), done('tc-1'), ends])).toEqual([
      'tc-1 unasked agent - yes f10 []',
      'tc-3 deny client f8 no f9 []',
    ]);
  });

  it('is about a call of which only the title, or its beginning, or a relative path is known', () => {
    const linked = (call: Said, request: Said) =>
      rows([...opened(), call, request, replies(5, 'y'), done('tc-1'), ends]).map((row) => row.split(' ', 2).join(' '));
    const command = wantsCommand(5, 'perm-check-1', 'npm run build');
    const titled = (title: string) => update('tool_call', 'tc-1', { kind: 'execute', title });
    expect(linked(titled('terminal: npm run build'), command)).toEqual(['tc-1 allow']);
    expect(linked(titled('terminal: npm run…'), command)).toEqual(['tc-1 allow']);
    expect(linked(titled('npm run ...'), command)).toEqual(['tc-1 allow']);
    const text = { type: 'text', text: '$ npm run…' };
    expect(linked(calls('tc-1', 'npm run…', { content: [{ type: 'content', content: text }] }), command)).toEqual([
      'tc-1 allow',
    ]);
    expect(linked(titled('npm run'), command)).toEqual(['tc-1 unasked', 'perm-check-1 allow']);
    expect(linked(titled('…'), command)).toEqual(['tc-1 unasked', 'perm-check-1 allow']);
    const file = wants(5, { toolCallId: 'edit-approval-1', kind: 'edit', rawInput: { path: '/w/src/a' } });
    expect(linked(edits('tc-1', 'src/a'), file)).toEqual(['tc-1 allow']);
    expect(linked(edits('tc-1', 'rc/a'), file)).toEqual(['tc-1 unasked', 'edit-approval-1 allow']);
  });

  it('is not about a call of another kind, with another command, that has ended, or of another session', () => {
    const other = (...before: Said[]) =>
      rows([...opened(), ...before, wantsCommand(5, 'perm-check-1', 'rm x'), replies(5, 'y'), ends]).at(-1);
    expect(other(edits('tc-1', 'rm x'))).toMatch(/^perm-check-1 allow/);
    expect(other(calls('tc-1', 'rm y'))).toMatch(/^perm-check-1 allow/);
    expect(other(calls('tc-1', 'rm x'), done('tc-1'))).toMatch(/^perm-check-1 allow/);
    expect(other(...opened('other', 10), calls('tc-1', 'rm x', {}, 'other'))).toMatch(/^perm-check-1 allow/);
  });

  it('is not about a call of another turn', () => {
    const again: Said = ['client', ask(3, 'session/prompt', { sessionId: 's', prompt: [] })];
    const said = [...opened(), calls('tc-1', 'rm x'), ends, again, wantsCommand(5, 'perm-check-1', 'rm x')];
    expect(rows(said).at(-1)).toMatch(/^perm-check-1 none/);
  });

  it('is a call of its own if its id looks like those of the calls', () => {
    const said = [...opened(), calls('call_1', 'rm x'), wantsCommand(5, 'call_2', 'rm x'), replies(5, 'y')];
    expect(rows([...said, done('call_2'), done('call_1'), ends])).toEqual([
      'call_1 unasked agent - yes f8 []',
      'call_2 allow client f6 yes f7 [before-call]',
    ]);
  });

  it('may ask twice about one call', () => {
    const said = [...opened(), calls('tc-1', 'rm x'), wantsCommand(5, 'perm-check-1', 'rm x'), replies(5, 'y')];
    const twice = [...said, wantsCommand(6, 'perm-check-2', 'rm x'), replies(6, 'n'), done('tc-1', 'failed'), ends];
    expect(rows(twice).map((row) => row.replace(/f\d+/g, 'f'))).toEqual([
      'tc-1 allow client f yes f [error-result]',
      'tc-1 deny client f no f []',
    ]);
  });
});

describe('two calls that a request fits', () => {
  const two = [...opened(), calls('tc-1', 'rm x'), calls('tc-2', 'rm x'), wantsCommand(5, 'perm-check-1', 'rm x')];

  it('are ambiguous, and neither is unasked', () => {
    expect(rows([...two, replies(5, 'y'), done('tc-1'), done('tc-2'), ends])).toEqual([
      'tc-2 unknown unknown - yes f9 [ambiguous]',
      'tc-1 allow client f7 yes f8 [ambiguous]',
    ]);
  });

  it('do not show that what was denied ran', () => {
    expect(rows([...two, replies(5, 'n'), done('tc-1'), done('tc-2'), ends])).toEqual([
      'tc-2 unknown unknown - yes f9 [ambiguous]',
      'tc-1 deny client f7 unknown f8 [ambiguous]',
    ]);
  });

  it('are both asked about if there are two requests, which stay ambiguous', () => {
    const both = [...two, replies(5, 'y'), wantsCommand(6, 'perm-check-2', 'rm x'), replies(6, 'n')];
    expect(rows([...both, done('tc-1'), done('tc-2', 'failed'), ends])).toEqual([
      'tc-1 allow client f7 yes f10 [ambiguous]',
      'tc-2 deny client f9 unknown f11 [ambiguous]',
    ]);
  });
});
