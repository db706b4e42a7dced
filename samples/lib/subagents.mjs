// Agents that the agent starts. One in the foreground plays its own turn, wrapped in SubagentEvent, and its
// summary becomes the result of the Agent call. One in the background is silent but for its approval,
// which may come when no turn is open, and for a notification in a later step.

import { randomInt } from 'node:crypto';
import { TurnFailure } from './failures.mjs';
import { ContextMeter } from './meter.mjs';
import { hex, notification, returnValue, toolError } from './payloads.mjs';
import { announce } from './tools.mjs';
import { Turn } from './turn.mjs';
import { SubagentVoice } from './voices.mjs';

/** The `subagent` directive. */
export async function startSubagent(run, spec, step) {
  const { description, prompt, type = 'coder' } = spec;
  const args = { description, prompt, subagent_type: type };
  await announce(run, step, { name: 'Agent', id: spec.id, at_once: spec.at_once }, args, async (callId) => {
    const { session } = run;
    const agentId = `a${hex(4)}`;
    const who = { parent_tool_call_id: callId, agent_id: agentId, subagent_type: type };
    await session.hooks.trigger(run, 'SubagentStart', type, { agent_name: type, prompt: prompt.slice(0, 500) });
    /** @type {import('./player.mjs').Run} */
    const inner = {
      session,
      player: run.player,
      turn: run.turn,
      voice: new SubagentVoice(session.voice, who),
      source: { kind: 'foreground_turn', id: hex(16), agentId, subagentType: type },
      meter: new ContextMeter(),
      userInput: prompt,
      lastText: '',
    };
    try {
      await run.player.turn(inner, spec.steps);
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      return { value: toolError(`Failed to run agent: ${error.message}`, 'Agent failed') };
    }
    session.hooks.fire(run, 'SubagentStop', type, { agent_name: type, response: inner.lastText.slice(0, 500) });
    return { value: returnValue(summaryOf(agentId, type, inner.lastText)) };
  });
}

function summaryOf(agentId, type, words) {
  return `agent_id: ${agentId}\nresumed: false\nactual_subagent_type: ${type}\nstatus: completed\n\n[summary]\n${words}`;
}

/** The `background_agent` directive. */
export async function startBackgroundAgent(run, spec, step) {
  const { description, prompt, type = 'coder' } = spec;
  const args = { description, prompt, subagent_type: type, run_in_background: true };
  await announce(run, step, { name: 'Agent', id: spec.id }, args, async () => {
    const agentId = `a${hex(4)}`;
    const taskId = `agent-${letters(8)}`;
    const work = workInBackground(run.session, { ...spec, type, agentId, taskId });
    run.session.background.add(work);
    work.finally(() => run.session.background.delete(work)).catch(() => {});
    return { value: returnValue({ output: startedText(spec, agentId, taskId), message: 'Background task started.' }) };
  });
}

async function workInBackground(
  session,
  { description, command, seconds = 0.05, after_asks = 0, type, agentId, taskId },
) {
  const clock = new Turn(session.pace, session.wire.writer);
  session.life.signal.addEventListener('abort', () => clock.end(), { once: true });
  try {
    await clock.pause(seconds);
    await clock.until(session.approvals.asked(after_asks));
    const about = {
      toolCallId: session.nextToolCallId('Shell'),
      sender: 'Shell',
      action: 'run command',
      description: `Run command \`${command}\``,
      display: [{ type: 'shell', language: 'bash', command }],
    };
    const source = { kind: 'background_agent', id: taskId, agentId, subagentType: type };
    await clock.until(session.approvals.ask(about, source));
    session.notifications.push(completed(taskId, description));
  } catch {
    // The process ends: a background agent ends with it, without a word.
  }
}

function completed(taskId, description) {
  return notification({
    source_id: taskId,
    title: `Background task completed: ${description}`,
    body: `Task ID: ${taskId}\nStatus: completed\nDescription: ${description}`,
    severity: 'success',
    payload: {
      task_id: taskId,
      task_kind: 'agent',
      status: 'completed',
      description,
      exit_code: null,
      interrupted: false,
      timed_out: false,
      terminal_reason: 'completed',
      failure_reason: null,
      finished_at: Date.now() / 1000,
      duration_s: null,
    },
  });
}

function startedText({ description, type = 'coder' }, agentId, taskId) {
  return [
    `task_id: ${taskId}`,
    'kind: agent',
    'status: starting',
    `description: ${description}`,
    `agent_id: ${agentId}`,
    `actual_subagent_type: ${type}`,
    'automatic_notification: true',
    'next_step: You will be automatically notified when it completes.',
  ].join('\n');
}

function letters(count) {
  const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: count }, () => alphabet[randomInt(alphabet.length)]).join('');
}
