/** The rules of Codex's app-server, each broken and nearly. */
import { CODEX_RULES } from '../../../../lib/dialects/codex/rules/index.ts';
import { a, type Case, c, checkCases, done, exit } from '../../../support/check.ts';
import * as $ from '../../../support/codex.ts';
import type { Said } from '../../../support/reading.ts';

const steps = (...said: Said[]) => said.map(([from, line]) => (from === 'client' ? c(line) : a(line)));
const hello = steps(...$.hello);
const open = steps(...$.hello, ...$.opens(1));
const begun = [...open, ...steps(...$.begins(2))];
const end = steps($.ends());
const asks = steps($.started('commandExecution', 'c1', { command: 'ls', cwd: '/w' }), $.wants(0, 'c1'));
const declined = steps($.completed('commandExecution', 'c1', { command: 'ls', cwd: '/w', status: 'declined' }));
const decides = (result: unknown) => [c($.answers(0, result)), ...declined, ...end, ...done];
const question = a(
  $.asks(0, 'item/tool/requestUserInput', { ...$.OF, itemId: 'c1', questions: [{ id: 'q', question: 'Which?' }] }),
);
const interrupt = (turnId: string) => c($.asks(3, 'turn/interrupt', { threadId: 't1', turnId }));
const text = (method: string, more: object = {}) =>
  a($.tells(method, { ...$.OF, item: { type: 'agentMessage', id: 'm', text: 'Hi', ...more } }));
const delta = a($.tells('item/agentMessage/delta', { ...$.OF, itemId: 'm', delta: 'Hi' }));
const resolved = a($.tells('serverRequest/resolved', { threadId: 't1', requestId: 0 }));

const cases: Case[] = [
  {
    rule: 'codex-initialize-first',
    breaks: [c($.asks(1, 'thread/start')), a($.refuses(1, 'Not initialized')), ...done],
    told: ['codex-initialize-first error client f1'],
    near: [...open, ...done],
  },
  {
    rule: 'codex-initialize-first',
    breaks: [...steps($.hello[0]!), ...steps($.opens(1)[0]!), ...steps($.hello[1]!), a($.refuses(1)), ...done],
    told: ['codex-initialize-first error client f2'],
    // Which does no harm.
    near: [...steps($.hello[0]!), c($.tells('initialized')), ...steps($.hello[1]!), ...done],
  },
  {
    rule: 'codex-initialize-again',
    breaks: [...hello, c({ ...($.hello[0]![1] as object), id: 1 }), a($.refuses(1, 'Already initialized')), ...done],
    told: ['codex-initialize-again warning client f3'],
    near: [...hello, c($.tells('initialized')), ...done],
  },
  {
    rule: 'codex-method',
    breaks: [
      ...hello,
      c($.asks(1, 'no/such')),
      a($.refuses(1, 'unknown variant `no/such`, expected one of …')),
      ...done,
    ],
    told: ['codex-method error client f3'],
    // A method of a newer version.
    near: [...hello, c($.asks(1, 'no/such')), a($.answers(1, {})), ...done],
  },
  {
    rule: 'codex-thread',
    breaks: [...open, c($.asks(2, 'turn/start', { threadId: 't9', input: [] })), a($.refuses(2)), ...done],
    told: ['codex-thread error client f5'],
    near: [...begun, ...end, ...done],
  },
  {
    rule: 'codex-turn',
    breaks: [...begun, interrupt('u9'), a($.refuses(3, 'expected active turn id')), ...end, ...done],
    told: ['codex-turn error client f7'],
    near: [...begun, interrupt('u1'), a($.answers(3, {})), ...steps($.ends('interrupted')), ...done],
  },
  {
    rule: 'codex-turn-over',
    breaks: [...begun, ...end, interrupt('u1'), a($.refuses(3, 'no active turn')), ...done],
    told: ['codex-turn-over info client f8'],
    near: [...begun, interrupt('u1'), a($.answers(3, {})), ...end, ...done],
  },
  {
    rule: 'codex-decision',
    breaks: [...begun, ...asks, ...decides({ decision: 'approved' })],
    told: ['codex-decision error client f9'],
    // Not in the list of the request, but the agent takes it.
    near: [...begun, ...asks, ...decides({ decision: 'decline' })],
  },
  {
    rule: 'codex-decision',
    breaks: [...begun, ...asks, ...decides({ decision: null })],
    told: ['codex-decision error client f9'],
    near: [
      ...[...begun, ...asks],
      ...decides({ decision: { acceptWithExecpolicyAmendment: { execpolicy_amendment: ['ls'] } } }),
    ],
  },
  {
    rule: 'codex-answer',
    breaks: [...begun, question, c($.answers(0, { answers: { q: 'Red' } })), ...end, ...done],
    told: ['codex-answer error client f8'],
    near: [...begun, question, c($.answers(0, { answers: { q: { answers: ['Red'] } } })), ...end, ...done],
  },
  {
    rule: 'codex-refused',
    breaks: [...begun, ...asks, c($.refuses(0)), ...declined, ...end, ...done],
    told: ['codex-refused warning client f9'],
    near: [...begun, ...asks, ...decides({ decision: 'cancel' })],
  },
  {
    rule: 'codex-turn-end',
    breaks: [...begun, exit()],
    told: ['codex-turn-end error agent f6'],
    near: [...begun, ...end, exit()],
  },
  {
    rule: 'codex-turn-stray',
    breaks: [...open, ...end, ...done],
    told: ['codex-turn-stray warning agent f5'],
    near: [...begun, ...end, ...done],
  },
  // A review has a turn within its own.
  {
    rule: 'codex-turn-end',
    breaks: [...begun, a($.tells('turn/started', { threadId: 't2', turn: turnOf('u2') })), ...end, exit()],
    told: ['codex-turn-end error agent f7'],
    near: [...begun, a($.tells('turn/started', { threadId: 't1', turn: turnOf('u2') })), ...end, exit()],
  },
  {
    rule: 'codex-item',
    breaks: [...begun, delta, ...end, ...done],
    told: ['codex-item warning agent f7'],
    near: [...begun, text('item/started'), delta, text('item/completed'), ...end, ...done],
  },
  {
    rule: 'codex-item-again',
    breaks: [...begun, text('item/started'), text('item/completed'), text('item/completed'), ...end, ...done],
    told: ['codex-item-again warning agent f9'],
    near: [...begun, text('item/started'), text('item/completed'), ...end, ...done],
  },
  {
    rule: 'codex-resolved',
    breaks: [...begun, resolved, ...end, ...done],
    told: ['codex-resolved warning agent f7'],
    near: [...begun, ...asks, resolved, ...declined, ...end, ...done],
  },
];

const mutes = (...optOutNotificationMethods: string[]) =>
  c($.asks(0, 'initialize', { clientInfo: { name: 'e', version: '1' }, capabilities: { optOutNotificationMethods } }));

cases.push(
  {
    rule: 'codex-item',
    breaks: [mutes('thread/started'), ...begun.slice(1), delta, ...end, ...done],
    told: ['codex-item warning agent f7'],
    near: [mutes('item/started'), ...begun.slice(1), delta, ...end, ...done],
  },
  {
    rule: 'codex-turn-end',
    breaks: [mutes('item/started'), ...begun.slice(1), exit()],
    told: ['codex-turn-end error agent f6'],
    near: [mutes('turn/completed'), ...begun.slice(1), exit()],
  },
);

function turnOf(id: string): object {
  return { id, rootTurnId: 'u1', status: 'inProgress' };
}

checkCases('Codex', { dialect: 'codex' }, CODEX_RULES, cases);
