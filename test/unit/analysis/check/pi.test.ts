/** The rules of pi, each broken and nearly. */

import { SHAPE_RULES } from '../../../../lib/analysis/check/rules.ts';
import { PI_RULES } from '../../../../lib/dialects/pi/rules/index.ts';
import { a, type Case, c, checkCases, done, eof, exit } from '../../../support/check.ts';

const prompt = (id: string, more: object = {}) => c({ id, type: 'prompt', message: 'go', ...more });
const response = (id: string | undefined, command: string, success = true) =>
  a({ id, type: 'response', command, success, ...(success ? {} : { error: 'no' }) });
const begins = a({ type: 'agent_start' });
const ends = a({ type: 'agent_end', messages: [] });
const call = (type: string, more: object = {}) =>
  a({ type: `tool_execution_${type}`, toolCallId: 'c', toolName: 'bash', ...more });
const starts = call('start', { args: {} });
const returns = call('end', { result: { content: [] }, isError: false });
const dialog = (method: string, more: object = {}) =>
  a({ type: 'extension_ui_request', id: 'u', method, title: 'Allow?', ...more });
const select = dialog('select', { options: ['Yes', 'No'] });
const confirm = dialog('confirm', { message: 'a.txt' });
const answers = (more: object, id: unknown = 'u') => c({ type: 'extension_ui_response', id, ...more });
const run = (...inside: Case['breaks']) => [prompt('1'), response('1', 'prompt'), begins, ...inside, ends, ...done];
const state = (id: unknown = 's') => c({ id, type: 'get_state' });

const cases: Case[] = [
  {
    rule: 'pi-shape',
    breaks: [c({ id: '1', type: 'prompt', text: 'go' }), response('1', 'prompt', false), ...done],
    told: ['pi-shape error client f1'],
    near: [prompt('1'), response('1', 'prompt'), begins, ends, ...done],
  },
  {
    rule: 'pi-shape',
    breaks: run(a({ type: 'tool_execution_start', toolCallId: 1, toolName: 'bash' })),
    told: ['pi-shape error agent f4'],
    near: run(starts, returns, a({ type: 'some_event', toolCallId: 1 })),
  },
  {
    // In a one-shot run the client only writes text, whatever it looks like.
    rule: 'pi-shape',
    breaks: [c({ type: 'prompt' }), begins, ends, ...done],
    told: ['pi-shape error client f1'],
    near: [c({ type: 'steer' }), begins, ends, eof, exit()],
    nearSession: { command: ['pi', '--mode', 'json'] },
  },
  {
    rule: 'pi-unknown-answer',
    breaks: run(answers({ value: 'Yes' })),
    told: ['pi-unknown-answer error client f4'],
    near: run(select, answers({ value: 'Yes' })),
  },
  {
    rule: 'pi-answer-id-type',
    breaks: [state(1), response('1', 'get_state'), ...done],
    told: ['pi-answer-id-type error agent f2'],
    near: [state('1'), response('1', 'get_state'), ...done],
  },
  {
    rule: 'pi-answered-twice',
    breaks: run(confirm, answers({ confirmed: true }), answers({ confirmed: true })),
    told: ['pi-answered-twice error client f6'],
    near: run(confirm, answers({ confirmed: true })),
  },
  {
    rule: 'pi-id-in-use',
    breaks: [state(), c({ id: 's', type: 'abort' }), response('s', 'abort'), response('s', 'get_state'), ...done],
    told: ['pi-id-in-use error client f2'],
    near: [state(), response('s', 'get_state'), c({ id: 's', type: 'abort' }), response('s', 'abort'), ...done],
  },
  {
    rule: 'pi-unanswered-by-agent',
    breaks: [state(), exit(1)],
    told: ['pi-unanswered-by-agent error agent f1'],
    // Without an id nobody can tell.
    near: [c({ type: 'get_state' }), exit(1)],
  },
  {
    rule: 'pi-unanswered-by-client',
    breaks: [prompt('1'), response('1', 'prompt'), begins, starts, select, exit(null, 'SIGKILL')],
    told: ['pi-unanswered-by-client warning client f5'],
    near: [
      prompt('1'),
      response('1', 'prompt'),
      begins,
      starts,
      dialog('notify', { message: 'x' }),
      exit(null, 'SIGKILL'),
    ],
  },
  {
    // A dialog with a time limit answers itself.
    rule: 'pi-unanswered-by-client',
    breaks: [begins, starts, select, exit(null, 'SIGKILL')],
    told: ['pi-unanswered-by-client warning client f3'],
    near: [begins, starts, dialog('confirm', { message: 'x', timeout: 5000 }), exit(null, 'SIGKILL')],
  },
  {
    rule: 'pi-command',
    breaks: [c({ id: '1', type: 'getState' }), response(undefined, 'getState', false), ...done],
    told: ['pi-command error client f1'],
    near: [state(), response('s', 'get_state'), ...done],
  },
  {
    rule: 'pi-busy',
    breaks: run(prompt('2'), response('2', 'prompt', false)),
    told: ['pi-busy error client f4'],
    near: run(prompt('2', { streamingBehavior: 'steer' }), response('2', 'prompt')),
  },
  {
    // Refused for another reason.
    rule: 'pi-busy',
    breaks: run(prompt('2'), response('2', 'prompt', false)),
    told: ['pi-busy error client f4'],
    near: [prompt('1'), response('1', 'prompt', false), ...done],
  },
  {
    rule: 'pi-dialog-answer',
    breaks: run(select, answers({ value: 'yes' })),
    told: ['pi-dialog-answer error client f5'],
    near: run(select, answers({ cancelled: true })),
  },
  {
    rule: 'pi-dialog-answer',
    breaks: run(confirm, answers({ value: 'Yes' })),
    told: ['pi-dialog-answer error client f5'],
    near: run(confirm, answers({ confirmed: false })),
  },
  {
    rule: 'pi-dialog-answer',
    breaks: run(dialog('input'), answers({ confirmed: true })),
    told: ['pi-dialog-answer error client f5'],
    near: run(dialog('input'), answers({ value: '' })),
  },
  {
    rule: 'pi-call-unknown',
    breaks: run(starts, returns, returns),
    told: ['pi-call-unknown error agent f6'],
    near: run(starts, call('update', { partialResult: {} }), returns, starts, returns),
  },
  {
    rule: 'pi-run',
    breaks: [begins, ends, ends, ...done],
    told: ['pi-run error agent f3'],
    near: [begins, ends, begins, ends, ...done],
  },
];

const RULES = [...SHAPE_RULES.filter(({ id }) => id === 'pi-shape'), ...PI_RULES];

checkCases('pi', { dialect: 'pi', command: ['pi', '--mode', 'rpc'] }, RULES, cases);
