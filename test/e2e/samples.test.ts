// The samples as real processes: the client against the agent in every scenario that ends,
// and the agent alone where the order or the wording of its messages is promised.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const sample = (path: string) => fileURLToPath(new URL(`../../samples/${path}`, import.meta.url));
const AGENT = sample('agent.mjs');
const CLIENT = sample('client.mjs');
// Settings for Node, such as certificates to load, would slow down every start.
const env = { PATH: process.env.PATH, WIRETAPE_SAMPLE_PACE: '0' };
const scratch = mkdtempSync(join(tmpdir(), 'wiretape-samples-'));

const started: ChildProcessWithoutNullStreams[] = [];
afterAll(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

function start(args: string[]): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, args, { env });
  child.stdin.on('error', () => {});
  started.push(child);
  return child;
}

function ending(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  return new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr })));
}

const runClient = (options: string[], agent: string[]) => ending(start([CLIENT, ...options, '--', ...agent]));
const sampleAgent = (...args: string[]) => [process.execPath, AGENT, '--wire', ...args];

// biome-ignore lint/suspicious/noExplicitAny: messages are looked into, not typed
type Message = any;

const typeOf = (message: Message): string => message.params?.type ?? (message.error ? 'error' : 'result');

/** A conversation with the agent, written by hand. */
class Talk {
  readonly messages: Message[] = [];
  readonly lines: string[] = [];
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  #looks = new Set<() => void>();
  #count = 0;

  constructor(...args: string[]) {
    this.child = start([AGENT, '--wire', ...args]);
    this.ended = ending(this.child);
    let rest = '';
    this.child.stdout.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.lines.push(...lines);
      for (const line of lines) if (line.startsWith('{')) this.messages.push(JSON.parse(line));
      for (const look of this.#looks) look();
    });
  }

  /** The first message that fits, past or future. */
  saw(fits: (message: Message) => boolean): Promise<Message> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.messages.find(fits);
        if (!found) return;
        this.#looks.delete(look);
        resolve(found);
      };
      this.#looks.add(look);
      look();
    });
  }

  sawType = (type: string) => this.saw((message) => typeOf(message) === type);

  write(message: object | string) {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  send(method: string, params?: object): string {
    const id = `${method}-${++this.#count}`;
    this.write({ jsonrpc: '2.0', id, method, params });
    return id;
  }

  call(method: string, params?: object): Promise<Message> {
    const id = this.send(method, params);
    return this.saw((message) => message.id === id && !message.method);
  }

  initialize = (more: object = {}) => this.call('initialize', { protocol_version: '1.10', ...more });
  prompt = (user_input: unknown = 'go') => this.call('prompt', { user_input });

  answer({ id }: Message, result: object) {
    this.write({ jsonrpc: '2.0', id, result: { request_id: id, ...result } });
  }

  close(): Promise<Ended> {
    this.child.stdin.end();
    return this.ended;
  }

  /** Types of the messages after the first `from` of them. */
  types = (from = 0) => this.messages.slice(from).map(typeOf);
}

let scenarios = 0;
/** A scenario of one or more turns, as a file. */
function scenario(...turns: object[][]): string {
  const path = join(scratch, `scenario-${++scenarios}.json`);
  writeFileSync(path, JSON.stringify({ turns }));
  return path;
}

const shell = (command: string, more: object = {}) => ({
  tool: { name: 'Shell', arguments: { command }, approval: true, result: `${command}\n`, ...more },
});
const talkAbout = (...turns: object[][]) => new Talk('--scenario', scenario(...turns));

describe.concurrent('the sample client with the sample agent', () => {
  it.each([
    ['hello', ['--prompt', 'hi', '--prompt', 'more than is scripted']],
    ['errors', ['--script', sample('scripts/errors.json')]],
    ['flood', ['--prompt', 'go']],
  ])('plays %s to a good end', async (name, options) => {
    const agent = sampleAgent('--scenario', name, '--repeat', '300');
    const { code, stdout, stderr } = await runClient(['--quiet', ...options], agent);
    expect(stderr).not.toContain('sample client');
    expect(stdout).toBe('');
    expect(code).toBe(0);
  });

  it('shows every wire type, content part and display block in everything', async () => {
    const tape = join(scratch, 'everything.jsonl');
    const agent = ['sh', '-c', '"$1" "$2" --scenario everything | tee "$3"', 'sh', process.execPath, AGENT, tape];
    const options = ['--quiet', '--hook', 'PreToolUse', '--script', sample('scripts/everything.json')];
    expect((await runClient(options, agent)).code).toBe(0);
    const text = readFileSync(tape, 'utf8');
    const lines = text.split('\n').filter((line) => line.startsWith('{'));
    const types = new Set(lines.map((line) => typeOf(JSON.parse(line))));
    const events =
      'TurnBegin SteerInput TurnEnd StepBegin StepInterrupted StepRetry CompactionBegin CompactionEnd StatusUpdate MCPLoadingBegin MCPLoadingEnd Notification ContentPart ToolCall ToolCallPart ToolResult ApprovalResponse SubagentEvent PlanDisplay HookTriggered HookResolved BtwBegin BtwEnd';
    const requests = 'ApprovalRequest ToolCallRequest QuestionRequest HookRequest';
    expect(`${events} ${requests}`.split(' ').filter((type) => !types.has(type))).toEqual([]);
    const shown =
      'text think image_url audio_url video_url brief diff todo shell background_task x-chart function'.split(' ');
    expect(shown.filter((type) => !text.includes(`{"type":"${type}"`))).toEqual([]);
    expect(text).toContain('"source_kind":"background_agent"');
  });

  it('plays the tour and tells who said what, in any script', async () => {
    const { code, stdout } = await runClient(['--script', sample('scripts/tour.json')], sampleAgent());
    expect(code).toBe(0);
    expect(stdout).toContain('client  answers ApprovalRequest: reject (only the cache, please)');
    expect(stdout).toContain('agent   takes the steer: "Keep them short."');
    expect(stdout).toContain('agent   prompt: {"status":"cancelled"}');
    expect(stdout).toContain('总结：测试已修复 ✅');
    expect(stdout).toMatch(/replay: \{"status":"finished","events":\d\d+,"requests":2\}/);
  });

  it.each([
    ['a prompt that failed', ['--prompt', 'x'], sampleAgent('--scenario', 'errors'), 'got -32001'],
    ['giving up', ['--approve', 'never', '--timeout', '0.3'], sampleAgent('--scenario', 'hang'), 'gave up'],
    [
      'an approval left open',
      ['--approve', 'never'],
      sampleAgent('--scenario', scenario([[shell('ls', { at_once: true }), { sleep: 0 }, { exit: 0 }]])),
      'ApprovalRequest left unanswered',
    ],
    ['an exit code', [], [process.execPath, '-e', 'process.exit(3)'], 'code 3'],
    ['an agent that is not there', [], ['no-such-agent-anywhere'], 'did not start'],
  ])('exits with 1 after %s', async (_what, options, agent, complaint) => {
    const { code, stderr } = await runClient(options, agent);
    expect(stderr).toContain(complaint);
    expect(code).toBe(1);
  });

  it('answers by policy', async () => {
    const steps = [[{ ask: { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] } }], [shell('ls')]];
    const agent = sampleAgent('--scenario', scenario(steps));
    const accounts = await Promise.all([
      runClient(['--answer', 'last', '--approve', 'reject'], agent),
      runClient(['--answer', 'dismiss', '--approve', 'error', '--delay', '0.01'], agent),
    ]);
    expect(accounts[0].stdout).toContain('{"answers": {"Which?": "B"}}');
    expect(accounts[0].stdout).toContain('approval settled: reject');
    expect(accounts[1].stdout).toContain('User dismissed the question');
    expect(accounts[1].stdout).toContain('approval settled: reject');
    expect(accounts.map(({ code }) => code)).toEqual([0, 0]);
  });
});

describe.concurrent('the sample agent', () => {
  it('describes itself as kimi does', async () => {
    const ask = (...args: string[]) => ending(start([AGENT, ...args])).then(({ stdout }) => stdout);
    const [json, version] = await Promise.all([ask('info', '--json'), ask('--version')]);
    expect(JSON.parse(json)).toMatchObject({ kimi_cli_version: '1.49.0', wire_protocol_version: '1.10' });
    expect(version).toBe('kimi, version 1.49.0\n');
  });

  it('names the place of a mistake in a scenario', async () => {
    const talk = talkAbout([[{ text: 'fine' }]], [[{ txet: 'not fine' }]]);
    const { code, stderr } = await talk.ended;
    expect(stderr).toContain('turn 2, step 1: unknown directive {"txet":"not fine"}');
    expect(code).toBe(2);
  });

  it('takes and refuses external tools, and counts hooks', async () => {
    const talk = new Talk();
    const tool = (name: string, type: unknown) => ({ name, description: '', parameters: { type } });
    const { result } = await talk.initialize({
      external_tools: [tool('mine', 'object'), tool('Shell', 'object'), tool('bad', 7)],
      hooks: [
        { id: 'a', event: 'Stop' },
        { id: 'b', event: 'NoSuchEvent' },
      ],
    });
    expect(result.external_tools.accepted).toEqual(['mine']);
    expect(result.external_tools.rejected[0]).toEqual({ name: 'Shell', reason: 'conflicts with builtin tool' });
    expect(result.hooks.configured).toEqual({ Stop: 1 });
    expect(Object.keys(result)).toEqual(
      'protocol_version server slash_commands external_tools hooks capabilities'.split(' '),
    );
    expect((await talk.initialize()).result).not.toHaveProperty('external_tools');
    // No turn, nothing to resume.
    expect(await talk.close()).toMatchObject({ code: 0, stderr: '' });
  });

  it('answers bad messages as the real one does, and ignores what that ignores', async () => {
    const talk = new Talk('--scenario', 'hello');
    const refused = (id: string | null, code: number, message: string) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: null } });
    const invalid = refused(null, -32600, 'Invalid request');
    const idle = (id: string) => refused(id, -32000, 'No agent turn is in progress');
    const badParams = (id: string, method: string) =>
      refused(id, -32602, `Invalid parameters for method \`${method}\``);
    const cases: [string, string | null][] = [
      ['hello?', refused(null, -32700, 'Invalid JSON format')],
      ['', refused(null, -32700, 'Invalid JSON format')],
      ['[]', invalid],
      ['42', invalid],
      ['null', invalid],
      ['{"jsonrpc":"1.0","id":"1","method":"cancel"}', invalid],
      ['{"id":7,"method":"cancel"}', invalid],
      ['{"id":"x","error":"a bare string"}', invalid],
      ['{}', null],
      ['{"id":"1"}', null],
      ['{"method":"cancel"}', null],
      ['{"id":null,"method":"cancel"}', null],
      ['{"method":"no_such_notification"}', null],
      ['{"id":"nobody","result":{}}', null],
      ['{"id":"2","method":"no_such_method"}', refused('2', -32601, 'Unexpected method received: no_such_method')],
      ['{"id":"3","method":"prompt"}', badParams('3', 'prompt')],
      ['{"id":"4","method":"prompt","params":{"user_input":[{"type":"text"}]}}', badParams('4', 'prompt')],
      ['{"id":"5","method":"steer","params":{}}', badParams('5', 'steer')],
      ['{"id":"6","method":"initialize","params":{"protocol_version":7}}', badParams('6', 'initialize')],
      ['{"id":"7","method":"set_plan_mode","params":{"enabled":"maybe"}}', badParams('7', 'set_plan_mode')],
      ['{"id":"8","method":"cancel","params":{"x":1},"extra":true}', idle('8')],
      ['{"id":"9","method":"steer","params":{"user_input":"hi"}}\r', idle('9')],
    ];
    for (const [line] of cases) talk.write(line);
    await talk.saw(({ id }) => id === '9');
    expect(talk.lines).toEqual(cases.flatMap(([, answer]) => answer ?? []));
    await talk.close();
  });

  it('fails with -32003 as a bracketed turn', async () => {
    const talk = talkAbout([[{ fail: -32003, message: 'down' }]], [{ fail: -32001 }]);
    expect((await talk.prompt()).error).toEqual({ code: -32003, message: 'down', data: null });
    expect(talk.types()).toEqual(['TurnBegin', 'StepBegin', 'StepInterrupted', 'TurnEnd', 'error']);
    expect((await talk.prompt()).error.message).toBe('LLM is not set');
    expect(talk.types(5)).toEqual(['TurnBegin', 'TurnEnd', 'error']);
    await talk.close();
  });

  it('is busy with one turn at a time, and cancels it in order', async () => {
    const talk = new Talk('--scenario', 'hang');
    await talk.initialize();
    const prompted = talk.prompt();
    await talk.sawType('ApprovalRequest');
    const busy = { code: -32000, message: 'An agent turn is already in progress', data: null };
    expect((await talk.prompt()).error).toEqual(busy);
    expect((await talk.call('replay')).error).toEqual(busy);
    expect((await talk.initialize()).error).toEqual(busy);
    expect((await talk.call('set_plan_mode', { enabled: true })).result).toEqual({ status: 'ok', plan_mode: true });
    const before = talk.messages.length;
    expect((await talk.call('cancel')).result).toEqual({});
    expect((await prompted).result).toEqual({ status: 'cancelled' });
    expect(talk.types(before)).toEqual(['result', 'TurnEnd', 'ApprovalResponse', 'result']);
    expect((await talk.prompt('after')).result.status).toBe('finished');
    await talk.close();
  });

  it('takes steers after the step and goes on for them', async () => {
    const talk = talkAbout([[shell('ls')]]);
    await talk.initialize();
    const prompted = talk.prompt();
    const asked = await talk.sawType('ApprovalRequest');
    expect((await talk.call('steer', { user_input: 'be brief' })).result).toEqual({ status: 'steered' });
    talk.answer(asked, { response: 'approve' });
    await prompted;
    const types = talk.types();
    expect(types.slice(types.indexOf('ToolResult'), types.indexOf('ToolResult') + 3)).toEqual(
      'ToolResult SteerInput StepBegin'.split(' '),
    );
    await talk.close();
  });

  it('replays its turns merged, without approvals, and counts them', async () => {
    const ask = { ask: { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] } };
    const chart = shell('ls', { parts: 3, result: { display: [{ type: 'x-chart', y: 1 }] } });
    const talk = talkAbout([[{ text: 'one two three four five six seven' }, chart, ask]]);
    await talk.initialize({ capabilities: { supports_question: true } });
    const prompted = talk.prompt();
    talk.answer(await talk.sawType('ApprovalRequest'), { response: 'approve' });
    talk.answer(await talk.sawType('QuestionRequest'), { answers: { 'Which?': 'A' } });
    await prompted;
    const before = talk.messages.length;
    const { result } = await talk.call('replay');
    const replayed = talk.messages.slice(before, -1);
    expect(result).toEqual({ status: 'finished', events: 9, requests: 1 });
    expect(replayed.filter(({ method }) => method === 'event')).toHaveLength(9);
    expect(replayed.map(typeOf)).not.toContain('ApprovalResponse');
    expect(replayed[2].params.payload.text).toBe('one two three four five six seven');
    expect(replayed[3].params.payload.function.arguments).toBe('{"command": "ls"}');
    // What the agent does not know is wrapped once more for every reading.
    const drawn = replayed.find(
      (message: Message) => message.params.payload.tool_call_id === 'Shell:0' && typeOf(message) === 'ToolResult',
    );
    expect(drawn.params.payload.return_value.display).toEqual([{ type: 'x-chart', data: { data: { y: 1 } } }]);
    // Both lines in one write, so that the cancel is there before the replay is over.
    talk.write('{"id":"r","method":"replay"}\n{"id":"c","method":"cancel"}');
    const { result: cut } = await talk.saw(({ id }) => id === 'r');
    expect(cut).toEqual({ status: 'cancelled', events: 1, requests: 0 });
    await talk.close();
  });

  it('reads approvals strictly', async () => {
    const answers: [object, string][] = [
      [{ response: 'approve', request_id: 'another' }, 'approve'],
      [{ response: 'allow' }, 'reject'],
      [{ response: 'approve', request_id: undefined }, 'reject'],
      [{ response: 'reject', feedback: 'no' }, 'reject'],
    ];
    const talk = talkAbout(...answers.map(() => [[shell('ls')], [{ text: 'went on' }]]));
    await talk.initialize();
    for (const [at, [answer, settled]] of answers.entries()) {
      const before = talk.messages.length;
      const prompted = talk.prompt();
      const later = (type: string) => (message: Message) =>
        typeOf(message) === type && talk.messages.indexOf(message) >= before;
      talk.answer(await talk.saw(later('ApprovalRequest')), answer);
      expect((await talk.saw(later('ApprovalResponse'))).params.payload.response).toBe(settled);
      await prompted;
      // A plain rejection ends the turn; an approval, or a reason, lets it go on.
      const steps = talk.types(before).filter((type) => type === 'StepBegin').length;
      expect([at, steps]).toEqual([at, at === 0 || at === 3 ? 2 : 1]);
    }
    await talk.close();
  });

  it('grants an action for the session, open requests included', async () => {
    const talk = talkAbout([[shell('one'), shell('two')]], [[shell('three')]]);
    await talk.initialize();
    const prompted = talk.prompt();
    const { params } = await talk.saw((message) => message.params?.payload.tool_call_id === 'Shell:1');
    expect(params.type).toBe('ApprovalRequest');
    talk.answer(await talk.sawType('ApprovalRequest'), { response: 'approve_for_session' });
    await prompted;
    await talk.prompt();
    const settled = talk.messages.filter((message) => typeOf(message) === 'ApprovalResponse');
    expect(settled.map((message) => message.params.payload.response)).toEqual(['approve_for_session', 'approve']);
    expect(talk.types().filter((type) => type === 'ApprovalRequest')).toHaveLength(2);
    await talk.close();
  });

  it('asks nobody with --yolo, and never asks a client that did not initialize', async () => {
    const path = scenario([[shell('ls')]]);
    const bold = new Talk('--yolo', '--scenario', path);
    expect((await bold.prompt()).result.status).toBe('finished');
    expect(bold.types()).not.toContain('ApprovalRequest');
    const mute = new Talk('--scenario', path);
    const prompted = mute.prompt();
    await mute.sawType('StatusUpdate');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(mute.types()).not.toContain('ApprovalRequest');
    mute.send('cancel');
    expect((await prompted).result.status).toBe('cancelled');
    expect(mute.types()).not.toContain('ApprovalResponse');
    await Promise.all([bold.close(), mute.close()]);
  });

  it('sends an approval of a background agent again, under its id, before it answers initialize', async () => {
    const talk = talkAbout([[{ background_agent: { description: 'd', prompt: 'p', command: 'ls' } }]]);
    await talk.initialize();
    await talk.prompt();
    const asked = await talk.sawType('ApprovalRequest');
    const before = talk.messages.length;
    await talk.initialize();
    expect(talk.messages.slice(before).map(({ id }) => id)).toEqual([asked.id, 'initialize-3']);
    talk.answer(asked, { response: 'approve' });
    await talk.sawType('ApprovalResponse');
    await talk.prompt();
    expect(talk.types()).toContain('Notification');
    await talk.close();
  });

  it('asks questions and calls external tools only where the client can', async () => {
    const ask = { ask: { question: 'Which?', options: [{ label: 'A' }, { label: 'B' }] } };
    const talk = talkAbout([[ask, { tool: { name: 'open_in_ide', external: true } }]]);
    await talk.initialize();
    await talk.prompt();
    const results = talk.messages.filter((message) => typeOf(message) === 'ToolResult');
    const briefly = results.map((message) => message.params.payload.return_value.display[0].text);
    expect(briefly.sort()).toEqual(['Client unsupported', 'Tool `open_in_ide` not found']);
    await talk.close();
  });

  it('lets hooks block, and fails open when they are silent', async () => {
    const talk = talkAbout([[{ text: 'never said' }]], [[shell('ls', { approval: false })]]);
    await talk.initialize({
      hooks: [
        { id: 'ups', event: 'UserPromptSubmit', matcher: 'blocked' },
        { id: 'pre', event: 'PreToolUse', matcher: 'Shell' },
        { id: 'silent', event: 'Stop', timeout: 0 },
      ],
    });
    const blocked = talk.prompt('blocked');
    talk.answer(await talk.saw(({ params }) => params?.payload.subscription_id === 'ups'), {
      action: 'block',
      reason: 'no',
    });
    await blocked;
    expect(talk.types(1)).toEqual(
      'HookTriggered HookRequest HookResolved TurnBegin ContentPart TurnEnd result'.split(' '),
    );
    const before = talk.messages.length;
    const prompted = talk.prompt('fine');
    talk.answer(await talk.saw(({ params }) => params?.payload.subscription_id === 'pre'), {
      action: 'block',
      reason: 'stop',
    });
    expect((await prompted).result.status).toBe('finished');
    const later = talk.messages.slice(before);
    expect(later.find((message) => typeOf(message) === 'ToolResult').params.payload.return_value).toMatchObject({
      is_error: true,
      message: 'stop',
    });
    expect(later.findLast((message) => typeOf(message) === 'HookResolved').params.payload.action).toBe('allow');
    await talk.close();
  });
});

describe.concurrent('the end of the sample agent', () => {
  const RESUME = /^\nTo resume this session: kimi -r [0-9a-f-]{36}\n$/;

  it('says no more after the end of its input, not even the answer', async () => {
    const atOnce = new Talk('--scenario', 'hello', '--pace', '1');
    atOnce.send('prompt', { user_input: 'hi' });
    expect(await atOnce.close()).toMatchObject({ code: 0, stderr: expect.stringMatching(RESUME) });
    expect(atOnce.types()).toContain('TurnBegin');
    expect(atOnce.types()).not.toContain('result');

    const waiting = new Talk('--scenario', 'hang', '--session', '11111111-2222-3333-4444-555555555555');
    await waiting.initialize();
    waiting.send('prompt', { user_input: 'hi' });
    await waiting.sawType('ApprovalRequest');
    const before = waiting.messages.length;
    expect((await waiting.close()).stderr).toContain('kimi -r 11111111-2222-3333-4444-555555555555');
    expect(waiting.messages).toHaveLength(before);
  });

  it('is code 0 on SIGINT, the signal itself on SIGTERM', async () => {
    const ends = await Promise.all(
      (['SIGINT', 'SIGTERM'] as const).map(async (signal) => {
        const talk = new Talk('--scenario', 'hang');
        await talk.initialize();
        talk.send('prompt', { user_input: 'hi' });
        await talk.sawType('ApprovalRequest');
        talk.child.kill(signal);
        return talk.ended;
      }),
    );
    expect(ends[0]).toMatchObject({ code: 0, signal: null, stderr: expect.stringMatching(RESUME) });
    expect(ends[1]).toMatchObject({ code: null, signal: 'SIGTERM', stderr: '' });
  });

  it('is quiet when the reader has gone', async () => {
    const talk = new Talk('--scenario', 'flood');
    await talk.initialize();
    talk.child.stdout.destroy();
    talk.send('prompt', { user_input: 'hi' });
    expect(await talk.ended).toMatchObject({ code: 0, stderr: '' });
  });

  it('is a crash after a content part of an unknown type', async () => {
    const talk = new Talk();
    talk.send('prompt', { user_input: [{ type: 'hologram' }] });
    const { code, stderr } = await talk.ended;
    expect(code).toBe(1);
    expect(stderr).toContain("'hologram'");
  });
});
