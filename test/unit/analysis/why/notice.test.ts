/** An agent that prints a text and exits instead of starting: the text is the cause. */
import { expect, it } from 'vitest';
import { explain } from '../../../../lib/analysis/why/explain.ts';
import { describeState, remarks } from '../../../../lib/analysis/why/remarks.ts';
import { SessionWatch } from '../../../../lib/analysis/why/session-watch.ts';
import { acp } from '../../../../lib/dialects/acp/index.ts';
import type { Dialect } from '../../../../lib/dialects/dialect.ts';
import { wire } from '../../../../lib/dialects/wire/index.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

const TOMBSTONE = 'kimi-cli is no longer maintained. Please use the new Kimi Code CLI.';
const GREETS: Said = ['client', { jsonrpc: '2.0', id: '1', method: 'initialize', params: {} }];

function watched(dialect: Dialect, what: (Said | $.Happening | string)[]): SessionWatch {
  const watch = new SessionWatch({ command: ['kimi'], dialect: dialect.name });
  const frames = $.sessionOf(what.map((one) => (typeof one === 'string' ? ['agent', {}] : one)));
  const printed = (frame: Frame, i: number): Frame =>
    typeof what[i] === 'string' ? { ...frame, form: 'text', raw: Buffer.from(what[i]) } : frame;
  for (const read of $.readAll(dialect, frames.map(printed))) watch.take(read);
  return watch;
}

const why = (watch: SessionWatch, running = false) =>
  explain('s', 0, watch, { t: 9, running, process: null, unfinished: [] });

it.each([wire, acp])('is why nothing was answered: $name', (dialect) => {
  const [one] = why(watched(dialect, [GREETS, TOMBSTONE, ['exit', { code: 0 }]]));
  expect(one).toMatchObject({
    rule: 'notice',
    cause: `the agent printed a notice instead of starting (f2: ${TOMBSTONE}), and exited with code 0 (f3)`,
  });
  expect(one!.hint).toContain('install kimi-cli 1.51.0');
});

it('is told in all its lines, and once', () => {
  const watch = watched(wire, [GREETS, 'You are not logged in.', 'Run: kimi login', ['exit', { code: 2 }]]);
  const found = why(watch);
  expect(found[0]!.cause).toContain('(f2: You are not logged in. Run: kimi login), and exited with code 2 (f4)');
  expect(remarks(watch, found)).toEqual([]);
});

it('is told although nobody asked anything', () => {
  const watch = watched(wire, [TOMBSTONE, ['exit', { code: 0 }]]);
  expect(why(watch)).toEqual([]);
  expect(remarks(watch)).toMatchObject([{ rule: 'notice', f: 1 }]);
  expect(describeState(watch).words).toBe('it ended without a message');
});

it('is none if the agent still runs, was stopped, or has sent a message', () => {
  const rules = (...what: (Said | $.Happening | string)[]) => why(watched(wire, what)).map(({ rule }) => rule);
  expect(why(watched(wire, [GREETS, TOMBSTONE]), true)[0]!.rule).toBe('polluted-stdout');
  expect(rules(GREETS, TOMBSTONE, ['signal', { signal: 'SIGTERM' }], ['exit', { code: 0 }])).not.toContain('notice');
  expect(rules(GREETS, TOMBSTONE, $.begins('go'), ['exit', { code: 0 }])).not.toContain('notice');
});
