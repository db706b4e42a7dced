/** A hang on a screen: it fits, in any script; what was recorded is shown, never obeyed. */
import { expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import type { SessionMoment } from '../../../../lib/model/moment.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { whyText } from '../../../../lib/output/terminal/why-view.ts';
import * as $ from '../../../support/audit.ts';

const EVIL = '\x1b]0;owned\x07\u202e\u009b31m';
const moment: SessionMoment = {
  ...{ t: 3700, running: true, process: { pid: 7, state: 'sleeping', cpu: null } },
  unfinished: [{ from: 'client', bytes: 2048, head: EVIL, t: 1 }],
};

function text(columns: number, command: string, colour = false): string {
  const watch = new SessionWatch({ command: [], dialect: 'wire' });
  const what = [$.prompts('p', command), $.begins(command), $.calls('c', 'Shell', { command }), $.wants('r', 'c')];
  const frames = $.sessionOf(what);
  frames.push({ ...frames[0]!, f: 5, t: 4, from: 'stderr', raw: Buffer.from(`Error: ${command}`) });
  for (const read of $.readAll(wire, frames)) watch.take(read);
  const obligations = explain('20261116T022911-k3f9', 0, watch, moment);
  const about = { session: '20261116T022911-k3f9', command: ['kimi', command], state: 'running', obligations };
  return [...whyText({ ...about, watch, moment }, columns, themeFor(colour))].join('');
}

it.each([80, 200])('fits %i cells', (columns) => {
  const all = text(columns, `删除所有文件${'文'.repeat(90)}`).split('\n');
  // The line to send is copied, so only the terminal wraps it.
  for (const line of all.filter((one) => !one.startsWith('  send: ')))
    expect(cells(line), line).toBeLessThanOrEqual(columns);
  expect(all.filter((one) => one.startsWith('  send: '))).toHaveLength(1);
});

it('says it in sentences', () => {
  expect(text(Number.POSITIVE_INFINITY, 'rm -rf x')).toBe(`20261116T022911-k3f9 kimi rm -rf x
wire, running, 1h 01m, process 7 sleeping
the client has owed the agent the end of a line for 1h 01m (00:00:01)
  the client has written 2048 bytes without a line feed (␛]0;owned␇\\u202e\\u009b31m): the line has been incomplete for 1h 01m
  hint: end every message with a line feed, and flush it
the client has owed the agent an answer for 1h 01m (f4, 00:00:03): approval of Shell \`rm -rf x\`
  the client has not answered it (id "r")
  send: {"jsonrpc":"2.0","id":"r","result":{"request_id":"r","response":"approve"}}
  or with: "approve_for_session", "reject"
the agent has owed the client an answer for 1h 01m (f1, 00:00:00): prompt 1 (rm -rf x)
  the agent is waiting for the client: approval of Shell \`rm -rf x\` (f4, 1h 01m ago)
last line from the client: f1, 1h 01m ago; from the agent: f4, 1h 01m ago
last on stderr:
  Error: rm -rf x
`);
});

it('is harmless, and plain unless asked', () => {
  expect(text(80, EVIL)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  expect(text(80, 'x', true)).toContain('\x1b[');
});
