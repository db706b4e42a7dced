/** Protocols that cannot be read: nothing is claimed of them, and the last lines are quoted, live and after the end. */
import { describe, expect, it } from 'vitest';
import { doubtOf, doubtRow } from '../../../../lib/analysis/why/doubt.ts';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { jsonrpc } from '../../../../lib/dialects/jsonrpc/index.ts';
import { lines } from '../../../../lib/dialects/lines/index.ts';
import { mcp } from '../../../../lib/dialects/mcp/index.ts';
import { streamJson } from '../../../../lib/dialects/stream-json/index.ts';
import type { SessionMoment } from '../../../../lib/model/moment.ts';
import { maskSecrets } from '../../../../lib/model/text/mask.ts';
import { MASK_SECRETS } from '../../../../lib/model/text/secret.ts';
import { cells } from '../../../../lib/model/text/text.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { WhyChanges } from '../../../../lib/output/terminal/why-changes.ts';
import { whyText } from '../../../../lib/output/terminal/why-view.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

type What = (Said | $.Happening)[];

const PROMPT: Said = ['client', { op: 'run', text: 'go' }];
const WORK: Said = ['agent', { op: 'ack', of: 'run' }];
/** The client was asked something, and nobody but the two of them knows. */
const ASKS: Said = ['agent', { op: 'may-i', command: 'rm -rf build' }];

function watched(dialect: Dialect, what: What): SessionWatch {
  const watch = new SessionWatch({ command: ['odd'], dialect: dialect.name });
  for (const read of $.readAll(dialect, $.sessionOf(what))) watch.take(read);
  return watch;
}

function text(dialect: Dialect, what: What, running: boolean, columns = Number.POSITIVE_INFINITY): string {
  const watch = watched(dialect, what);
  const moment: SessionMoment = { t: 40, running, process: null, unfinished: [] };
  const obligations = explain('s', 0, watch, moment);
  const about = { session: 's', command: ['odd'], state: running ? 'running' : 'ended', obligations, watch, moment };
  return [...whyText(about, columns, themeFor(false))].join('');
}

const EXIT: $.Happening = ['exit', { code: 0 }];

describe('an unknown protocol', () => {
  it('is not said to have ended well', () => {
    expect(text(lines, [PROMPT, WORK, ASKS, EXIT], false)).toBe(`s odd
lines, ended, 40.00 s
cannot tell whether anybody is waiting: wiretape does not know this protocol, and sees no request in it
it ended with exit code 0 (f4)
last from the client:
  f1, 40.00 s before the end: {"op":"run","text":"go"}
last from the agent:
  f2, 39.00 s before the end: {"op":"ack","of":"run"}
  f3, 38.00 s before the end: {"op":"may-i","command":"rm -rf build"}
0 of 2 lines from the agent were understood: calls and approvals may be missing
`);
  });

  it('is not said to be idle while it hangs', () => {
    const said = text(lines, [PROMPT, WORK, ASKS], true);
    expect(said).toContain('cannot tell whether anybody is waiting');
    expect(said).toContain('  f3, 38.00 s ago: {"op":"may-i","command":"rm -rf build"}\n');
    expect(said).not.toMatch(/no open requests|answered|ended/);
  });

  it('may answer a request at once, and work on it afterwards', () => {
    const what: What = [
      ['client', { id: 1, method: 'turn/start' }],
      ['agent', { id: 1, result: { turn: 'begun' } }],
      ['agent', { method: 'item/started', params: {} }],
    ];
    expect(doubtOf(watched(jsonrpc, what))).toContain('an answer may only say that work has begun');
    expect(text(jsonrpc, [...what, ['exit', { code: 3 }]], false)).toContain('\nit ended with exit code 3 (f4)\n');
    // What is open there is known.
    const open = text(jsonrpc, what.slice(0, 1), true);
    expect(open).toContain('the agent has owed the client an answer');
    expect(open).not.toContain('cannot tell');
  });

  it('has said nothing from one side', () => {
    expect(text(lines, [PROMPT], true)).toContain('last from the agent: nothing\n');
  });

  it('is quoted harmlessly, shortened, and without secrets', () => {
    const said = text(
      lines,
      [['agent', { op: '\u202e', at: '2026', text: 'x'.repeat(500), password: 'hunter2hunter2' }]],
      true,
      80,
    );
    for (const line of said.split('\n')) expect(cells(line), line).toBeLessThanOrEqual(80);
    expect(said).toContain('…');
    expect(said).not.toMatch(/[\u202e]/);
    maskSecrets(MASK_SECRETS);
    expect(text(lines, [['agent', { password: 'hunter2hunter2' }]], true)).not.toContain('hunter2');
    maskSecrets(null);
  });

  it('is an object for programs, which nobody owes', () => {
    expect(doubtRow('s', 0, watched(lines, [PROMPT, ASKS]))).toMatchObject({
      ...{ owes: null, to: null, f: 2, open: false, rule: 'cannot-tell', since: '1970-01-01T00:00:01.000000Z' },
    });
    expect(doubtRow('s', 0, watched(lines, []))).toBeNull();
  });

  it('is told as such while it is watched', () => {
    const changes = new WhyChanges();
    const doubt = doubtOf(watched(lines, [PROMPT]));
    expect([...changes.lines([], '12:00:00', doubt)]).toEqual([
      `12:00:00 cannot tell whether anybody is waiting: ${doubt}\n`,
    ]);
    expect([...changes.lines([], '12:00:01', doubt)]).toEqual([]);
  });
});

describe('a dialect that most lines do not keep to', () => {
  it('is doubted', () => {
    const odd = Array.from({ length: 5 }, (_, i): Said => ['agent', { type: `beat-${i}` }]);
    expect(doubtOf(watched(streamJson, odd))).toBe('0 of 5 lines from the agent were understood as stream-json');
    expect(doubtOf(watched(streamJson, odd.slice(0, 3)))).toContain('0 of 3 lines');
  });

  it('owes nothing, and has made no mistake', () => {
    const prompt: Said = ['client', { type: 'user', message: { role: 'user', content: 'go' } }];
    const wrong: Said = ['client', { type: 'control_response', response: { subtype: 'success', request_id: 'none' } }];
    const odd = Array.from({ length: 5 }, (_, i): Said => ['agent', { type: `beat-${i}` }]);
    const said = text(streamJson, [prompt, wrong, ...odd, EXIT], false);
    expect(said).toContain('cannot tell whether anybody is waiting: 0 of 5 lines from the agent were understood');
    expect(said).not.toMatch(/never answered|mistake|hint/);
    // The same prompt is open where the agent is understood.
    const known: Said = ['agent', { type: 'keep_alive' }];
    expect(text(streamJson, [prompt, known, EXIT], false)).toContain('never answered');
  });

  it('is not, because of text between its messages', () => {
    const log = Array.from({ length: 9 }, (_, i): Said => ['agent', `starting ${i}`]);
    expect(doubtOf(watched(streamJson, [...log, ['agent', { type: 'keep_alive' }]]))).toBeNull();
  });

  it('is not, if its requests are known: what else crosses the pipe keeps nobody waiting', () => {
    const events = Array.from({ length: 9 }, (): Said => ['agent', { jsonrpc: '2.0', method: 'codex/event' }]);
    expect(doubtOf(watched(mcp, events))).toBeNull();
  });
});
