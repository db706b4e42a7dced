// Tool calls: the announcement, the hooks around it, the approval, and the result.
// A call runs when the model has finished its answer (with "at_once": as soon as it is announced),
// and all calls of a step run side by side.

import { returnValue, toolError } from './payloads.mjs';
import { pythonFields, pythonJson } from './python-text.mjs';

/**
 * @typedef {{rejected: boolean, feedback: string}} Outcome
 * @typedef {{id: string, outcome: () => Promise<Outcome>}} Call
 * @typedef {{value: ReturnType<typeof returnValue>, rejected?: boolean, feedback?: string}} Returned
 */

/** What each built-in tool says when it asks and when it succeeds. */
const BUILTIN = {
  Shell: {
    action: 'run command',
    description: ({ command }) => `Run command \`${command}\``,
    display: ({ command }) => [{ type: 'shell', language: 'bash', command }],
    message: 'Command executed successfully.',
  },
  WriteFile: { action: 'edit file', description: ({ path }) => `Write file \`${path}\``, message: 'File written.' },
  StrReplaceFile: {
    action: 'edit file',
    description: ({ path }) => `Edit file \`${path}\``,
    message: 'File successfully edited. Applied 1 edit(s) with 1 total replacement(s).',
  },
  SetTodoList: { output: 'Todo list updated', message: 'Todo list updated' },
};

/** The `tool` directive. */
export async function callTool(run, spec, step) {
  const args = spec.arguments ?? {};
  await announce(run, step, spec, args, (id) => perform(run, spec, args, id));
}

/**
 * Announces a call and adds it to the step; `body` does the work between the hooks.
 * @param {import('./player.mjs').Run} run
 * @param {import('./player.mjs').StepState} step
 * @param {{name: string, id?: string, parts?: number, at_once?: boolean}} spec
 * @param {object} args
 * @param {(id: string) => Promise<Returned>} body
 */
export async function announce(run, step, spec, args, body) {
  const { name } = spec;
  const id = spec.id ?? run.session.nextToolCallId(name);
  const pieces = inPieces(pythonJson(args), spec.parts ?? 1);
  run.meter.said(pieces.join(''));
  const [first, ...others] = pieces;
  run.voice.say('ToolCall', { type: 'function', id, function: { name, arguments: first }, extras: null });
  for (const piece of others) {
    await run.turn.pause(0.008);
    run.voice.say('ToolCallPart', { arguments_part: piece });
  }
  const start = () => settle(run, { id, name, args }, () => body(id));
  if (!spec.at_once) {
    step.calls.push({ id, outcome: start });
    return;
  }
  const begun = start();
  begun.catch(() => {});
  step.calls.push({ id, outcome: () => begun });
}

/** @returns {Promise<Outcome>} */
async function settle(run, { id, name, args }, body) {
  const { hooks } = run.session;
  const about = { tool_name: name, tool_input: args };
  const before = await hooks.trigger(run, 'PreToolUse', name, { ...about, tool_call_id: id });
  /** @type {Returned} */
  let returned;
  if (before.blocked) {
    returned = { value: toolError(before.reason || 'Blocked by PreToolUse hook', 'Hook blocked') };
  } else {
    returned = await body();
    const tool_output = pythonFields(returned.value).slice(0, 2000);
    hooks.fire(run, 'PostToolUse', name, { ...about, tool_output, tool_call_id: id });
  }
  const { value, rejected = false, feedback = '' } = returned;
  run.meter.read(JSON.stringify(value.output) + value.message);
  run.voice.say('ToolResult', { tool_call_id: id, return_value: value });
  return { rejected, feedback };
}

/** @returns {Promise<Returned>} */
async function perform(run, spec, args, id) {
  const { session, turn } = run;
  if (session.externalTools.has(spec.name)) return { value: await callClient(run, spec.name, args, id) };
  if (spec.external) {
    const missing = `Tool \`${spec.name}\` not found`;
    return { value: toolError(missing, missing) };
  }
  const usual = BUILTIN[spec.name] ?? {};
  const result = typeof spec.result === 'string' ? { output: spec.result } : (spec.result ?? {});
  const value = returnValue({ output: usual.output, message: result.is_error ? '' : usual.message, ...result });
  if (spec.approval) {
    const refusal = await refusalOf(run, spec, args, id, value);
    if (refusal) return refusal;
  }
  await turn.pause(spec.seconds ?? 0.02);
  if (spec.forever) await turn.forever();
  return { value };
}

/** Asks for approval; null if the call may run. */
async function refusalOf(run, { name, approval }, args, id, value) {
  const usual = BUILTIN[name] ?? {};
  const diffs = value.display.filter(({ type }) => type === 'diff');
  const about = {
    toolCallId: id,
    sender: name,
    action: usual.action ?? `mcp:${name}`,
    description: usual.description?.(args) ?? `Call MCP tool \`${name}\`.`,
    display: usual.display?.(args) ?? diffs,
    ...(approval === true ? {} : approval),
  };
  const asked = run.session.approvals.ask(about, run.source);
  const { response, feedback } = await run.turn.until(asked);
  return response === 'reject' ? rejection(feedback, run.source.agentId !== null) : null;
}

/** @returns {Returned} */
function rejection(feedback, inSubagent = false) {
  const start = 'The tool call is rejected by the user.';
  const advice = inSubagent
    ? 'Try a different approach to complete your task, or explain the limitation in your summary if no alternative is available. Do not retry the same tool call, and do not attempt to bypass this restriction through indirect means.'
    : 'Stop what you are doing and wait for the user to tell you how to proceed.';
  const value = feedback
    ? toolError(`${start} User feedback: ${feedback}`, `Rejected: ${feedback}`)
    : toolError(`${start} ${advice}`, 'Rejected by user');
  return { value, rejected: true, feedback };
}

/** Lets the client run a tool of its own. */
async function callClient(run, name, args, id) {
  const payload = { id, name, arguments: pythonJson(args) };
  run.voice.recordRequest('ToolCallRequest', payload);
  const { result, error } = await run.session.requests.ask(run.turn, id, 'ToolCallRequest', payload);
  if (error) return toolError(error.message, 'External tool error');
  try {
    const { is_error, output, message, display } = result.return_value;
    if (typeof result.tool_call_id !== 'string' || typeof is_error !== 'boolean') throw new TypeError();
    if (typeof message !== 'string' || !Array.isArray(display) || output === undefined) throw new TypeError();
    return returnValue(result.return_value);
  } catch {
    return toolError('Invalid tool result payload from client.', 'Invalid tool result');
  }
}

function inPieces(whole, count) {
  const size = Math.max(1, Math.ceil(whole.length / count));
  const pieces = [];
  for (let at = 0; at < whole.length; at += size) pieces.push(whole.slice(at, at + size));
  return pieces;
}
