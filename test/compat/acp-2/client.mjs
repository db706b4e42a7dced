// Drives an ACP 2 agent through a conversation: node client.mjs STEPS -- AGENT…, where STEPS is JSON (see conversations.ts).
// Each step waits for what the agent does, never for a time.
import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';

/** The published SDK, which is not installed beside this file. */
const acp = await import(process.env.ACP_SDK);

const steps = JSON.parse(process.argv[2]);
const [program, ...args] = process.argv.slice(4);
const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });

/** How often each thing happened, and who waits for the next time. */
const seen = new Map();
let waiting = [];
function happens(what) {
  seen.set(what, (seen.get(what) ?? 0) + 1);
  waiting = waiting.filter((check) => !check());
}
function until(what, times) {
  return new Promise((resolve) => {
    const check = () => {
      const isOver = (seen.get(what) ?? 0) >= times;
      if (isOver) resolve();
      return isOver;
    };
    if (!check()) waiting.push(check);
  });
}

let decide = 'yes';
let onStarted = null;
/** The agent has begun to work: only then is it idle because it is done. */
let hasBegun = false;
function takeUpdate({ sessionUpdate, state, status, toolCallId }) {
  if (sessionUpdate === 'state_update') {
    if (state !== 'idle') hasBegun = true;
    if (state !== 'idle' || hasBegun) happens(state);
  }
  if (sessionUpdate !== 'tool_call_update') return;
  if (status === 'in_progress') onStarted?.(toolCallId);
  if (status === 'completed') happens('completed');
}

const { agent } = acp
  .client({ name: 'sample-client2' })
  .onRequest('session/request_permission', () => {
    happens('asked');
    if (decide === 'never') return new Promise(() => {});
    if (decide === 'cancel') return { outcome: { outcome: 'cancelled' } };
    return { outcome: { outcome: 'selected', optionId: decide } };
  })
  .onNotification('session/update', ({ params }) => takeUpdate(params.update))
  .connect(acp.ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout)));

const client = { info: { name: 'sample-client2', version: '1.0.0' }, capabilities: {} };
await agent.request('initialize', { protocolVersion: 2, ...client });

let sessionId = 'none';
function prompt(text) {
  const answer = agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
  answer.then(
    () => happens('answered'),
    (error) => {
      console.error(`refused: ${error.message}`);
      happens('refused');
    },
  );
}

/** `idles`: the number of times that the agent has been done. */
let idles = 0;
for (const step of steps) {
  if (step.new) ({ sessionId } = await agent.request('session/new', { cwd: process.cwd(), mcpServers: [] }));
  if (step.resume) {
    sessionId = step.resume;
    await agent.request('session/resume', { sessionId, cwd: process.cwd(), replayFrom: { type: 'start' } });
  }
  if (step.decide) decide = step.decide;
  if (step.cancel)
    onStarted = () => {
      onStarted = null;
      void agent.notify('session/cancel', { sessionId });
    };
  if (step.stopCall)
    onStarted = (toolCallId) => {
      onStarted = null;
      void agent.request('tool_call/cancel', { sessionId, toolCallId });
    };
  if (!step.prompt) continue;
  prompt(step.prompt);
  if (step.also) {
    await until('running', idles + 1);
    prompt(step.also);
  }
  const what = step.until ?? 'idle';
  if (what === 'idle') idles += step.times ?? 1;
  await until(what, what === 'idle' ? idles : 1);
}
child.stdin.end();
await new Promise((resolve) => child.on('exit', resolve));
process.exit(0);
