/** What ran although the same had been denied before, and what a standing grant was given for (rules A7 and A9). */
import { describe, expect, it } from 'vitest';
import { grantsIn, sumOf } from '../../../../lib/analysis/audit/sum.ts';
import * as $ from '../../../support/audit.ts';
import type { Said } from '../../../support/reading.ts';

const turn = (id: string, ...inside: Said[]): Said[] => [$.prompts(id), $.begins(id), ...inside, $.finishes(id)];
const decided = (id: string, word: string, args: object, tool = 'Shell'): Said[] => {
  const action = tool === 'Shell' ? 'run command' : 'edit file';
  const asked = [$.calls(id, tool, args), $.wants(`r-${id}`, id, { sender: tool, action })];
  return [...asked, $.decides(`r-${id}`, word), $.resolves(`r-${id}`, word), $.results(id, word === 'reject')];
};
const unasked = (id: string, args: object, tool = 'Shell'): Said[] => [$.calls(id, tool, args), $.results(id)];
const rm = { command: 'rm -rf build' };

const found = (...inside: Said[]) =>
  $.auditWire(turn('p', ...inside)).rows.map(({ tool_call_id, by, deny_f, flags }) =>
    flags.includes('ran-after-deny')
      ? `${tool_call_id} by ${by} after f${deny_f}`
      : `${tool_call_id} by ${by} ${deny_f}`,
  );

describe('an action that was denied', () => {
  it('and ran later is flagged, whatever allowed it', () => {
    expect(
      found(
        ...[...decided('a', 'reject', rm), ...unasked('b', rm)],
        ...[...decided('c', 'approve', { command: ' rm  -rf\nbuild ' }), ...decided('d', 'approve_for_session', rm)],
        ...unasked('e', { ...rm, timeout: 5 }),
      ),
    ).toEqual([
      'a by client null',
      'b by agent after f4',
      'c by client after f4',
      'd by client after f4',
      'e by grant after f4',
    ]);
  });

  it('is the same by its path too, whatever is written', () => {
    const write = (content: string, path = '.env') => ({ path, content });
    expect(
      found(
        ...decided('a', 'reject', write('x'), 'WriteFile'),
        ...[...unasked('b', write('y'), 'WriteFile'), ...unasked('c', write('x', 'other'), 'WriteFile')],
        ...unasked('d', write('x'), 'StrReplaceFile'),
      ),
    ).toEqual(['a by client null', 'b by agent after f4', 'c by agent null', 'd by agent null']);
  });

  it('is another one if the command differs, if it ran before, or if it did not run', () => {
    expect(
      found(
        ...[...unasked('a', rm), ...decided('b', 'reject', rm), ...decided('c', 'reject', rm)],
        ...unasked('d', { command: 'rm -rf builds' }),
      ),
    ).toEqual(['a by agent null', 'b by client null', 'c by client null', 'd by agent null']);
  });

  it('may have been allowed before the other request was denied', () => {
    const both: Said[] = [
      ...[$.calls('a', 'Shell', rm), $.calls('b', 'Shell', rm), $.wants('ra', 'a'), $.wants('rb', 'b')],
      ...[$.decides('ra', 'approve'), $.decides('rb', 'reject'), $.resolves('ra', 'approve')],
      ...[$.resolves('rb', 'reject'), $.results('a'), $.results('b', true)],
    ];
    expect(found(...both)).toEqual(['a by client null', 'b by client null']);
  });

  it('ran under a grant for another command, in a recorded session', () => {
    const { rows } = $.auditRecording('live-dg');
    expect(rows.map((row) => `f${row.f} ${$.words(row)} ${row.deny_f}`)).toEqual([
      'f11 deny client f13 no f15 [feedback] null',
      'f12 allow-always client f16 yes f18 [grant] null',
      'f21 unasked grant f16 yes f23 [ran-after-deny under-grant] 11',
    ]);
    expect(sumOf(rows)).toMatchObject({ asked: 2, denied: 1, covered: 1, after_deny: 1 });
    expect(grantsIn(rows)).toEqual([
      {
        ...{ f: 12, answer_f: 16, tool: 'Shell', scope: 'run command', given_for: 'echo ok' },
        covers: 'every command of this session',
        covered: [21],
        ran: [{ f: 21, what: 'echo danger > /home/dev/trial/danger.txt' }],
      },
    ]);
  });
});
