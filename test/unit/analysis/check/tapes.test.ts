/**
 * All that is found in the tapes of these dialects, each line read beside its tape. What is not listed is clean. Errors are
 * only where a tape was made to have them: by hand, or by a client that asked for what is not there.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Pass } from '../../../../lib/session/pass.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { findings } from '../../../support/check.ts';
import { fixtures, shared } from '../../../support/timeline.ts';

const FOLDERS = /^(?:acp|mcp|kimi-stream-json|qwen-.*|codex-.*)$/;

const FOUND: Readonly<Record<string, readonly string[]>> = {
  'acp/kimi-error': ['acp-session-unknown error client f11', 'acp-extension info client f13'],
  'acp/qwen-0.24.4-allow_shell': [
    'acp-extension info agent f13',
    'io-long-line info agent f19',
    'acp-extension info agent f20',
  ],
  'acp/qwen-0.24.4-error': ['acp-session-unknown error client f21', 'acp-extension info client f33'],
  'acp/qwen-allow': ['acp-path info agent f11'],
  'acp/qwen-error': ['acp-session-unknown error client f21', 'acp-extension info client f33'],
  'acp/qwen-reject': ['acp-call-open info agent f13'],
  'codex-app-server-0.166.0/badword': ['codex-decision error client f23'],
  'codex-app-server-0.166.0/hang': ['io-early-eof error client f23', 'codex-turn-end warning unknown f12'],
  'codex-app-server-0.166.0/hangmodel': ['codex-turn-end warning unknown f12'],
  'codex-app-server-0.166.0/uninitialised': [
    'codex-initialize-first error client f2',
    'codex-initialize-first error client f5',
    'codex-method error client f5',
    'codex-thread error client f17',
  ],
  'mcp/everything-error': ['mcp-tool-unknown warning client f15'],
  'qwen-stream-json-0.15.10/agent': ['stream-no-result info unknown f4'],
  'qwen-stream-json-0.15.10/err500': ['stream-hidden-error info agent f7'],
  'qwen-stream-json-0.15.10/hand_control_oddities': [
    'mcp-server-early warning client f8',
    'stream-unknown-answer error client f13',
    'stream-interrupt-idle info client f18',
    'stream-prompt-ignored error agent f20',
  ],
  'qwen-stream-json-0.15.10/hand_direct_mode': [
    'stream-direct-mode error client f10',
    'stream-no-result info unknown f6',
  ],
  'qwen-stream-json-0.15.10/hand_malformed_between_turns': ['io-bad-line error client f8'],
  'qwen-stream-json-0.15.10/hand_malformed_first': ['io-bad-line error client f2'],
  'qwen-stream-json-0.15.10/hand_malformed_midturn': [
    'io-bad-line error client f6',
    'stream-no-result info unknown f4',
  ],
  'qwen-stream-json-0.15.10/hand_rfc_chat_request': ['stream-foreign error client f2'],
  'qwen-stream-json-0.15.10/hand_rfc_debug_example': ['stream-foreign error client f2'],
  'qwen-stream-json-0.15.10/hand_rfc_message_types': [
    'stream-foreign error client f4',
    'stream-foreign error client f5',
    'stream-foreign error client f6',
    'stream-foreign error client f7',
  ],
  'qwen-stream-json-0.15.10/interrupt': ['stream-no-result info agent f4'],
  'qwen-stream-json-0.24.4/abort': ['stream-no-result info unknown f5'],
  'qwen-stream-json-0.24.4/agent_fg': ['stream-no-result info unknown f5'],
  'qwen-stream-json-0.24.4/hand_direct_mode': [
    'stream-direct-mode error client f12',
    'stream-no-result info unknown f8',
  ],
  'qwen-stream-json-0.24.4/hand_long_input': ['io-long-line info client f5'],
  'qwen-stream-json-0.24.4/hand_malformed_between_turns': ['io-bad-line error client f10'],
  'qwen-stream-json-0.24.4/hand_malformed_first': ['io-bad-line error client f2'],
  'qwen-stream-json-0.24.4/hand_malformed_midturn': [
    'io-bad-line error client f8',
    'stream-no-result warning agent f5',
  ],
  'qwen-stream-json-0.24.4/hand_rfc_chat_request': ['stream-foreign error client f2'],
  'qwen-stream-json-0.24.4/hand_rfc_debug_example': ['stream-foreign error client f2'],
  'qwen-stream-json-0.24.4/hand_rfc_message_types': [
    'stream-foreign error client f5',
    'stream-foreign error client f6',
    'stream-foreign error client f7',
    'stream-foreign error client f8',
  ],
  'qwen-stream-json-0.24.4/max_turns': ['stream-no-result warning agent f5'],
  // What the server did not offer: its MCP client, qwen, asks all the same.
  'qwen-stream-json-0.24.4/sdk_mcp': [
    'mcp-server-capability warning agent f10',
    'mcp-server-capability warning agent f11',
  ],
  'qwen-rfc/chunks': ['rfc-introduction info agent f3'],
  'qwen-rfc/messages': ['rfc-tool-response warning client f18'],
  'qwen-rfc/refusals': [
    'rfc-approval-answer error client f8',
    'rfc-id-in-use error agent f10',
    'rfc-approval-answer error client f11',
    'rfc-answered-twice error client f12',
    'rfc-unknown-answer error client f13',
    'rfc-introduction info agent f14',
  ],
};

/** Trimmed in the fixtures, so that no line of it is long. */
const LONG_LINE = 'io-long-line info agent f19';

const made = /\/(?:hand_\w+|\S+-error|refusals|badword|hang|uninitialised)$/;

function tapesIn(root: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && FOLDERS.test(entry.name))
    .flatMap(({ name }) => readdirSync(join(root, name)).map((file) => `${name}/${file}`))
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length));
}

function found(root: string, tape: string): string[] {
  const { command, frames } = readLineLog(join(root, `${tape}.jsonl`));
  const { dialect } = new Pass({ command, frames: () => frames });
  return findings({ dialect, command, source: 'import' }, frames);
}

describe('tapes of the project', () => {
  it.each(tapesIn(fixtures))('%s', (tape) => {
    expect(found(fixtures, tape)).toEqual((FOUND[tape] ?? []).filter((line) => line !== LONG_LINE));
  });
});

describe.skipIf(shared === null)('shared tapes', () => {
  it.each(shared === null ? [] : tapesIn(shared))('%s', (tape) => {
    expect(found(shared!, tape)).toEqual(FOUND[tape] ?? []);
  });
});

describe('what is found', () => {
  it.each(Object.keys(FOUND))('%s has errors only if it was made to', (tape) => {
    const hasErrors = FOUND[tape]!.some((line) => line.split(' ')[1] === 'error');
    expect(hasErrors && !made.test(tape)).toBe(false);
  });

  it('is all of tapes that exist', () => {
    const known = new Set([...tapesIn(fixtures), ...(shared === null ? Object.keys(FOUND) : tapesIn(shared))]);
    expect(Object.keys(FOUND).filter((tape) => !known.has(tape))).toEqual([]);
  });
});
