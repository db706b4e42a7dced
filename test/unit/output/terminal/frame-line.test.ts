import { expect, it } from 'vitest';
import { cells } from '../../../../lib/model/text/text.ts';
import { frameLine } from '../../../../lib/output/terminal/frame-line.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { framesOf, tell } from '../../../support/reading.ts';

function line(value: unknown, { columns = 80, type = null as string | null } = {}): string {
  const [frame] = framesOf([['agent', value]]);
  return frameLine(frame!, type, columns, themeFor(false)).slice(29);
}

it('names an event by its type, and shows what is in it', () => {
  expect(line(tell('event', { type: 'StepBegin', payload: { n: 1 } }))).toBe('event StepBegin {"n":1}\n');
  expect(line({ type: 'system', subtype: 'init' }, { type: 'system/init' })).toMatch(/^system\/init \{"type":"system"/);
  expect(line(tell('x', { type: 'a', more: 1 }))).toBe('x {"type":"a","more":1}\n');
});

it('has the session last where the line is cut, and where it is in a pipe', () => {
  const update = tell('session/update', { sessionId: 's'.repeat(80), update: { sessionUpdate: 'plan' } });
  expect(line(update)).toMatch(/^session\/update \{"update":\{"sessionUpdate":"plan"/);
  expect(line(update, { columns: Number.POSITIVE_INFINITY })).toMatch(/^session\/update \{"sessionId":"sss/);
});

it.each([40, 80, 200])('is one line of at most %i cells, made harmless', (columns) => {
  const [frame] = framesOf([['agent', tell('event', { type: 'a\u001b[31m', payload: '中文\n'.repeat(200) })]]);
  const text = frameLine(frame!, null, columns, themeFor(false));
  expect(text.split('\n')).toHaveLength(2);
  expect(text).not.toContain('\u001b');
  expect(cells(text.trimEnd())).toBeLessThanOrEqual(columns);
});
