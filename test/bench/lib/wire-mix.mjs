// A long session as kimi sends it: 72 % of its frames are pieces of thoughts and texts, 14 % pieces of arguments, 4 %
// results of up to 12 KB. What is said are words of this repository, because nonsense compresses otherwise than text does.
// The same number gives the same frames.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const COMMAND = ['kimi', '--wire'];
const TOOLS = ['Shell', 'ReadFile', 'WriteFile', 'Grep', 'Glob', 'StrReplaceFile'];
const STEPS_A_TURN = 6;
const PIECES_A_STEP = 36;
const CALLS_A_STEP = 2;
const PIECES_A_CALL = 4;
const LONGEST_RESULT = 12_000;
const PROBABLY_ASKED = 0.3;

export function wireMix(frames) {
  return { command: COMMAND, frames: limited(session(), frames) };
}

function* limited(all, most) {
  let count = 0;
  for (const one of all) {
    yield one;
    if (++count === most) return;
  }
}

function* session() {
  const random = randomOf(13);
  const prose = reader(['README.md', 'DECISIONS.md', 'CHANGELOG.md', ...markdownIn('docs')]);
  const code = reader(sourcesIn('lib'));
  const clock = { t: 0 };
  const ids = { call: 0, ask: 0, prompt: 0 };
  const said = (from, message, after) => {
    clock.t = Math.round((clock.t + after) * 1e6) / 1e6;
    const raw = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    return { t: clock.t, form: 'message', from, raw, eol: '\n', event: null, detail: {} };
  };
  const event = (type, payload, after = 0.02) => said('agent', { method: 'event', params: { type, payload } }, after);
  const pieces = function* (kind, count) {
    for (let i = 0; i < count; i++) {
      const text = prose(8 + Math.floor(random() * 40));
      yield event(
        'ContentPart',
        kind === 'think' ? { type: 'think', think: text, encrypted: null } : { type: kind, text },
      );
    }
  };
  yield said(
    'client',
    { id: 'i', method: 'initialize', params: { protocol_version: '1.10', client: { name: 'ide', version: '1.0' } } },
    0,
  );
  yield said(
    'agent',
    {
      id: 'i',
      result: { protocol_version: '1.10', server: { name: 'Kimi Code CLI', version: '1.49.0' }, slash_commands: [] },
    },
    0.4,
  );
  for (;;) {
    const prompt = `prompt-${++ids.prompt}`;
    const user_input = prose(120);
    yield said('client', { id: prompt, method: 'prompt', params: { user_input } }, 2);
    yield event('TurnBegin', { user_input });
    for (let n = 1; n <= STEPS_A_TURN; n++) {
      yield event('StepBegin', { n }, 0.5);
      yield* pieces('think', PIECES_A_STEP / 2);
      yield* pieces('text', PIECES_A_STEP / 2);
      for (let i = 0; i < CALLS_A_STEP; i++) {
        const id = `call_${++ids.call}_${Math.floor(random() * 1e9).toString(36)}`;
        const name = TOOLS[Math.floor(random() * TOOLS.length)];
        const args = JSON.stringify({ command: code(60), path: `src/${prose(12).replaceAll(/\W/g, '-')}.ts` });
        const size = Math.ceil(args.length / (PIECES_A_CALL + 1));
        const part = (k) => args.slice(k * size, (k + 1) * size);
        yield event('ToolCall', { type: 'function', id, function: { name, arguments: part(0) }, extras: null });
        for (let k = 1; k <= PIECES_A_CALL; k++) yield event('ToolCallPart', { arguments_part: part(k) });
        if (random() < PROBABLY_ASKED) {
          const ask = `ask-${++ids.ask}`;
          const payload = {
            id: ask,
            tool_call_id: id,
            sender: name,
            action: 'run command',
            description: `Run \`${code(30)}\``,
            display: [],
          };
          yield said('agent', { method: 'request', id: ask, params: { type: 'ApprovalRequest', payload } }, 0.02);
          yield said('client', { id: ask, result: { request_id: ask, response: 'approve' } }, 1 + 9 * random());
          yield event('ApprovalResponse', { request_id: ask, response: 'approve', feedback: '' }, 0.001);
        }
        const output = code(Math.floor(random() ** 3 * LONGEST_RESULT));
        const is_error = random() < 0.03;
        yield event(
          'ToolResult',
          { tool_call_id: id, return_value: { is_error, output, message: 'Done.', display: [], extras: null } },
          0.1 + random(),
        );
      }
      const used = Math.round(200_000 * ((n / STEPS_A_TURN) * 0.8));
      yield event('StatusUpdate', {
        context_usage: used / 200_000,
        context_tokens: used,
        max_context_tokens: 200_000,
        token_usage: { input_other: 900, output: 400, input_cache_read: used, input_cache_creation: 0 },
        message_id: null,
      });
    }
    yield event('TurnEnd', {});
    yield said('agent', { id: prompt, result: { status: 'finished' } }, 0.02);
  }
}

/** Gives the following text, so many characters at a time, from the start again at its end. */
function reader(files) {
  const text = files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n');
  let at = 0;
  return (count) => {
    if (at + count > text.length) at = (at * 7) % 1013;
    at += count;
    return text.slice(at - count, at);
  };
}

const markdownIn = (dir) =>
  readdirSync(join(ROOT, dir))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(dir, name));
const sourcesIn = (dir) =>
  readdirSync(join(ROOT, dir), { recursive: true })
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .map((name) => join(dir, name));

function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
