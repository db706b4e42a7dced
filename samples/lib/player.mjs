// Plays a turn: its hooks, its bracket, its steps. The same player serves the root agent and subagents;
// they differ in their voice, their source, and in what a rejection means.

import { Cancelled, TurnFailure } from './failures.mjs';
import { plainText } from './params.mjs';
import { statusUpdate, text } from './payloads.mjs';
import { afterwards, fill, nameIn } from './script.mjs';
import { playSlashCommand } from './slash.mjs';

/**
 * One agent at work on one turn.
 * @typedef {object} Run
 * @property {import('./session.mjs').Session} session
 * @property {Player} player plays what stands inside a directive
 * @property {import('./turn.mjs').Turn} turn
 * @property {import('./voices.mjs').RootVoice | import('./voices.mjs').SubagentVoice} voice
 * @property {import('./approvals.mjs').Source} source
 * @property {import('./meter.mjs').ContextMeter} meter
 * @property {string | object[]} userInput
 * @property {string} lastText what the agent said last
 */

/**
 * One model answer and the tool calls in it.
 * @typedef {object} StepState
 * @property {number} n
 * @property {import('./tools.mjs').Call[]} calls
 * @property {object | null | undefined} usage
 */

const isRoot = (run) => run.source.agentId === null;

export class Player {
  #directives;

  /** @param {Record<string, (run: Run, value: any, step: StepState, whole: any) => unknown>} directives */
  constructor(directives) {
    this.#directives = directives;
  }

  /**
   * @param {Run} run
   * @param {import('./scenario.mjs').ScriptedTurn} steps
   */
  async turn(run, steps) {
    const { session, voice } = run;
    const prompt = typeof run.userInput === 'string' ? run.userInput : '';
    const verdict = await session.hooks.trigger(run, 'UserPromptSubmit', prompt, { prompt });
    voice.say('TurnBegin', { user_input: run.userInput });
    if (verdict.blocked) {
      voice.say('ContentPart', text(verdict.reason || 'Prompt blocked by hook.'));
      voice.say('TurnEnd', {});
      return;
    }
    try {
      run.meter.read(plainText(run.userInput));
      await run.turn.breathe();
      if (!(isRoot(run) && playSlashCommand(run))) await this.#steps(run, steps);
      const stop = await session.hooks.trigger(run, 'Stop', '', { stop_hook_active: false });
      if (stop.blocked && stop.reason) await this.#steps(run, [afterwards(stop.reason)]);
    } catch (error) {
      // A cancelled subagent falls silent; the root agent always closes its turn.
      if (isRoot(run) || !(error instanceof Cancelled)) voice.say('TurnEnd', {});
      throw error;
    }
    voice.say('TurnEnd', {});
  }

  /**
   * @param {Run} run
   * @param {StepState} step
   * @param {import('./scenario.mjs').Directive} directive
   */
  async directive(run, step, directive) {
    const name = nameIn(this.#directives, directive);
    // The directives inside these two are filled when their own turn comes.
    const filled = name === 'repeat' || name === 'subagent' ? directive : fill(directive, names(run));
    await this.#directives[name](run, filled[name], step, filled);
    run.turn.check();
  }

  async #steps(run, steps) {
    if (isRoot(run)) run.session.steers.length = 0;
    let n = 0;
    const queue = [...steps];
    for (let item = queue.shift(); item; item = queue.shift()) {
      if (!Array.isArray(item)) {
        await this.directive(run, { n, calls: [], usage: undefined }, item);
        continue;
      }
      const rejected = await this.#step(run, ++n, item);
      const steers = isRoot(run) ? takeSteers(run) : [];
      if (rejected && isRoot(run)) queue.length = 0;
      if (steers.length > 0 && queue.length === 0) queue.push(afterwards(steers.map(plainText).join('; ')));
    }
  }

  /** @returns {Promise<boolean>} whether the user rejected a call without saying what to do instead */
  async #step(run, n, script) {
    const { session, voice } = run;
    if (isRoot(run)) deliverNotifications(run);
    voice.say('StepBegin', { n });
    /** @type {StepState} */
    const step = { n, calls: [], usage: undefined };
    try {
      await run.turn.breathe();
      for (const directive of script) await this.directive(run, step, directive);
    } catch (error) {
      if (error instanceof TurnFailure) {
        voice.say('StepInterrupted', {});
        session.hooks.fire(run, 'StopFailure', error.type, { error_type: error.type, error_message: error.message });
      }
      throw error;
    }
    voice.say('StatusUpdate', statusUpdate({ ...run.meter.endStep(step.usage), plan_mode: session.planMode }));
    const planModeBefore = session.planMode;
    const outcomes = await Promise.all(step.calls.map((call) => call.outcome()));
    if (session.planMode !== planModeBefore) voice.say('StatusUpdate', statusUpdate({ plan_mode: session.planMode }));
    const rejections = outcomes.filter(({ rejected }) => rejected);
    return rejections.length > 0 && !rejections.some(({ feedback }) => feedback);
  }
}

/** What `{{name}}` stands for; a long prompt is cut, so that its echo stays short. */
const names = (run) => ({ prompt: plainText(run.userInput).slice(0, 500), session: run.session.id });

function takeSteers(run) {
  const steers = run.session.steers.splice(0);
  for (const userInput of steers) run.voice.say('SteerInput', { user_input: userInput });
  return steers;
}

function deliverNotifications(run) {
  for (const payload of run.session.notifications.splice(0)) {
    run.voice.say('Notification', payload);
    run.session.hooks.fire(run, 'Notification', payload.type, {
      sink: 'llm',
      notification_type: payload.type,
      title: payload.title,
      body: payload.body,
      severity: payload.severity,
    });
  }
}
