/** ACP 2 streams the output of terminals in base64: a key that is cut over several pieces is found, and they are written again. */
import { describe, expect, it } from 'vitest';
import { piecesOf, scanForLeaks } from '../../../../lib/analysis/redact/leak-scan.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { metadataFor } from '../../../support/fixture-sessions.ts';

const KEY = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';

const update = (sessionUpdate: string, more: object) => ({
  ...{ jsonrpc: '2.0', method: 'session/update' },
  params: { sessionId: 's', update: { sessionUpdate, ...more } },
});
const begin = [
  update('state_update', { state: 'running' }),
  update('tool_call_update', { toolCallId: 'c', title: 'env', content: [{ type: 'terminal', terminalId: 't' }] }),
];
const chunk = (text: string) =>
  update('terminal_output_chunk', { terminalId: 't', data: Buffer.from(text).toString('base64') });

const agentLine = (f: number, line: object): Frame => ({
  ...{ f, t: f, t0: null, from: 'agent', form: 'message' },
  ...{ eol: '\n', event: null, detail: {}, raw: Buffer.from(JSON.stringify(line)) },
});

function redacted(texts: string[]): { output: string; pieces: number; leaks: unknown[] } {
  const frames: Frame[] = [...begin, ...texts.map(chunk)].map((line, i) => agentLine(i + 1, line));
  const copy = redactSession(sessionInMemory(metadataFor('coded'), frames));
  const { session } = copy;
  const lines = [...session.frames()].map(({ raw }) => JSON.parse(Buffer.from(raw).toString()).params.update);
  const chunks = lines.filter(({ sessionUpdate }) => sessionUpdate === 'terminal_output_chunk');
  return {
    output: chunks.map(({ data }) => Buffer.from(data, 'base64').toString()).join(''),
    pieces: chunks.length,
    leaks: scanForLeaks(piecesOf(session), { values: copy.values() }),
  };
}

describe('a key in pieces of base64', () => {
  it.each([1, 7, 14, 40])('is replaced, %d characters at a time', (size) => {
    const text = `GITHUB_TOKEN is ${KEY}, and more\n`;
    const texts = text.match(new RegExp(`[^]{1,${size}}`, 'g'))!;
    const { output, pieces, leaks } = redacted(texts);
    expect(output).toMatch(/^GITHUB_TOKEN is \[TOKEN_1\.*\], and more\n$/);
    expect(pieces).toBe(texts.length);
    expect(leaks).toEqual([]);
  });

  it('is replaced beside another that is whole in its piece, and beside Chinese', () => {
    const other = KEY.replace('16C7', '99Z9');
    const { output, leaks } = redacted([`密钥一 ${other} 和 ${KEY.slice(0, 9)}`, `${KEY.slice(9)} 完\n`]);
    expect(output).toMatch(/^密钥一 \[TOKEN_\d\.*\] 和 \[TOKEN_\d\.*\] 完\n$/);
    expect(leaks).toEqual([]);
  });
});
