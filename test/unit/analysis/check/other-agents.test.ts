/**
 * Real sessions of many agents: each is read as its own dialect, whatever the command line says; no line is unknown that the
 * protocol explains; and `check` finds no error but real faults, each of which is listed here. The tapes of the suite, and all
 * others where they are at hand.
 */
import { describe, expect, it } from 'vitest';
import { DialectDetector } from '../../../../lib/dialects/detect.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { SessionReader } from '../../../../lib/session/reader.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { findings } from '../../../support/check.ts';
import { others, othersIn, readOther } from '../../../support/others.ts';
import { fixtures } from '../../../support/timeline.ts';

const DIALECTS: Record<string, string> = {
  'claude-agent-acp-0.99.1': 'acp',
  'claude-code-2.1.197': 'stream-json',
  'claude-code-2.1.325': 'stream-json',
  'claude-code-2.1.325-cli': 'stream-json',
  'claude-code-acp-0.16.2': 'acp',
  'cline-3.0.65-acp': 'acp',
  'cline-3.0.65-json': 'cline-json',
  'codex-acp-0.16.0': 'acp',
  'codex-acp-2.6.0': 'acp',
  'codex-exec-0.166.0': 'codex-exec',
  'codex-sdk-0.163.0': 'codex-exec',
  'copilot-1.0.102-acp': 'acp',
  'copilot-1.0.102-json': 'copilot-json',
  'gemini-cli-0.61.0-acp': 'acp',
  'gemini-cli-0.61.0-stream-json': 'gemini-json',
  'kimi-cli-1.51.0-wire': 'wire',
  'kimi-cli-1.52.0-wire': 'wire',
  'letta-0.32.18': 'letta',
  'letta-0.32.18-ask': 'letta',
  'mistral-vibe-3.0.3-acp': 'acp',
  'mistral-vibe-3.0.3-json': 'vibe-json',
  'mistral-vibe-3.0.3-streaming': 'vibe-json',
  'opencode-1.18.33-acp': 'acp',
  'opencode-1.18.33-run-json': 'opencode-json',
  'pi-0.73.1-json': 'pi',
  'pi-0.73.1-rpc': 'pi',
};

/** Tapes of the suite in these folders that other tests do not already read so. */
const HELD = [
  'claude-agent-acp-0.99.1/turns',
  'claude-code-acp-0.16.2/two',
  'cline-3.0.65-acp/auth-refused',
  'codex-acp-0.16.0/write',
  ...['codex-acp-2.6.0/cancelshell', 'codex-acp-2.6.0/load'],
  ...['copilot-1.0.102-acp/agent', 'copilot-1.0.102-acp/turns'],
  'gemini-cli-0.61.0-acp/reject',
  ...['letta-0.32.18/mix', 'letta-0.32.18-ask/allow'],
  ...['mistral-vibe-3.0.3-acp/always', 'mistral-vibe-3.0.3-acp/turns', 'mistral-vibe-3.0.3-json/shell'],
  ...['opencode-1.18.33-acp/allow', 'opencode-1.18.33-acp/edit', 'opencode-1.18.33-acp/three'],
  ...['pi-0.73.1-json/shell', 'pi-0.73.1-rpc/abortshell', 'pi-0.73.1-rpc/allow', 'pi-0.73.1-rpc/denywrite'],
  ...['pi-0.73.1-rpc/err500', 'pi-0.73.1-rpc/gatecancel', 'pi-0.73.1-rpc/steer'],
];

/** Each was read. `misuse`, `hang` and the like are clients that are wrong on purpose. */
const FAULTS: Record<string, string[]> = {
  // It refuses the request that came too early and leaves, without an answer to the next.
  'claude-agent-acp-0.99.1/misuse': ['acp-initialize-first client f2', 'rpc-unanswered-by-agent agent f4'],
  // It refuses to run as root, on stderr.
  'claude-code-2.1.325/bypass': ['stream-unanswered-by-agent agent f2'],
  'claude-code-2.1.325-cli/badline': ['io-bad-line client f3'],
  'claude-code-acp-0.16.2/hang': ['io-early-eof client f13'],
  // No session could be opened, and the client goes on with none.
  'cline-3.0.65-acp/always': ['acp-shape client f20'],
  'cline-3.0.65-acp/reject': ['acp-shape client f20', 'acp-shape client f41'],
  'codex-acp-2.6.0/allow': ['acp-shape client f7'],
  'codex-acp-2.6.0/misuse': ['acp-initialize-first client f2', 'acp-session-unknown client f6'],
  'copilot-1.0.102-acp/hang': ['io-early-eof client f15'],
  'copilot-1.0.102-acp/misuse': ['acp-initialize-first client f2', 'acp-session-unknown client f8'],
  // The agent has ceased to exist, and says so in plain text.
  'kimi-cli-1.52.0-wire/tombstone': ['wire-line agent f3', 'io-not-started agent f3', 'wire-unanswered agent f2'],
  'mistral-vibe-3.0.3-acp/hang': ['io-early-eof client f20'],
  // It writes the file by the client, which never said that it can.
  'opencode-1.18.33-acp/edit': ['acp-client-capability agent f16'],
  'opencode-1.18.33-acp/write': ['acp-client-capability agent f13'],
  'opencode-1.18.33-acp/hang': ['io-early-eof client f12'],
  'opencode-1.18.33-acp/misuse': ['acp-initialize-first client f2', 'acp-session-unknown client f7'],
  'pi-0.73.1-rpc/steer': ['pi-busy client f14'],
};

/** Lines that no protocol explains: a method that does not exist, and text where JSON should be. */
const UNKNOWN: Record<string, string[]> = {
  'claude-code-2.1.325-cli/badline': ['noise f3'],
  'codex-acp-2.6.0/misuse': ['other f8', 'other f9'],
  'copilot-1.0.102-acp/misuse': ['other f10', 'other f11'],
  'kimi-cli-1.52.0-wire/tombstone': ['noise f3'],
  'opencode-1.18.33-acp/misuse': ['other f26', 'other f39'],
};

function dialectOf(frames: Frame[], command: readonly string[]): string {
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  return detector.best.dialect.name;
}

function unknownIn(frames: Frame[], command: readonly string[]): string[] {
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  const reader = new SessionReader(detector.best.dialect, { command });
  return frames.flatMap((frame) => {
    const { events } = reader.read(frame);
    const odd = frame.from === 'stderr' ? [] : events.filter(({ kind }) => kind === 'other' || kind === 'noise');
    return odd.map(({ kind }) => `${kind} f${frame.f}`);
  });
}

function errorsIn(frames: Frame[], command: string[], dialect: string): string[] {
  const found = findings({ dialect, command }, frames).filter((words) => words.split(' ')[1] === 'error');
  return found.map((words) => words.replace(' error ', ' '));
}

/** Tapes of the suite lack the ends of stdout and stderr, so later frames have other numbers. */
function expectRead(tape: string, { command, frames }: { command: string[]; frames: Frame[] }): void {
  const dialect = DIALECTS[tape.split('/')[0]!]!;
  for (const one of [command, [], ['agent'], ['node', 'agent.js', '--verbose']]) {
    expect([one, dialectOf(frames, one)]).toEqual([one, dialect]);
  }
  expect(unknownIn(frames, command)).toEqual(UNKNOWN[tape] ?? []);
  expect(errorsIn(frames, command, dialect)).toEqual(FAULTS[tape] ?? []);
}

describe('sessions of many agents', () => {
  it.each(HELD)('%s', (tape) => {
    const { command, frames } = readLineLog(`${fixtures}${tape}.jsonl`);
    expectRead(tape, { command: [...command], frames });
  });
});

describe.skipIf(others === null)('all of their tapes', () => {
  it.each(Object.keys(DIALECTS))('%s', (folder) => {
    const tapes = othersIn(folder);
    expect(tapes.length).toBeGreaterThan(0);
    for (const tape of tapes) expectRead(tape, readOther(tape));
  });
});
