/** Tapes of real agents: who owed what at their end, and why; all others owe nothing. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { describeState, remarks } from '../../../../lib/analysis/why/remarks.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { DialectDetector } from '../../../../lib/dialects/detect.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import * as $ from '../../../support/audit.ts';
import { cases } from '../../../support/scale.ts';

const root = fileURLToPath(new URL('../../../fixtures/tapes/', import.meta.url));
const names = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
  .map((name) => name.replace(/\.jsonl$/, ''))
  .sort();

function watched(name: string, upTo = Number.POSITIVE_INFINITY): SessionWatch {
  const { command, frames } = readLineLog(`${root}${name}.jsonl`);
  const detector = new DialectDetector(command);
  for (const frame of frames) detector.take(frame);
  const { dialect } = detector.best;
  const watch = new SessionWatch({ command, dialect: dialect.name });
  for (const read of $.readAll(dialect, frames.slice(0, upTo), command)) watch.take(read);
  return watch;
}

const why = (watch: SessionWatch) =>
  explain('s', 0, watch, { t: watch.now.t, running: false, process: null, unfinished: [] }).map(
    ({ owes, f, rule }) => `${owes} f${f} ${rule}`,
  );

const OWED: Record<string, string[]> = {
  'acp-2-sdk-2.4.0/hang': ['client f12 unanswered', 'agent f6 waits-for-client'],
  'acp-2-sdk-2.4.0/nothing': ['agent f6 stdin-closed'],
  'acp-2-sdk-2.4.0/stuck': ['agent f6 asked-nothing'],
  'codex-app-server-0.166.0/hang': ['client f22 unanswered', 'agent f10 waits-for-client'],
  'codex-app-server-0.166.0/hangmodel': ['agent f11 stdin-closed'],
  // Closing stdin is how a prompt in plain text ends, so it explains nothing.
  'codex-sdk-0.163.0/abort': ['agent f2 killed'],
  // The client gave up.
  'cline-3.0.65-acp/auth-refused': ['agent f5 exited'],
  // pi was about to try again.
  'pi-0.73.1-rpc/err500': ['agent f4 stdin-closed'],
  'qwen-rfc/commands': ['agent f10 stdin-closed'],
  'qwen-rfc/refusals': ['agent f15 refused'],
  'qwen-stream-json-0.15.10/hand_control_oddities': ['agent f20 exited'],
  'qwen-stream-json-0.15.10/hand_direct_mode': ['agent f6 direct-mode', 'agent f10 direct-mode'],
  'qwen-stream-json-0.15.10/hand_rfc_chat_request': ['agent f2 mistake'],
  'qwen-stream-json-0.15.10/hand_rfc_debug_example': ['agent f2 mistake'],
  'qwen-stream-json-0.15.10/hand_rfc_message_types': ['agent f7 mistake'],
  'qwen-stream-json-0.15.10/interrupt': ['agent f4 failed'],
  'qwen-stream-json-0.24.4/abort': ['agent f5 in-model'],
  'qwen-stream-json-0.24.4/max_turns': ['agent f5 failed'],
  'wire-0.46/approve': ['agent f2 legacy-approval'],
  'wire-0.46/errors': ['agent f14 mistake', 'agent f15 mistake', 'agent f16 mistake'],
  'wire-0.46/int_id': ['agent f2 integer-id'],
  'wire-0.46/subagent': ['agent f2 legacy-approval'],
  'wire-0.58/subagent': ['agent f2 legacy-approval'],
  'wire-0.59/cancel': ['agent f4 cancelled-unanswered'],
  'wire-0.59/errors': [
    'agent f2 stdin-closed',
    'agent f3 mistake',
    'agent f4 mistake',
    'agent f8 no-id',
    'agent f10 no-id',
    'agent f11 mistake',
    'agent f14 stdin-closed',
    'agent f15 stdin-closed',
    'agent f24 integer-id',
  ],
  'wire-0.59/sigint_midturn': ['agent f2 failed'],
  'wire-0.80/cancel': ['agent f6 cancelled-unanswered'],
  'wire-0.80/external_tool': ['agent f4 cancelled-unanswered'],
  'wire-0.80/int_id': ['agent f4 integer-id'],
  'wire-0.80/mcp_broken': ['agent f7 ignored'],
  'wire-0.80/stdin_eof_at_once': ['agent f4 stdin-closed'],
  'wire-1.24.0/sigterm_midturn': ['agent f4 killed'],
  'wire-1.25.0/no_initialize': ['agent f2 no-initialize'],
  'wire-1.31.0/mcp_broken': ['agent f4 ignored'],
  'wire-1.49.0/approval_unanswered': ['client f10 unanswered', 'agent f4 waits-for-client'],
  'wire-1.49.0/bad_part': ['agent f4 mistake'],
  'wire-1.49.0/errors': ['agent f15 no-id', 'agent f18 no-id', 'agent f19 refused', 'agent f38 integer-id'],
  'wire-1.49.0/sigint_midturn': ['agent f4 exited'],
  'wire-1.49.0/stdin_eof_at_once': ['agent f4 stdin-closed'],
  'wire-1.49.0/stdin_eof_midturn': ['agent f4 stdin-closed'],
  'wire-rs-1.8.0/errors': ['agent f15 no-id', 'agent f17 no-id', 'agent f18 refused', 'agent f38 integer-id'],
  'wire-rs-1.8.0/sigint_midturn': ['agent f4 killed'],
};

describe('at the end of a tape', () => {
  it.each(names)('%s', (name) => {
    expect(why(watched(name))).toEqual(OWED[name] ?? []);
  });
});

it('may be asked anywhere in a session', () => {
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(60), (name, upTo) => {
      const watch = watched(name, upTo);
      const found = why(watch);
      expect(new Set(found).size).toBe(found.length);
      remarks(watch);
      expect(describeState(watch).words).not.toBe('');
    }),
    { numRuns: cases(150) },
  );
});
