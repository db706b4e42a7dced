/** The pipe and the process, whatever is spoken; and JSON-RPC itself. */
import { describe, expect, it } from 'vitest';
import { RPC_RULES } from '../../../../lib/dialects/rules/envelope.ts';
import { LINE_RULES } from '../../../../lib/dialects/rules/lines.ts';
import { PROCESS_RULES } from '../../../../lib/dialects/rules/process.ts';
import { RECORDING_RULES } from '../../../../lib/dialects/rules/recording.ts';
import {
  a,
  type Case,
  c,
  checkCases,
  done,
  eof,
  exit,
  findings,
  framesOf,
  proc,
  type Step,
  signal,
} from '../../../support/check.ts';
import { answer, ask, refuse, tell } from '../../../support/reading.ts';

const hello = [c(ask(0, 'hello')), a(answer(0, 'hello'))];
const long = (bytes: number) => tell('x', { text: 'x'.repeat(bytes) });
const claude = { dialect: 'stream-json', command: ['claude', '--input-format', 'stream-json'] };

/** A Content-Length frame. */
const framed = (step: Step, length = Buffer.byteLength(JSON.stringify(step.line))): Step => ({
  ...step,
  head: `Content-Length: ${length}\r\n\r\n`,
});
const unframed = (stream: string, reason = 'no header') => proc('unframed', { stream, reason });
const helloFramed = hello.map((step) => framed(step));

const lines: Case[] = [
  {
    rule: 'io-framing',
    breaks: [...helloFramed, unframed('agent'), a('oops'), a('again'), framed(a(tell('x'))), ...done],
    told: ['io-framing error agent f4'],
    near: [...helloFramed, framed(a(tell('x'))), ...done],
  },
  {
    rule: 'io-framing',
    breaks: [...helloFramed, unframed('client', 'header cut off'), c('Content-Le', ''), ...done],
    told: ['io-framing warning unknown f4'],
    near: [...helloFramed, ...done],
  },
  // A body that is shorter than announced, whether it is JSON or not; and one that is whole.
  {
    rule: 'io-cut',
    breaks: [...helloFramed, framed(a(tell('x')), 99), ...done],
    told: ['io-cut error agent f3'],
    near: [...helloFramed, framed(a(tell('x'))), ...done],
  },
  {
    rule: 'io-cut',
    breaks: [...helloFramed, framed(a('{"jsonrpc":'), 99), ...done],
    told: ['io-cut error agent f3'],
    near: [...helloFramed, framed(a(long(70_000))), ...done],
  },
  {
    rule: 'io-noise-first',
    breaks: [a('Listening on stdio'), ...hello, ...done],
    told: ['io-noise-first error agent f1'],
    near: [{ from: 'stderr', line: 'Listening on stdio' }, ...hello, ...done],
  },
  {
    rule: 'io-noise',
    breaks: [...hello, a('done!'), ...done],
    told: ['io-noise error agent f3'],
    near: [...hello, a(tell('done!')), ...done],
  },
  // JSON, but no message.
  {
    rule: 'io-noise',
    breaks: [...hello, a('42'), ...done],
    told: ['io-noise error agent f3'],
    near: [...hello, a([tell('x')]), ...done],
  },
  {
    rule: 'io-bad-line',
    breaks: [...hello, c('{oops'), ...done],
    told: ['io-bad-line error client f3'],
    near: [...hello, c(tell('oops')), ...done],
  },
  {
    rule: 'io-utf8',
    breaks: [...hello, a(Buffer.from([0x7b, 0x7d, 0xff])), ...done],
    told: ['io-utf8 error agent f3'],
    near: [...hello, a(tell('é你')), ...done],
  },
  {
    rule: 'io-bom',
    breaks: [c(`\ufeff${JSON.stringify(ask(0, 'hello'))}`), ...done],
    told: ['io-bom error client f1'],
    near: [c(ask(0, '\ufeffhello')), a(answer(0, 1)), ...done],
  },
  {
    rule: 'io-cut',
    breaks: [...hello, a('{"jsonrpc":"2.', ''), ...done],
    told: ['io-cut error agent f3'],
    near: [...hello, a(tell('x')), ...done],
  },
  // Whole, it is only odd.
  {
    rule: 'io-cut',
    breaks: [...hello, a(tell('x'), ''), ...done],
    told: ['io-cut info agent f3'],
    near: [...hello, a('', ''), ...done],
  },
  // Who is stopped, is no longer read, or is not recorded any further breaks off in the middle of a line by no fault.
  {
    rule: 'io-cut',
    breaks: [...hello, a('{"jsonrpc":"2.', ''), signal, exit(null, 'SIGTERM')],
    told: ['io-cut warning unknown f3'],
    near: [...hello, a(tell('x')), signal, exit(null, 'SIGTERM')],
  },
  {
    rule: 'io-cut',
    breaks: [...hello, a('{"jsonrpc":"2.', ''), { ...eof, from: 'agent', detail: { by: 'client' } }, eof, exit()],
    told: ['io-cut warning unknown f3'],
    near: [...hello, a(tell('x')), ...done],
  },
  {
    rule: 'io-cut',
    breaks: [...hello, c('{"jsonrpc":"2.', ''), ...done],
    told: ['io-cut error client f3'],
    // A gap cuts the lines on both sides of it.
    near: [...hello, c('{"js', ''), proc('gap', { stream: 'client', missing: 9 }), c('hod":"x"}'), ...done],
    nearTold: ['io-gap info unknown f4'],
  },
  {
    rule: 'io-noise',
    breaks: [...hello, proc('gap', { stream: 'client', missing: 9 }), a('hod":"x"}'), ...done],
    told: ['io-gap info unknown f3', 'io-noise error agent f4'],
    near: [...hello, proc('gap', { stream: 'agent', missing: 9 }), a('hod":"x"}'), ...done],
    nearTold: ['io-gap info unknown f3'],
  },
  {
    rule: 'io-crlf',
    breaks: [c(ask(0, 'hello'), '\r\n'), a(answer(0, 1)), c(tell('bye'), '\r\n'), ...done],
    told: ['io-crlf info client f1'],
    near: [c(ask(0, 'hello\r\n')), a(answer(0, 1)), ...done],
  },
  {
    rule: 'io-separator',
    breaks: [...hello, a(tell('a\u2028b')), a(tell('a\u2029b')), ...done],
    told: ['io-separator info agent f3'],
    // U+2027 and U+202A stand on either side of them; escaped, they do no harm.
    near: [...hello, a(tell('a\u2027\u202ab')), a('{"jsonrpc":"2.0","method":"\\u2028"}'), ...done],
  },
  {
    rule: 'io-blank',
    breaks: [...hello, c(''), c('  '), ...done],
    told: ['io-blank info client f3'],
    near: [...hello, c(tell('')), ...done],
  },
  {
    rule: 'io-too-large',
    // What is behind it may follow from what it said.
    breaks: [...hello, a(tell('x', { list: Array(500_001).fill([]) })), a('noise'), ...done],
    told: ['io-too-large info agent f3', 'io-long-line info agent f3', 'io-noise warning agent f4'],
    near: [...hello, a(tell('x', { list: Array(10_000).fill([]) })), ...done],
  },
  {
    rule: 'io-long-line',
    breaks: [
      ...hello,
      a(long(70_000)),
      a(long(70_000)),
      c(long(300_000)),
      a(long(300_000)),
      a(long(1_100_000)),
      ...done,
    ],
    told: [
      'io-long-line info agent f3',
      'io-long-line info client f5',
      'io-long-line info agent f6',
      'io-long-line info agent f7',
    ],
    near: [...hello, a(long(65_000)), c(long(65_000)), ...done],
  },
  {
    rule: 'io-long-line',
    session: claude,
    breaks: [c({ type: 'keep_alive', text: 'x'.repeat(150_000) }), ...done],
    told: ['io-long-line warning client f1'],
    near: [c({ type: 'keep_alive', text: 'x'.repeat(60_000) }), ...done],
  },
];
checkCases('lines', { dialect: 'jsonrpc' }, LINE_RULES, lines);

const acp = { dialect: 'acp' };
const opened = [
  c(ask(0, 'initialize', { protocolVersion: 1, clientCapabilities: { fs: { readTextFile: true } } })),
  a(answer(0, { protocolVersion: 1 })),
  c(ask(1, 'session/new', { cwd: '/w', mcpServers: [] })),
  a(answer(1, { sessionId: 's' })),
];
const prompt = (id: number) => c(ask(id, 'session/prompt', { sessionId: 's', prompt: [{ type: 'text', text: 'go' }] }));
const read = a(ask(0, 'fs/read_text_file', { sessionId: 's', path: '/w/a' }));
const contents = c(answer(0, { content: '' }));
const ends = (id: number) => a(answer(id, { stopReason: 'end_turn' }));

const oneShot = { dialect: 'stream-json', command: ['qwen', '-p', 'go', '--output-format', 'stream-json'] };
const init = a({
  type: 'system',
  subtype: 'init',
  session_id: 's',
  cwd: '/w',
  model: 'm',
  tools: [],
  qwen_code_version: '1',
});
const result = (subtype: string) =>
  a({ type: 'result', subtype, session_id: 's', is_error: subtype !== 'success', num_turns: 1, duration_ms: 1 });

const late = a(tell('still here'));
const stalled = proc('stalled', { stream: 'agent', whose: 'client' });

const processes: Case[] = [
  {
    rule: 'io-early-eof',
    session: acp,
    breaks: [...opened, prompt(2), read, eof, ends(2), exit()],
    told: ['io-early-eof error client f7'],
    near: [...opened, prompt(2), read, contents, eof, ends(2), exit()],
  },
  // An agent that has gone on does not wait any more.
  {
    rule: 'io-early-eof',
    session: acp,
    breaks: [...opened, prompt(2), read, eof, ends(2), exit()],
    told: ['io-early-eof error client f7'],
    near: [...opened, prompt(2), read, ends(2), eof, exit()],
    nearTold: ['rpc-unanswered-by-client info agent f6'],
  },
  // Nor does one that has closed its stdout.
  {
    rule: 'io-early-eof',
    session: acp,
    breaks: [...opened, prompt(2), read, eof, { ...eof, from: 'agent' }, exit()],
    told: ['io-early-eof error client f7', 'rpc-unanswered-by-agent warning unknown f5'],
    near: [...opened, prompt(2), read, { ...eof, from: 'agent' }, eof, exit()],
    nearTold: ['rpc-unanswered-by-agent error agent f5', 'rpc-unanswered-by-client info agent f6'],
  },
  {
    rule: 'io-early-eof',
    breaks: [...hello, a(ask(0, 'ask me')), eof, exit()],
    told: ['io-early-eof error client f4'],
    // Withdrawn; and a request of the client with the same id, which is another.
    near: [...hello, a(ask('1', 'ask me')), a(tell('$/cancelRequest', { id: '1' })), eof, exit()],
    session: { dialect: 'jsonrpc' },
  },
  // An agent that ends closes its stdin too: that is not the client's doing.
  {
    rule: 'io-early-eof',
    breaks: [...hello, a(ask(5, 'ask me')), { ...eof, detail: {} }, exit()],
    told: ['io-early-eof error client f4'],
    near: [...hello, a(ask(5, 'ask me')), { ...eof, detail: { by: 'agent' } }, exit()],
    nearTold: ['rpc-unanswered-by-client info agent f3'],
  },
  {
    rule: 'io-exit-success',
    session: oneShot,
    breaks: [init, result('error_during_execution'), exit(0)],
    told: ['io-exit-success warning agent f3'],
    near: [init, result('error_during_execution'), exit(1)],
  },
  {
    rule: 'io-exit-failure',
    session: oneShot,
    breaks: [init, result('success'), exit(1)],
    told: ['io-exit-failure warning agent f3'],
    near: [init, result('success'), signal, exit(143)],
  },
  {
    rule: 'io-exit-failure',
    session: acp,
    breaks: [...opened, prompt(2), ends(2), eof, exit(3)],
    told: ['io-exit-failure warning agent f8'],
    // What the client said last may be the reason.
    near: [...opened, prompt(2), ends(2), c(tell('_kill')), eof, exit(3)],
  },
  {
    rule: 'io-exit-failure',
    breaks: [...hello, eof, exit(2)],
    told: ['io-exit-failure warning agent f4'],
    near: [...hello, eof, exit(0)],
  },
  {
    rule: 'io-not-started',
    breaks: [a('Please log in first'), exit(0)],
    told: ['io-noise-first error agent f1', 'io-not-started error agent f1'],
    nearTold: ['io-noise-first error agent f1'],
    near: [a('Please log in first'), ...hello, exit(0)],
  },
  {
    rule: 'io-not-started',
    breaks: [a('no longer maintained'), exit(0)],
    told: ['io-noise-first error agent f1', 'io-not-started error agent f1'],
    nearTold: ['io-noise-first error agent f1'],
    near: [a('no longer maintained'), signal, exit(0)],
  },
  {
    rule: 'io-crash',
    breaks: [...hello, exit(null, 'SIGSEGV')],
    told: ['io-crash error agent f3'],
    near: [...hello, signal, exit(null, 'SIGTERM')],
  },
  {
    rule: 'io-after-exit',
    breaks: [...hello, eof, exit(), { ...a(tell('still here')), after: 3 }, { ...a(tell('and here')), after: 3 }],
    told: ['io-after-exit warning agent f5'],
    near: [...hello, eof, exit(), { ...a(tell('in the pipe')), after: 0.1 }],
  },
  // As our own tapes tell it.
  {
    rule: 'io-after-exit',
    breaks: [...hello, a(tell('still here')), proc('exit', { code: 0, signal: null, ended: 1 })],
    told: ['io-after-exit warning agent f3'],
    near: [...hello, a(tell('in the pipe')), proc('exit', { code: 0, signal: null, ended: 2.9 })],
  },
  // A line that waited in a full pipe, or breaks off when the recording ends, was not written then.
  {
    rule: 'io-after-exit',
    breaks: [...hello, late, { ...late, after: 3 }, proc('exit', { code: 0, signal: null, ended: 2 })],
    told: ['io-after-exit warning agent f4'],
    near: [...hello, stalled, { ...late, after: 3 }, proc('exit', { code: 0, signal: null, ended: 4 })],
  },
  {
    rule: 'io-exit-failure',
    breaks: [...hello, { ...eof, from: 'agent' }, eof, exit(2)],
    told: ['io-exit-failure warning agent f5'],
    // It could not write any more.
    near: [...hello, { ...eof, from: 'agent', detail: { by: 'client' } }, eof, exit(2)],
  },
  {
    rule: 'io-gap',
    breaks: [...hello, proc('gap', { stream: 'agent', missing: 100 }), ...done],
    told: ['io-gap info unknown f3'],
    near: [...hello, proc('stalled', { stream: 'agent' }), ...done],
  },
  { rule: 'io-lost', breaks: [...hello, proc('lost')], told: ['io-lost info unknown f3'], near: [...hello, ...done] },
  {
    rule: 'io-lost',
    breaks: [...hello, proc('abandoned', { streams: ['agent'] }), ...done],
    told: ['io-lost info unknown f3'],
    near: [...hello, ...done],
  },
  {
    rule: 'io-undelivered',
    breaks: [...hello, eof, proc('exit', { code: 0, signal: null, undelivered: { client: 0, agent: 5, stderr: 0 } })],
    told: ['io-undelivered info unknown f4'],
    near: [...hello, eof, proc('exit', { code: 0, signal: null, undelivered: { client: 0, agent: 0, stderr: 0 } })],
  },
];
checkCases('the process', { dialect: 'jsonrpc' }, [...PROCESS_RULES, ...RECORDING_RULES], processes);

describe('a pipe that did not end', () => {
  const exitWith = (agent: number) =>
    proc('exit', { code: null, signal: 'SIGTERM', undelivered: { client: 0, agent, stderr: 0 } });
  const left = (steps: Step[]) => findings({ dialect: 'jsonrpc' }, framesOf([...hello, signal, ...steps]));
  const OTHER = 'io-lost info unknown f4';

  it('was kept open by another process, if the client read all of it', () => {
    expect(left([proc('abandoned', { streams: ['agent'] }), exitWith(0)])).toEqual([OTHER]);
    expect(left([proc('abandoned', { streams: ['agent'] })])).toContain(OTHER);
  });

  it.each([
    ['bytes were not handed on', [proc('abandoned', { streams: ['agent'] }), exitWith(5)], 4],
    ['the recorder says so', [proc('abandoned', { streams: ['agent'], stalled: ['agent'] }), exitWith(0)], 4],
    ['it was full', [stalled, proc('abandoned', { streams: ['agent'] }), exitWith(0)], 5],
  ])('was not read by the client: %s', (_, steps, f) => {
    expect(left(steps).filter((line) => line.startsWith('io-lost'))).toEqual([`io-lost info client f${f}`]);
  });

  it('is one of two', () => {
    const streams = proc('abandoned', { streams: ['agent', 'stderr'], stalled: ['agent'] });
    expect(left([streams, exitWith(0)])).toEqual(['io-lost info client f4', OTHER]);
  });
});

const rpc: Case[] = [
  {
    rule: 'rpc-unknown-answer',
    breaks: [...hello, a(answer(7, 1)), ...done],
    told: ['rpc-unknown-answer error agent f3'],
    near: [...hello, a(refuse(null as never, -32700)), ...done],
    nearTold: ['rpc-unread warning client f3'],
  },
  // An answer to nothing cannot be told where nobody heard the client, or where frames are missing.
  {
    rule: 'rpc-unknown-answer',
    breaks: [...hello, a(refuse(7, -1)), ...done],
    told: ['rpc-unknown-answer error agent f3'],
    near: [...hello, proc('gap', { missing: 9 }), a(answer(7, 1)), ...done],
    nearTold: ['io-gap info unknown f3'],
  },
  {
    rule: 'rpc-answer-id-type',
    breaks: [c(ask(1, 'x')), a(answer('1', 1)), ...done],
    told: ['rpc-answer-id-type error agent f2'],
    near: [c(ask('1', 'x')), a(answer('1', 1)), ...done],
  },
  {
    rule: 'rpc-answered-twice',
    breaks: [...hello, a(answer(0, 2)), ...done],
    told: ['rpc-answered-twice error agent f3'],
    near: [...hello, c(ask(0, 'again')), a(answer(0, 2)), ...done],
  },
  {
    rule: 'rpc-answered-twice',
    breaks: [c(ask(1, 'x')), a(refuse(1, 1)), a(answer(1, 1)), ...done],
    told: ['rpc-answered-twice error agent f3'],
    near: [c(ask(1, 'x')), c(tell('$/cancelRequest', { id: 1 })), a(refuse(1, 1)), a(answer(1, 1)), ...done],
  },
  {
    rule: 'rpc-id-in-use',
    breaks: [c(ask(1, 'x')), c(ask(1, 'y')), a(answer(1, 1)), a(answer(1, 1)), ...done],
    told: ['rpc-id-in-use error client f2'],
    near: [
      c(ask(1, 'x')),
      c(ask('1', 'x')),
      a(ask(1, 'x')),
      c(answer(1, 1)),
      a(answer(1, 1)),
      a(answer('1', 1)),
      ...done,
    ],
  },
  {
    rule: 'rpc-unanswered-by-agent',
    breaks: [...hello, c(ask(1, 'x')), exit(0)],
    told: ['rpc-unanswered-by-agent error agent f3'],
    near: [...hello, c(ask(1, 'x')), c(tell('$/cancelRequest', { id: 1 })), exit(0)],
  },
  // Who left with it open is not known to have waited long enough.
  {
    rule: 'rpc-unanswered-by-agent',
    breaks: [...hello, c(ask(1, 'x')), eof, exit(0)],
    told: ['rpc-unanswered-by-agent warning unknown f3'],
    near: [...hello, c(tell('x')), eof, exit(0)],
  },
  {
    rule: 'rpc-unanswered-by-agent',
    breaks: [...hello, c(ask(1, 'x'))],
    told: ['rpc-unanswered-by-agent info unknown f3'],
    near: hello,
  },
  {
    rule: 'rpc-unanswered-by-agent',
    breaks: [...hello, c(ask(1, 'x')), proc('abandoned'), exit(0)],
    told: ['io-lost info unknown f4', 'rpc-unanswered-by-agent info unknown f3'],
    near: hello,
  },
  {
    rule: 'rpc-unanswered-by-client',
    breaks: [...hello, a(ask(1, 'x')), signal, exit(null, 'SIGTERM')],
    told: ['rpc-unanswered-by-client warning client f3'],
    near: [...hello, a(ask(1, 'x')), c(refuse(1, 1)), signal, exit(null, 'SIGTERM')],
  },
  {
    rule: 'rpc-unanswered-by-client',
    breaks: [...hello, a(ask(1, 'x')), exit(0)],
    told: ['rpc-unanswered-by-client info agent f3'],
    near: [...hello, a(ask(1, 'x')), eof, exit(0)],
    nearTold: ['io-early-eof error client f4'],
  },
  {
    rule: 'rpc-version',
    breaks: [c({ id: 0, method: 'hello' }), a(answer(0, 1)), c({ id: 1, method: 'x' }), a(answer(1, 1)), ...done],
    told: ['rpc-version info client f1'],
    near: [...hello, ...done],
  },
  {
    rule: 'rpc-version',
    session: { dialect: 'mcp' },
    breaks: [c({ id: 0, method: 'ping' }), a({ jsonrpc: '1.0', id: 0, result: {} }), ...done],
    told: ['rpc-version error client f1', 'rpc-version error agent f2'],
    near: [c(ask(0, 'ping')), a(answer(0, {})), ...done],
  },
  {
    rule: 'rpc-id',
    breaks: [c(ask({ n: 1 }, 'x')), c(ask(1.5, 'y')), a(answer(1.5, 1)), c(ask(null, 'z')), ...done],
    told: ['rpc-id error client f1', 'rpc-id warning client f2', 'rpc-id warning client f4'],
    near: [
      c(ask(2 ** 53, 'x')),
      a(answer(2 ** 53, 1)),
      c(ask('', 'x')),
      a(answer('', 1)),
      c(ask(-1, 'y')),
      a(answer(-1, 1)),
      ...done,
    ],
  },
  {
    rule: 'rpc-both',
    breaks: [c(ask(1, 'x')), a({ jsonrpc: '2.0', id: 1, result: 1, error: { code: 1, message: 'no' } }), ...done],
    told: ['rpc-both error agent f2'],
    near: [c(ask(1, 'x')), a({ jsonrpc: '2.0', id: 1, result: { error: 'no' } }), ...done],
  },
  {
    rule: 'rpc-both',
    breaks: [c(ask(1, 'x')), a({ jsonrpc: '2.0', id: 1, result: 1, error: null }), ...done],
    told: ['rpc-both info agent f2'],
    near: [c(ask(1, 'x')), a(answer(1, null)), ...done],
  },
  {
    rule: 'rpc-neither',
    breaks: [...hello, a({ jsonrpc: '2.0', id: 1 }), a({ hello: 1 }), ...done],
    told: ['rpc-neither error agent f3', 'rpc-version info agent f4', 'rpc-neither error agent f4'],
    near: [...hello, a(tell('x')), ...done],
  },
  {
    rule: 'rpc-error-object',
    breaks: [
      c(ask(1, 'x')),
      a({ jsonrpc: '2.0', id: 1, error: 'no' }),
      c(ask(2, 'x')),
      a({ jsonrpc: '2.0', id: 2, error: { code: '1', message: 'no' } }),
      ...done,
    ],
    told: ['rpc-error-object error agent f2', 'rpc-error-object error agent f4'],
    near: [c(ask(1, 'x')), a(refuse(1, -32000, '')), ...done],
  },
  {
    rule: 'rpc-params',
    breaks: [...hello, c({ jsonrpc: '2.0', method: 'x', params: 'y' }), ...done],
    told: ['rpc-params error client f3'],
    near: [...hello, c(tell('x', ['y'])), c({ jsonrpc: '2.0', method: 'x', params: null }), ...done],
  },
  {
    rule: 'rpc-unread',
    breaks: [...hello, c(tell('x')), a(refuse(null as never, -32600)), ...done],
    told: ['rpc-unread warning client f4'],
    near: [...hello, c(ask(1, 'x')), a(refuse(1, -32600)), ...done],
  },
];
checkCases('JSON-RPC', { dialect: 'jsonrpc' }, RPC_RULES, rpc);
