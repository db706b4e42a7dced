/** What the rows of a session come to, and what an audit admits not to know. */
import { describe, expect, it } from 'vitest';
import { type ApprovalRow, makeRow } from '../../../../lib/analysis/audit/row.ts';
import {
  type AuditedSessionInfo,
  addRow,
  addSum,
  emptySum,
  grantsIn,
  listUnknowns,
} from '../../../../lib/analysis/audit/sum.ts';

const row = (f: number, more: Partial<ApprovalRow> = {}): ApprovalRow => ({
  ...makeRow('approval', f, 0, f),
  ...{ decision: 'allow', by: 'client', ...more },
});

function sumOf(rows: ApprovalRow[]) {
  const sum = emptySum();
  for (const one of rows) addRow(sum, one);
  return sum;
}

const UNKNOWN: Partial<ApprovalRow> = { decision: 'unknown', by: 'unknown' };

describe('a sum', () => {
  it('counts every row once, by what became of it', () => {
    const sum = sumOf([
      ...[row(1, { wait: 2 }), row(2, { decision: 'allow-always', wait: 5 }), row(3, { decision: 'deny' })],
      ...[row(4, { decision: 'cancelled' }), row(5, { decision: 'none', by: 'nobody', wait: 3 })],
      ...[row(6, { decision: 'none', by: 'client-error' }), row(7, { decision: 'none', by: 'invalid' })],
      ...[row(8, { decision: 'none', by: 'agent' }), row(9, { decision: 'none', by: 'grant' })],
      ...[row(10, { decision: 'unasked', by: 'agent' }), row(11, { decision: 'unasked', by: 'grant' })],
    ]);
    expect(sum).toMatchObject({ asked: 9, allowed: 2, denied: 1, cancelled: 1, unasked: 1, covered: 1 });
    expect(sumOf([row(1, { decision: 'unasked', by: 'mode', mode: 'yolo' }), row(2, UNKNOWN)])).toMatchObject({
      ...{ asked: 0, unasked: 0, by_mode: { yolo: 1 }, unknown: 1 },
    });
    expect(sum.instead).toEqual({ nobody: 1, 'client-error': 1, invalid: 1, agent: 1, grant: 1 });
    expect(sum.longest).toEqual({ wait: 5, f: 2 });
  });

  it('counts what may not have run, whoever let it', () => {
    const unasked = (f: number, by: ApprovalRow['by'], executed: ApprovalRow['executed']) =>
      row(f, { decision: 'unasked', by, mode: 'yolo', executed });
    const sum = sumOf([unasked(1, 'mode', 'yes'), unasked(2, 'mode', 'unknown'), unasked(3, 'agent', 'unknown')]);
    expect(sum).toMatchObject({ unasked: 1, by_mode: { yolo: 2 }, unsure: 2 });
  });

  it('counts each question once, by what became of it', () => {
    const question = (decision: ApprovalRow['decision']) => row(1, { kind: 'question', decision, by: 'nobody' });
    const sum = sumOf((['answered', 'dismissed', 'none', 'none', 'cancelled', 'unknown'] as const).map(question));
    expect(sum).toMatchObject({ others: { question: 6 }, answered: 1, dismissed: 1 });
    expect(sum.questions).toEqual({ unanswered: 2, cancelled: 1, unknown: 1 });
    const all = emptySum();
    addSum(all, sum);
    addSum(all, sum);
    expect(all.questions).toEqual({ unanswered: 4, cancelled: 2, unknown: 2 });
  });

  it('counts modes whose names objects have, too', () => {
    for (const mode of ['constructor', '__proto__', 'toString']) {
      const sum = sumOf([row(1, { decision: 'unasked', by: 'mode', mode })]);
      const all = emptySum();
      addSum(all, sum);
      addSum(all, sum);
      expect([Object.entries(sum.by_mode), Object.entries(all.by_mode)]).toEqual([[[mode, 1]], [[mode, 2]]]);
    }
  });

  it('tells hooks that failed open from hooks that were answered', () => {
    const hook = (f: number, more: Partial<ApprovalRow>) => row(f, { kind: 'hook', ...more });
    const sum = sumOf([
      hook(1, { executed: 'yes' }),
      hook(2, { decision: 'none', by: 'client-error', executed: 'yes' }),
      hook(3, { decision: 'none', by: 'agent', executed: 'yes' }),
      hook(4, { decision: 'deny', executed: 'no' }),
    ]);
    expect(sum).toMatchObject({ asked: 0, failed_open: 2, others: { hook: 4 } });
  });

  it('adds up over sessions', () => {
    const whole = emptySum();
    addSum(whole, sumOf([row(1, { wait: 1 }), row(2, { decision: 'none', by: 'nobody' })]));
    addSum(whole, sumOf([row(7, { wait: 9, decision: 'deny' })]));
    expect(whole).toMatchObject({
      asked: 3,
      allowed: 1,
      denied: 1,
      instead: { nobody: 1 },
      longest: { wait: 9, f: 7 },
    });
  });
});

describe('standing grants', () => {
  it('name every later row that they decided', () => {
    const grants = grantsIn([
      row(3, {
        ...{ decision: 'allow-always', action: 'run command', tool: 'Shell', answer_f: 4 },
        arguments: { command: 'echo ok' },
      }),
      row(8, {
        decision: 'unasked',
        by: 'grant',
        grant_f: 3,
        executed: 'yes',
        executed_arguments: { command: 'rm x' },
      }),
      row(9, { decision: 'none', by: 'grant', grant_f: 3 }),
      row(12, { decision: 'allow' }),
    ]);
    expect(grants).toEqual([
      {
        ...{ f: 3, answer_f: 4, tool: 'Shell', scope: 'run command', covers: 'every command of this session' },
        ...{ given_for: 'echo ok', covered: [8, 9], ran: [{ f: 8, what: 'rm x' }] },
      },
    ]);
  });

  it('are known from the word of the agent where the answer was not heard', () => {
    const [grant] = grantsIn([row(3, { decision: 'none', by: 'agent', resolved: 'allow-always', resolved_f: 6 })]);
    expect(grant).toMatchObject({ f: 3, answer_f: 6, covered: [] });
  });

  it('have the words of their option where the dialect has no action', () => {
    const options = [{ id: 'x', decision: 'allow-always' as const, label: 'Always allow edits' }];
    const [grant] = grantsIn([row(3, { decision: 'allow-always', options, option: 'x' })]);
    expect(grant).toMatchObject({ scope: 'Always allow edits', covers: 'what its option says: "Always allow edits"' });
    const [claude] = grantsIn([row(3, { decision: 'allow-always', tool: 'Bash' })]);
    expect(claude!.covers).toBe("later calls of Bash, as far as the agent's own rules say");
  });
});

describe('what cannot be known', () => {
  const about = (more: Partial<AuditedSessionInfo> = {}): AuditedSessionInfo => ({
    ...{ source: 'record', dialect: 'wire', state: 'ended', gaps: 0, heard: true, bypass: [], unread: 0, read: null },
    ...more,
  });
  const notes = (more: Partial<AuditedSessionInfo>, rows: ApprovalRow[] = []) =>
    listUnknowns(about(more), rows).join('\n');

  it('is said where too little was understood, and only there', () => {
    const read = { lines: 41, understood: 3, enough: false };
    expect(notes({ read })).toBe('3 of 41 lines from the agent were understood: calls and approvals may be missing');
    expect(notes({ read: { lines: 41, understood: 30, enough: true } })).toBe('');
    expect(notes({ dialect: 'lines', read: { lines: 0, understood: 0, enough: false } })).not.toContain('0 of 0');
  });

  it.each<[string, Partial<AuditedSessionInfo>, RegExp]>([
    ['gaps', { gaps: 2, state: 'incomplete' }, /^the tape has 2 gaps/],
    ['no client', { source: 'import', heard: false }, /no lines from the client.*\n.*kimi-cli 1\.25/],
    ['a dialect without a word for it', { dialect: 'jsonrpc' }, /unknown in this dialect \(jsonrpc\)/],
    ['a running session', { state: 'running' }, /still running/],
    ['a killed recorder', { state: 'killed' }, /was killed/],
    ['a torn tape', { state: 'incomplete' }, /incomplete/],
  ])('%s', (_, more, words) => {
    expect(notes(more)).toMatch(words);
  });

  it('nothing, of a whole recording; a client that said nothing was heard to say nothing', () => {
    expect(notes({})).toBe('');
    expect(notes({ heard: false })).toBe('');
    expect(notes({ heard: false, source: 'import', dialect: 'kimi-print' })).toBe('');
  });

  it('approvals in the log of an old kimi are there, answers are not', () => {
    expect(notes({ source: 'import', heard: false }, [row(1, { request_id: 'r' })])).not.toMatch(/1\.25/);
    expect(notes({ source: 'import', heard: false }, [row(1, UNKNOWN)])).toMatch(/1\.25/);
  });

  it('what a session was resumed with', () => {
    expect(notes({}, [row(1, { flags: ['resumed'] })])).toMatch(/resumed/);
  });
});
