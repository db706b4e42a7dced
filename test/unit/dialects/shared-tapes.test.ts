/**
 * All tapes of a folder that is not part of the project. Counts are those of its TRUTH.tsv, and no message has another kind
 * than the model gives it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DecodedFrame } from '../../../lib/model/read-frame.ts';
import { readTape } from '../../support/reading.ts';
import { sharedTapesFolder, skipped } from '../../support/shared-folder.ts';
import { COLUMNS, count } from '../../truth/count.mjs';

const root = sharedTapesFolder ?? '';
const present = sharedTapesFolder !== null;
const title = `shared tapes${skipped}`;

const tapesOf = (folder: string) =>
  present
    ? readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
        .map((name) => `${folder}/${name}`)
    : ['none'];

/** The model's table, for messages that the tapes have: speaker and method, `<` before the method that is answered. */
const KINDS: Record<string, Record<string, string>> = {
  acp: {
    ...{ 'client initialize': 'handshake', 'agent <initialize': 'handshake' },
    ...{ 'client session/new': 'handshake', 'agent <session/new': 'handshake' },
    ...{
      'client session/prompt': 'prompt',
      'agent <session/prompt': 'prompt-answer',
      'client session/cancel': 'cancel',
    },
    ...{ 'agent session/request_permission': 'approval', 'client <session/request_permission': 'approval-answer' },
    ...{ 'agent fs/read_text_file': 'client-call', 'client <fs/read_text_file': 'client-call-answer' },
    ...{ 'agent fs/write_text_file': 'client-call', 'client <fs/write_text_file': 'client-call-answer' },
    ...{ 'agent craft/drainMidTurnQueue': 'control', 'client <craft/drainMidTurnQueue': 'control' },
    ...{ 'client session/does_not_exist': 'control', 'agent <session/does_not_exist': 'control' },
    'agent qwen/notify/session/prompt-suggestion': 'notice',
    ...{ 'agent agent_message_chunk': 'text', 'agent agent_message_chunk usage': 'usage' },
    ...{ 'agent agent_thought_chunk': 'thinking', 'agent tool_call': 'tool-call' },
    ...{ 'agent tool_call_update in_progress': 'tool-args', 'agent tool_call_update pending': 'tool-args' },
    ...{ 'agent tool_call_update completed': 'tool-result', 'agent tool_call_update failed': 'tool-result' },
    ...{ 'agent available_commands_update': 'status', 'agent session_info_update': 'status' },
    'agent usage_update': 'usage',
  },
  mcp: {
    ...{
      'client initialize': 'handshake',
      'agent <initialize': 'handshake',
      'client notifications/initialized': 'handshake',
    },
    ...{ 'client tools/call': 'tool-call', 'agent <tools/call': 'tool-result' },
    ...{
      'client tools/list': 'control',
      'agent <tools/list': 'control',
      'client ping': 'control',
      'agent <ping': 'control',
    },
    ...{ 'client resources/list': 'control', 'agent <resources/list': 'control' },
    ...{ 'client resources/read': 'control', 'agent <resources/read': 'control' },
    ...{ 'client resources/templates/list': 'control', 'agent <resources/templates/list': 'control' },
    ...{ 'client prompts/list': 'control', 'agent <prompts/list': 'control' },
    ...{ 'client logging/setLevel': 'control', 'agent <logging/setLevel': 'control' },
    ...{ 'client bogus/method': 'control', 'agent <bogus/method': 'control' },
    ...{ 'agent roots/list': 'client-call', 'client <roots/list': 'client-call-answer' },
    ...{ 'agent sampling/createMessage': 'client-call', 'client <sampling/createMessage': 'client-call-answer' },
    ...{ 'agent elicitation/create': 'question', 'client <elicitation/create': 'question-answer' },
    ...{ 'agent notifications/progress': 'progress', 'agent notifications/message': 'log' },
    ...{ 'client notifications/cancelled': 'cancel', 'agent notifications/tools/list_changed': 'status' },
  },
};

function nameOf({ frame, message, pairing }: DecodedFrame): string {
  if (message.method === null) return `${frame.from} <${pairing?.exchange?.method}`;
  if (message.method !== 'session/update') return `${frame.from} ${message.method}`;
  const { update } = message.body as { update: Record<string, unknown> };
  const { sessionUpdate: name, status, content, _meta } = update;
  if (name === 'tool_call_update') return `${frame.from} ${name} ${status}`;
  const usage = (_meta as { usage?: unknown } | undefined)?.usage && (content as { text?: string }).text === '';
  return `${frame.from} ${name}${usage ? ' usage' : ''}`;
}

describe.skipIf(!present).each(Object.keys(KINDS))(`${title}: %s`, (folder) => {
  const truth = new Map(
    (present ? readFileSync(join(root, 'TRUTH.tsv'), 'utf8') : '').split('\n').map((row) => {
      const [tape, ...counts] = row.split('\t');
      return [tape, counts.map(Number)];
    }),
  );

  it.each(tapesOf(folder))('%s', (tape) => {
    const { dialect, readings } = readTape(join(root, tape));
    expect(dialect).toBe(folder);
    const counts = count(readings);
    expect(COLUMNS.map((column) => counts[column])).toEqual(truth.get(tape));
    for (const reading of readings) {
      const { frame, events } = reading;
      if (frame.form === 'event' || frame.from === 'stderr') continue;
      const name = nameOf(reading);
      expect([name, events[0]!.kind]).toEqual([name, KINDS[folder]![name]]);
    }
  });
});
