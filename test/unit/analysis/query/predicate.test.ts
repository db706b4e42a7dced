/** Which frames a query selects. */
import { describe, expect, it } from 'vitest';
import { MARK, MARKS } from '../../../../lib/analysis/facts/marks.ts';
import { parseQuery } from '../../../../lib/analysis/query/parser.ts';
import { compileFrame, compileSession, hasRegex } from '../../../../lib/analysis/query/predicate.ts';
import { frameFacts, SESSION } from '../../../support/facts.ts';

const selects = (query: string, frame = frameFacts()) => compileFrame(parseQuery(query))(frame);

const MESSAGE = {
  jsonrpc: '2.0',
  params: {
    payload: {
      sender: 'Shell',
      description: 'Run `rm -rf /`',
      display: [{ type: 'diff', path: '/x/.ENV' }, { path: null }],
    },
    count: 3,
    done: false,
    nothing: null,
    'odd key': ['a', 'b'],
    text: '3',
    empty: {},
  },
  list: [[1, 2], [3]],
};

describe('a term of a frame', () => {
  it.each([
    ['', true],
    ['from:agent', true],
    ['from:client,agent', true],
    ['from:client', false],
    ['from:*', true],
    ['kind:approval', true],
    ['kind:app*', true],
    ['kind:prompt', false],
    ['method:REQUEST', true],
    ['method:req', false],
    ['method:/eque/', true],
    ['method:re?uest', true],
    ['type:approval*', true],
    ['id:7', true],
    ['id:"7"', true],
    ['id:7.0', false],
    ['tool:shell,bash', true],
    ['turn:2', true],
    ['turn:2.0', true],
    ['turn:1..2', true],
    ['turn:>2', false],
    ['turn:3..*', false],
    ['code:*', false],
    ['NOT code:1', true],
    ['subagent:*', false],
    ['f:f17', true],
    ['t:1.5', true],
    ['t:1500ms', true],
    ['t:1.4', false],
    ['latency:>=1m', true],
    ['latency:61.25', true],
    ['size:*..300', true],
    ['at:2026-11-16', true],
    ['at:2026-11-16T02:29', true],
    ['at:2026-11-17', false],
    ['at:2026-11-16T02:29:12.500000', true],
    ['at:<2026-11-16T02:29:12.5', false],
    ['at:<=2026-11-16T02:29:12.5', true],
    ['approval:allow', true],
    ['approval:allow*', true],
    ['by:grant', false],
    ['is:*', false],
    ['reset', false],
  ] as [string, boolean][])('%s is %s', (query, expected) => {
    expect(selects(query)).toBe(expected);
  });

  it("asks any of a frame's kinds", () => {
    const frame = frameFacts({ kinds: ['tool-call', 'usage'] });
    expect(selects('kind:usage', frame)).toBe(true);
    expect(selects('-kind:usage', frame)).toBe(false);
    expect(selects('kind:*', frameFacts({ kinds: [] }))).toBe(false);
  });

  it('tells marks of is and has apart', () => {
    const frame = frameFacts({ marks: MARK.slow | MARK.diff });
    expect(['is:slow', 'is:error,slow', 'is:*', 'has:*', 'has:diff', 'is:/^s/'].map((q) => selects(q, frame))).toEqual(
      Array(6).fill(true),
    );
    expect(['is:error', 'has:image', 'is:pend*'].map((q) => selects(q, frame))).toEqual([false, false, false]);
    expect(new Set(MARKS.map(({ bit }) => bit)).size).toBe(MARKS.length);
  });

  it('compares ids of any JSON type as text', () => {
    expect(selects('id:abc', frameFacts({ id: 'ABC' }))).toBe(true);
    expect(selects('id:*', frameFacts({ id: null }))).toBe(false);
    expect(selects('id:7', frameFacts({ id: '7' }))).toBe(true);
    expect(selects('id:9007199254740993', frameFacts({ id: 9007199254740993n }))).toBe(true);
    expect(selects('id:9007199254740992', frameFacts({ id: 9007199254740993n }))).toBe(false);
  });

  it('searches its text', () => {
    const frame = frameFacts({ text: 'Connection RESET by 对方' });
    expect(selects('"connection reset"', frame)).toBe(true);
    expect(selects('对方', frame)).toBe(true);
    expect(selects('reset -refused', frame)).toBe(true);
    expect(selects('"reset connection"', frame)).toBe(false);
  });
});

describe('a term of a session', () => {
  it.each([
    ['session:20261116T022911-k3f9', true],
    ['session:20261116t', true],
    ['session:K3F9', true],
    ['session:k3', false],
    ['session:*k3f9', true],
    ['session:""', false],
    ['dialect:wire', true],
    ['dialect:wire*', true],
    ['dialect:acp', false],
    ['client:zed*', true],
    ['client:zed', false],
    ['agent:"kimi code cli"', true],
    ['version:1.1*', true],
    ['version:2.0.1', true],
    ['version:3*', false],
    ['name:nightly', true],
    ['tag:ticket', true],
    ['tag:ticket=42', true],
    ['tag:ticket=4*', true],
    ['tag:ticket=43', false],
    ['tag:slow', true],
    ['tag:42', false],
    ['tag:*', true],
    ['state:ended', true],
    ['exit:1', true],
    ['exit:1..*', true],
    ['exit:0', false],
    ['exit:*', true],
    ['exit:SIGTERM', false],
    ['source:record', true],
    ['cwd:/home/me/shop', true],
    ['cwd:/home/*', true],
    ['cwd:*/shop', true],
    ['cwd:/shop$/', true],
  ])('%s is %s', (query, expected) => {
    expect(selects(query)).toBe(expected);
    expect(compileSession(parseQuery(query))!(SESSION)).toBe(expected);
  });

  it('knows sessions that have neither exit nor tags', () => {
    const running = { ...SESSION, exit: null, tags: {}, name: null };
    expect(compileSession(parseQuery('exit:*'))!(running)).toBe(false);
    expect(compileSession(parseQuery('-exit:0 -tag:*'))!(running)).toBe(true);
    const killed = { ...SESSION, exit: { code: null, signal: 'SIGTERM' } };
    expect(compileSession(parseQuery('exit:TERM'))!(killed)).toBe(true);
    expect(compileSession(parseQuery('exit:0..*'))!(killed)).toBe(false);
  });

  it('is not all there is to a query with terms of frames', () => {
    expect(compileSession(parseQuery('client:zed* tool:x'))).toBe(null);
    expect(compileSession(parseQuery('"zed"'))).toBe(null);
    expect(compileSession(null)!(SESSION)).toBe(true);
  });
});

describe('a path', () => {
  it.each([
    ['@params.payload.sender:shell', true],
    ['@params.payload.sender:Sh*', true],
    ['@params.payload.Sender:shell', false],
    ['@params.payload.description:/rm -rf|curl .*\\| *sh/', true],
    ['@params.payload.display[*].path:/\\.env$/', true],
    ['@params.payload.display[0].path:/\\.env$/', true],
    ['@params.payload.display[1].path:/\\.env$/', false],
    ['@params.payload.display[1].path:*', true],
    ['@params.payload.display[2].path:*', false],
    ['@params.payload.display[*].type:*', true],
    ['@params.count:3', true],
    ['@params.count:3.0', true],
    ['@params.count:"3"', true],
    ['@params.count:1..3', true],
    ['@params.count:>3', false],
    ['@params.text:3', true],
    ['@params.text:1..3', false],
    ['@params.done:false', true],
    ['@params.nothing:*', true],
    ['@params.nothing:null', true],
    ['@params.missing:*', false],
    ['NOT @params.missing:x', true],
    ['@params."odd key"[1]:b', true],
    ['@params."odd key".1:b', false],
    ['@params."odd key".length:*', false],
    ['@params.empty:*', true],
    ['@params.empty:/./', false],
    ['@params.empty[*]:*', false],
    ['@params[*].sender:shell', true],
    ['@list[*][*]:2', true],
    ['@list[*][1]:2', true],
    ['@list[*][1]:3', false],
    ['@list.__proto__:*', false],
    ['@__proto__:*', false],
    ['@constructor.name:*', false],
    ['@params.text.length:*', false],
    ['@toString:*', false],
  ])('%s is %s', (query, expected) => {
    expect(selects(query, frameFacts({ message: MESSAGE }))).toBe(expected);
  });

  it('finds keys of its own that have the names of others', () => {
    const message = JSON.parse('{"__proto__":{"x":1},"constructor":{"name":"y"}}');
    expect(selects('@__proto__.x:1', frameFacts({ message }))).toBe(true);
    expect(selects('@constructor.name:y', frameFacts({ message }))).toBe(true);
  });

  it('leads nowhere in what is no message', () => {
    for (const message of [undefined, null, 7, 'text']) expect(selects('@a:*', frameFacts({ message }))).toBe(false);
    expect(selects('@[0]:7', frameFacts({ message: [7] }))).toBe(true);
  });
});

describe('a group', () => {
  it.each([
    ['from:agent tool:shell', true],
    ['from:agent tool:bash', false],
    ['from:client OR tool:shell', true],
    ['from:client OR tool:bash OR turn:2', true],
    ['NOT (from:client OR tool:bash)', true],
    ['-from:client -tool:bash', true],
    ['from:client tool:shell OR turn:2', true],
    ['from:client (tool:shell OR turn:2)', false],
    ['NOT NOT turn:2', true],
    ['turn:2 f:17 size:300 code:1', false],
  ])('%s is %s', (query, expected) => {
    expect(selects(query)).toBe(expected);
  });

  it('asks what is dear last: no text is searched and no message parsed where a column says no', () => {
    const frame = {
      ...frameFacts(),
      message: () => expect.fail('parsed'),
      says: () => expect.fail('searched'),
    };
    expect(compileFrame(parseQuery('@a:/x/ word @b:1 tool:/bash/ client:emacs'))(frame)).toBe(false);
    expect(compileFrame(parseQuery('word OR tool:shell'))(frame)).toBe(true);
  });
});

describe('hasRegex', () => {
  it.each([
    ['tool:x @a:1 "/x/"', false],
    ['tool:x* NOT @a:y?', false],
    ['kind:/^app/ is:/e/ exit:/sig/', false],
    ['tool:x OR NOT (turn:1 method:a,/b/)', true],
    ['@a:/x/', true],
    ['cwd:/x/', true],
    ['', false],
  ])('%s: %s', (query, expected) => {
    expect(hasRegex(parseQuery(query))).toBe(expected);
  });
});
