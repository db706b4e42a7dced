// What a scenario can make the agent do, one entry per directive; samples/README.md has the table for authors.
// An entry gets the run, the directive's value, the step it stands in, and the whole directive with its modifiers.

import { MaxSteps, TurnFailure } from './failures.mjs';
import { contentPart, hex, media, notification, statusUpdate, stepRetry, text, think } from './payloads.mjs';
import { askPlan, askQuestions } from './questions.mjs';
import { fill } from './script.mjs';
import { startBackgroundAgent, startSubagent } from './subagents.mjs';
import { callTool } from './tools.mjs';

const BETWEEN_DELTAS = 0.012;
const BREATHE_EVERY = 64;

/** @type {Record<string, (run: import('./player.mjs').Run, value: any, step: import('./player.mjs').StepState, whole: any) => unknown>} */
export const directives = {
  // What the model says
  text: (run, words) => stream(run, words, text),
  think: (run, words, _step, { encrypted = null }) =>
    stream(run, words, (delta, last) => think(delta, last ? encrypted : null)),
  delta: (run, words) => sayPart(run, text(words)),
  image: (run, value) => sayPart(run, media('image_url', { url: value.url ?? value, id: value.id })),
  audio: (run, value) => sayPart(run, media('audio_url', { url: value.url ?? value, id: value.id })),
  video: (run, value) => sayPart(run, media('video_url', { url: value.url ?? value, id: value.id })),
  part: (run, value) => sayPart(run, contentPart(value)),
  usage: (_run, value, step) => {
    step.usage = value;
  },

  // What it does
  tool: callTool,
  ask: askQuestions,
  plan: askPlan,
  subagent: startSubagent,
  background_agent: startBackgroundAgent,
  join: (run) => run.turn.until(Promise.all(run.session.background)),

  // What happens to it
  retry: async (run, about, step) => {
    step.calls.length = 0;
    const payload = stepRetry(step.n, about);
    run.voice.say('StepRetry', payload);
    await run.turn.pause(payload.wait_s);
  },
  fail: (_run, code, _step, { message }) => {
    throw new TurnFailure(code, message);
  },
  max_steps: (_run, _value, step) => {
    throw new MaxSteps(step.n);
  },
  compaction: async (run, about) => {
    const { hooks } = run.session;
    const before = run.meter.context().context_tokens;
    await hooks.trigger(run, 'PreCompact', 'auto', { trigger: 'auto', token_count: before });
    run.voice.say('CompactionBegin', {});
    await run.turn.pause(about.seconds ?? 0.05);
    run.meter.compact();
    run.voice.say('CompactionEnd', {});
    const after = run.meter.context().context_tokens;
    hooks.fire(run, 'PostCompact', 'auto', { trigger: 'auto', estimated_token_count: after });
  },
  mcp: async (run, servers) => {
    run.voice.say('StatusUpdate', statusUpdate({ mcp_status: mcpStatus(servers, true) }));
    run.voice.say('MCPLoadingBegin', {});
    await run.turn.pause(0.05);
    run.voice.say('StatusUpdate', statusUpdate({ mcp_status: mcpStatus(servers, false) }));
    run.voice.say('MCPLoadingEnd', {});
  },
  notification: (run, about) => run.voice.say('Notification', notification(about)),
  btw: async (run, { question, response = null, error = null }) => {
    const id = hex(6);
    run.voice.say('BtwBegin', { id, question });
    await run.turn.pause(0.02);
    run.voice.say('BtwEnd', { id, response, error });
  },
  status: (run, known) => run.voice.say('StatusUpdate', statusUpdate(known)),
  steer: (run, userInput) => run.session.steers.push(userInput),
  event: (run, { type, payload }) => run.voice.say(type, payload),

  // What the process does
  sleep: (run, seconds) => run.turn.pause(seconds),
  stderr: (_run, line) => process.stderr.write(`${line}\n`),
  raw: (run, line) => run.session.wire.raw(line),
  exit: (_run, code) => process.exit(code),
  repeat: async (run, count, step, { do: body }) => {
    const times = run.session.repeat ?? count;
    for (let i = 0; i < times; i++) {
      for (const directive of body) await run.player.directive(run, step, fill(directive, { i }));
      if (i % BREATHE_EVERY === 0) await run.turn.breathe();
    }
  },
};

/** Says words in deltas of a few words each, with a model's small pauses. */
async function stream(run, words, toPart) {
  const deltas = splitIntoDeltas(words);
  for (const [at, delta] of deltas.entries()) {
    sayPart(run, toPart(delta, at === deltas.length - 1));
    await run.turn.pause(BETWEEN_DELTAS);
  }
  if (toPart === text) run.lastText = words;
}

function sayPart(run, part) {
  run.meter.said(part.text ?? part.think ?? '');
  run.voice.say('ContentPart', part);
}

/** Deltas of up to three words, or a dozen characters of a script that writes without spaces; no emoji is torn. */
function splitIntoDeltas(words) {
  const pieces = words.match(/\s*(?:[\u2e80-\u9fff\uff00-\uffef]{1,4}|[^\s\u2e80-\u9fff\uff00-\uffef]+)|\s+$/gu) ?? [];
  const deltas = [];
  for (let at = 0; at < pieces.length; at += 3) deltas.push(pieces.slice(at, at + 3).join(''));
  return deltas;
}

function mcpStatus(servers, loading) {
  const shown = servers.map(({ name, tools = [], status = 'connected' }) =>
    loading ? { name, status: 'connecting', tools: [] } : { name, status, tools },
  );
  const connected = shown.filter(({ status }) => status === 'connected');
  return {
    loading,
    connected: connected.length,
    total: shown.length,
    tools: connected.reduce((sum, { tools }) => sum + tools.length, 0),
    servers: shown,
  };
}
