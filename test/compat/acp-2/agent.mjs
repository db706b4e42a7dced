// An ACP 2 agent on the published SDK. The text of a prompt chooses what it does.
import { writeFileSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';

/** The published SDK, which is not installed beside this file. */
const acp = await import(process.env.ACP_SDK);

/** Waits until this is so. */
async function until(isSo) {
  while (!isSo()) await new Promise((done) => setTimeout(done, 10));
}
let messages = 0;
let calls = 0;
let prompts = 0;
const nextMessage = () => `msg-${++messages}`;
const nextCall = () => `call-${++calls}`;
const cancelled = new Set();
let peer;

const update = (sessionId, update) => peer.notify(acp.methods.client.session.update, { sessionId, update });
const state = (sessionId, value, more = {}) =>
  update(sessionId, { sessionUpdate: 'state_update', state: value, ...more });
async function say(sessionId, text, kind = 'agent_message_chunk') {
  const messageId = nextMessage();
  for (const piece of text.match(/\S+\s*/g))
    await update(sessionId, { sessionUpdate: kind, messageId, content: { type: 'text', text: piece } });
  return messageId;
}
const OPTIONS = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'always', name: 'Always allow', kind: 'allow_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
];

async function runCommand(sessionId, command, { ask = true, forEver = false } = {}) {
  const toolCallId = nextCall();
  await update(sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    name: 'shell',
    title: `Run ${command}`,
    kind: 'execute',
    status: 'pending',
    rawInput: { command },
    capabilities: { cancel: {} },
  });
  if (ask) {
    await state(sessionId, 'requires_action');
    const { outcome } = await peer.request(acp.methods.client.session.requestPermission, {
      sessionId,
      title: `Run ${command}?`,
      description: 'The agent wants to run a command.',
      options: OPTIONS,
      subject: { type: 'tool_call', toolCall: { toolCallId } },
    });
    if (outcome.outcome === 'cancelled' || cancelled.has(sessionId)) return 'cancelled';
    await state(sessionId, 'running');
    if (outcome.optionId === 'no') {
      await update(sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId,
        status: 'failed',
        content: [{ type: 'content', content: { type: 'text', text: 'The user rejected this call' } }],
      });
      return 'denied';
    }
  }
  const terminalId = `term-${toolCallId}`;
  await update(sessionId, { sessionUpdate: 'terminal_update', terminalId, command, cwd: process.cwd() });
  await update(sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'in_progress',
    content: [{ type: 'terminal', terminalId }],
  });
  for (const word of ['one\n', 'two\n']) {
    const data = Buffer.from(word).toString('base64');
    await update(sessionId, { sessionUpdate: 'terminal_output_chunk', terminalId, data });
  }
  if (forEver) {
    await until(() => cancelled.has(sessionId) || cancelled.has(toolCallId));
    await update(sessionId, { sessionUpdate: 'terminal_update', terminalId, exitStatus: { signal: 'SIGTERM' } });
    await update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'cancelled' });
    return cancelled.has(sessionId) ? 'cancelled' : 'stopped';
  }
  await update(sessionId, { sessionUpdate: 'terminal_update', terminalId, exitStatus: { exitCode: 0 } });
  await update(sessionId, {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'completed',
    rawOutput: { exitCode: 0 },
  });
  return 'done';
}

async function work(sessionId, text) {
  await state(sessionId, 'running');
  let stop = 'end_turn';
  if (text.includes('think')) await say(sessionId, 'Let me think about it', 'agent_thought_chunk');
  if (text.includes('plan')) {
    await update(sessionId, {
      sessionUpdate: 'plan_update',
      plan: {
        type: 'items',
        planId: 'p1',
        entries: [
          { content: 'Look around', priority: 'high', status: 'in_progress' },
          { content: 'Report', priority: 'low', status: 'pending' },
        ],
      },
    });
  }
  if (text.includes('run')) {
    const how = await runCommand(sessionId, 'npm test', { forEver: text.includes('for ever') });
    if (how === 'cancelled') stop = 'cancelled';
  }
  if (text.includes('unasked')) {
    const toolCallId = nextCall();
    await update(sessionId, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      name: 'write_file',
      title: 'Write notes.txt',
      kind: 'edit',
      status: 'in_progress',
      rawInput: { path: 'notes.txt', content: 'hi' },
      locations: [{ path: '/tmp/acp2/notes.txt' }],
    });
    writeFileSync('notes.txt', 'hi');
    await update(sessionId, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'Wrote notes.txt' } }],
    });
  }
  if (text.includes('command')) {
    const toolCallId = nextCall();
    const terminalId = `term-${toolCallId}`;
    await update(sessionId, {
      ...{ sessionUpdate: 'tool_call_update', toolCallId, name: 'shell', title: 'Clean up', kind: 'execute' },
      status: 'pending',
    });
    await update(sessionId, { sessionUpdate: 'terminal_update', terminalId, command: 'rm -rf build' });
    await state(sessionId, 'requires_action');
    const { outcome } = await peer.request(acp.methods.client.session.requestPermission, {
      sessionId,
      title: 'Allow a command outside of the workspace?',
      options: OPTIONS,
      subject: { type: 'command', command: 'rm -rf build', cwd: process.cwd(), toolCallId, terminalId },
    });
    await state(sessionId, 'running');
    await update(sessionId, {
      ...{ sessionUpdate: 'tool_call_content_chunk', toolCallId },
      content: { type: 'terminal', terminalId },
    });
    await update(sessionId, {
      ...{ sessionUpdate: 'terminal_update', terminalId, exitStatus: { exitCode: 0 } },
      output: { data: Buffer.from('cleaned\n').toString('base64') },
    });
    await update(sessionId, { sessionUpdate: 'tool_call_update', toolCallId, status: 'completed' });
    await say(sessionId, `You said ${outcome.optionId ?? outcome.outcome}.`);
  }
  if (text.includes('stuck')) {
    await state(sessionId, 'requires_action');
    return;
  }
  if (text.includes('silent')) {
    await state(sessionId, 'idle');
    return;
  }
  if (stop === 'end_turn' && !cancelled.has(sessionId)) {
    if (text.includes('wait for another')) await until(() => prompts > 1);
    const id = await say(sessionId, `Done with: ${text}`);
    await update(sessionId, {
      sessionUpdate: 'agent_message',
      messageId: id,
      content: [{ type: 'text', text: `Done with: ${text}` }],
    });
    await update(sessionId, { sessionUpdate: 'usage_update', used: 1200, size: 200000 });
  } else stop = 'cancelled';
  cancelled.delete(sessionId);
  const isWatching = text.includes('background');
  const background = isWatching ? { background: [{ type: 'tool_call', toolCallId: `call-${calls + 1}` }] } : {};
  await state(sessionId, 'idle', { stopReason: stop, ...background });
  if (isWatching) {
    const toolCallId = nextCall();
    await update(sessionId, {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      name: 'watch',
      title: 'Watch the build',
      kind: 'other',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'The build is green' } }],
    });
  }
  if (text.includes('own')) {
    await state(sessionId, 'running');
    await say(sessionId, 'The background task has ended, so I go on.');
    await state(sessionId, 'idle', { stopReason: 'end_turn' });
  }
}

let busy = Promise.resolve();
acp
  .agent({ name: 'sample-acp2' })
  .onRequest('initialize', () => ({
    protocolVersion: 2,
    info: { name: 'sample-acp2', version: '1.0.0' },
    capabilities: { session: { prompt: {}, resume: {} } },
  }))
  .onRequest('session/new', () => ({ sessionId: 'sess-1', configOptions: [] }))
  .onRequest('session/resume', async ({ params }) => {
    if (params.replayFrom) {
      await update(params.sessionId, {
        sessionUpdate: 'user_message',
        messageId: 'old-1',
        content: [{ type: 'text', text: 'An old prompt' }],
      });
      await update(params.sessionId, {
        sessionUpdate: 'agent_message',
        messageId: 'old-2',
        content: [{ type: 'text', text: 'An old answer' }],
      });
      await update(params.sessionId, {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'old-call',
        name: 'shell',
        title: 'Run ls',
        kind: 'execute',
        status: 'completed',
        rawInput: { command: 'ls' },
      });
    }
    await state(params.sessionId, 'idle');
    return { configOptions: [] };
  })
  .onRequest('session/prompt', async ({ params }) => {
    const text = params.prompt.map((block) => block.text ?? '').join('');
    if (text.includes('refuse')) throw acp.RequestError?.invalidParams?.({ why: 'not now' }) ?? new Error('not now');
    const messageId = nextMessage();
    prompts++;
    const insert = () => update(params.sessionId, { sessionUpdate: 'user_message', messageId, content: params.prompt });
    // What steers is inserted into the work under way; anything else waits for its end.
    if (text.includes('steer')) {
      await insert();
      return { messageId };
    }
    const before = busy;
    let done;
    busy = new Promise((resolve) => {
      done = resolve;
    });
    await before;
    await insert();
    if (text.includes('nothing')) done();
    else
      setTimeout(() =>
        work(params.sessionId, text)
          .catch((error) => process.stderr.write(`${error}\n`))
          .finally(done),
      );
    return { messageId };
  })
  .onNotification('session/cancel', ({ params }) => {
    cancelled.add(params.sessionId);
  })
  .onRequest('tool_call/cancel', ({ params }) => {
    cancelled.add(params.toolCallId);
    return {};
  })
  .onConnect((cx) => {
    peer = cx.client ?? cx;
  })
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
