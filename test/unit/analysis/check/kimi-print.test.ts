/** The rules of `kimi -p`, each broken and nearly. */
import { PRINT_RULES } from '../../../../lib/dialects/kimi-print/rules/index.ts';
import { a, type Case, checkCases, exit, signal } from '../../../support/check.ts';

const version = a({ role: 'meta', type: 'system.version', version: '2.1.0' });
const hint = a({ role: 'meta', type: 'session.resume_hint', content: 'x' });
const says = a({ role: 'assistant', content: 'hi' });
const calls = (id: string) =>
  a({
    role: 'assistant',
    content: '',
    tool_calls: [{ type: 'function', id, function: { name: 'Write', arguments: '{}' } }],
  });
const gives = (id: string) => a({ role: 'tool', tool_call_id: id, content: 'ok' });

const cases: Case[] = [
  {
    rule: 'print-no-answer',
    breaks: [version, exit(0)],
    told: ['print-no-answer error agent f2'],
    near: [version, exit(1)],
  },
  {
    rule: 'print-no-answer',
    breaks: [version, calls('c'), gives('c'), exit(0)],
    told: ['print-no-answer error agent f4'],
    near: [version, calls('c'), gives('c'), says, hint, exit(0)],
  },
  {
    rule: 'print-exit',
    breaks: [version, says, hint, exit(1)],
    told: ['print-exit warning agent f4'],
    near: [version, says, signal, exit(143)],
  },
  {
    rule: 'print-two-answers',
    breaks: [version, says, says, exit(0)],
    told: ['print-two-answers warning agent f3'],
    near: [version, calls('c'), gives('c'), says, exit(0)],
  },
  {
    rule: 'print-result-unknown',
    breaks: [version, calls('c'), gives('d'), gives('c'), gives('c'), says, exit(0)],
    told: ['print-result-unknown error agent f3', 'print-result-unknown error agent f5'],
    near: [version, calls('c'), gives('c'), calls('c'), gives('c'), says, exit(0)],
  },
  {
    rule: 'print-call-open',
    breaks: [version, calls('c'), says, exit(0)],
    told: ['print-call-open warning agent f3'],
    near: [version, calls('c'), exit(1)],
  },
  {
    rule: 'print-shape',
    breaks: [version, a({ role: 'tool', content: 'x' }), a({ content: 'x' }), says, exit(0)],
    told: ['print-shape error agent f2', 'print-shape error agent f3'],
    near: [version, a({ role: 'new' }), a({ role: 'assistant', content: [{ type: 'text', text: 'x' }] }), exit(0)],
  },
];
checkCases(
  'kimi -p',
  { dialect: 'kimi-print', command: ['kimi', '-p', 'go', '--output-format', 'stream-json'] },
  PRINT_RULES,
  cases,
);
