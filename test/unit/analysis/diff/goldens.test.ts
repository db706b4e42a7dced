/** Diffs of recorded sessions, read by eye once and pinned: the same scenario of two versions, agents or protocols. */
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { diffSessions } from '../../../../lib/analysis/diff/diff.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { diffText } from '../../../../lib/output/terminal/diff-view.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { played, type ScriptedItem } from '../../../support/scripted.ts';
import { sessionOn } from '../../../support/session.ts';
import { fixtures } from '../../../support/timeline.ts';

const goldens = fileURLToPath(new URL('../../../fixtures/diffs/', import.meta.url));
const samples = fileURLToPath(new URL('../../../../samples/tapes/diff/', import.meta.url));

/** Tapes of test/fixtures/tapes. */
const PAIRS: [a: string, b: string][] = [
  ['wire-1.24.0/llm_error', 'wire-1.30.0/llm_error'],
  ['wire-1.30.0/llm_error', 'wire-1.49.0/llm_error'],
  ['wire-1.24.0/plan_mode', 'wire-1.31.0/plan_mode'],
  ['wire-1.31.0/hooks', 'wire-1.49.0/hooks'],
  ['wire-1.24.0/stdout_noise', 'wire-1.49.0/stdout_noise'],
  ['wire-1.12.0/cancel', 'wire-1.25.0/cancel'],
  ['wire-1.25.0/late_initialize', 'wire-1.49.0/late_initialize'],
  ['wire-0.80/mcp_broken', 'wire-1.49.0/mcp_broken'],
  ['wire-0.59/approval_bad_answer', 'wire-1.49.0/approval_bad_answer'],
  ['wire-0.68/subagent_parallel', 'wire-1.49.0/subagent_parallel'],
  ['wire-1.49.0/external_tool', 'wire-rs-1.8.0/external_tool'],
  ['wire-0.58/subagent', 'wire-0.59/subagent'],
  ['qwen-stream-json-0.15.10/control', 'qwen-stream-json-0.24.4/control'],
  ['qwen-stream-json-0.15.10/partial', 'qwen-stream-json-0.24.4/partial'],
  ['qwen-stream-json-0.15.10/interrupt', 'qwen-stream-json-0.24.4/interrupt'],
  ['acp/kimi-allow', 'acp/qwen-allow'],
  ['acp/kimi-cancel', 'acp/qwen-cancel'],
  ['acp/kimi-error', 'acp/qwen-error'],
  ['acp/kimi-reject', 'acp/qwen-reject'],
  ['mcp/everything-progress', 'mcp/everything-cancel'],
  ['mcp/everything-elicitation', 'mcp/everything-sampling'],
  ['pi-0.73.1-rpc/allow', 'pi-0.73.1-rpc/gatecancel'],
  ['pi-0.73.1-rpc/allow', 'pi-0.73.1-rpc/err500'],
  ['pi-0.73.1-rpc/abortshell', 'pi-0.73.1-rpc/allow'],
  ['codex-app-server-0.166.0/ask', 'codex-app-server-0.166.0/badword'],
  ['copilot-sdk-1.0.14/agent', 'copilot-sdk-1.0.14/deny'],
  ['copilot-sdk-1.0.14/agent', 'copilot-1.0.102-acp/agent'],
  ['codex-mcp-server-0.120.0/allow', 'codex-mcp-server-0.120.0/deny'],
  ['codex-exec-0.166.0/spawn', 'codex-app-server-0.166.0/spawn'],
  ['codex-exec-0.166.0/mcp', 'codex-app-server-0.166.0/mcp'],
  ['codex-sdk-0.163.0/two', 'codex-app-server-0.166.0/patch'],
  ['gemini-cli-0.61.0-stream-json/shell', 'gemini-cli-0.61.0-acp/reject'],
  ['copilot-1.0.102-json/shell', 'copilot-sdk-1.0.14/deny'],
  ['opencode-1.18.33-run-json/shell', 'opencode-1.18.33-acp/allow'],
  ['codex-acp-0.16.0/write', 'codex-acp-2.6.0/load'],
  ['codex-exec-0.166.0/shell', 'codex-exec-0.166.0/spawn'],
  ['kimi-stream-json/plain', 'kimi-stream-json/think'],
];

function sessionOf(name: string): Session {
  const { command, cwd, frames } = readLineLog(`${fixtures}${name}.jsonl`);
  const about = { session: name, started_at: '2026-11-16T00:00:00.000000Z', command, cwd, recorder: 'other' };
  return sessionInMemory({ type: 'metadata', wiretape: 1, ...about }, frames);
}

const textOf = (a: Session, b: Session, columns = 100, beside = false) =>
  [...diffText(diffSessions(a, b), { columns, theme: themeFor(false), full: false, beside })].join('');

describe('diffs of recorded sessions', () => {
  it.each(PAIRS)('%s and %s', async (a, b) => {
    const name = `${dirname(a)}-${basename(a)}-${dirname(b)}${dirname(a) === dirname(b) ? `-${basename(b)}` : ''}`;
    await expect(textOf(sessionOf(a), sessionOf(b))).toMatchFileSnapshot(`${goldens}${name}.txt`);
  });

  it('kimi-cli 1.24 and 1.49, side by side', async () => {
    const [a, b] = ['kimi-1.24', 'kimi-1.49'].map((name) => sessionOn(`${samples}${name}.jsonl`)) as [Session, Session];
    await expect(textOf(a, b, 160, true)).toMatchFileSnapshot(`${goldens}side-by-side.txt`);
  });

  it('kimi --wire and kimi acp', async () => {
    const [a, b] = ['kimi-wire', 'kimi-acp'].map((name) => sessionOn(`${samples}${name}.jsonl`)) as [Session, Session];
    await expect(textOf(a, b)).toMatchFileSnapshot(`${goldens}wire-and-acp.txt`);
  });

  it.each(PAIRS)('%s and %s fit the width, in one column and in two', (a, b) => {
    for (const [columns, beside] of [
      [80, false],
      [160, true],
    ] as const) {
      const lines = textOf(sessionOf(a), sessionOf(b), columns, beside).split('\n');
      expect(lines.filter((line) => cells(line) > columns)).toEqual([]);
    }
  });

  it('recorded text cannot control the terminal', () => {
    const evil = '\u001b[31mred\u202e\u0007';
    const call: ScriptedItem = { is: 'call', tool: evil, args: { [evil]: evil }, asked: 'approve', result: evil };
    const other: ScriptedItem = { ...call, args: { [evil]: `${evil} and more` }, result: `other ${evil}` };
    const [a, b] = [call, other].map((item, n) => played([{ prompt: `${evil}${n}`, steps: [[item]] }], 'wire', n));
    for (const beside of [false, true]) {
      const text = textOf(a!, b!, 160, beside);
      expect(text).toContain('␛[31mred');
      expect(/[\u001b\u0007\u202e]/.test(text)).toBe(false);
    }
  });

  it.each(PAIRS.flat())('%s and itself are the same', (name) => {
    const diff = diffSessions(sessionOf(name), sessionOf(name));
    expect(diff.entries).toEqual([]);
    expect(diff).toMatchObject({ same: true, masked: 0 });
  });
});
