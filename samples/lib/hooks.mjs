// Hooks a client subscribed to: announce, ask, resolve. No answer in time means "allow" (fail open),
// and so does an answer that makes no sense.

import { setTimeout as sleep } from 'node:timers/promises';
import { HOOK_EVENTS } from './kimi.mjs';
import { hex } from './payloads.mjs';

/** @typedef {{blocked: boolean, reason: string}} Verdict */

const ALLOWED = { blocked: false, reason: '' };

export class Hooks {
  /** @type {{id: string, event: string, matcher: string, timeout: number}[]} */
  #subscriptions = [];
  #session;

  /** @param {import('./session.mjs').Session} session */
  constructor(session) {
    this.#session = session;
  }

  /** Unknown events are passed over in silence; subscribing twice counts twice. */
  subscribe(subscriptions) {
    this.#subscriptions.push(...subscriptions.filter(({ event }) => HOOK_EVENTS.includes(event)));
  }

  /** How many hooks each event has. */
  configured() {
    const counts = {};
    for (const { event } of this.#subscriptions) counts[event] = (counts[event] ?? 0) + 1;
    return counts;
  }

  /**
   * Runs the hooks of an event and waits for their verdict. One that blocks is enough.
   * @param {import('./player.mjs').Run} run
   * @param {string} event
   * @param {string} target what the matcher is tried on
   * @param {object} input what the event is about
   * @returns {Promise<Verdict>}
   */
  async trigger(run, event, target, input) {
    const matching = this.#subscriptions.filter((hook) => hook.event === event && matches(hook.matcher, target));
    if (matching.length === 0) return ALLOWED;

    run.voice.say('HookTriggered', { event, target, hook_count: matching.length });
    const begun = performance.now();
    await run.turn.breathe();
    const data = { hook_event_name: event, session_id: this.#session.id, cwd: this.#session.workDir, ...input };
    const verdicts = await Promise.all(matching.map((hook) => this.#ask(run, hook, target, data)));
    const verdict = verdicts.find(({ blocked }) => blocked) ?? ALLOWED;
    run.voice.say('HookResolved', {
      event,
      target,
      action: verdict.blocked ? 'block' : 'allow',
      reason: verdict.reason,
      duration_ms: Math.floor(performance.now() - begun),
    });
    return verdict;
  }

  /** For events whose verdict changes nothing: nobody waits, and the turn's end cuts it short. */
  fire(run, event, target, input) {
    this.trigger(run, event, target, input).catch(() => {});
  }

  /** @returns {Promise<Verdict>} */
  async #ask({ turn }, hook, target, data) {
    const id = hex(6);
    const payload = { id, subscription_id: hook.id, event: hook.event, target, input_data: data };
    const patience = new AbortController();
    const timeout = sleep(hook.timeout * 1000, {}, { signal: AbortSignal.any([patience.signal, turn.signal]) });
    const answer = this.#session.requests.ask(turn, id, 'HookRequest', payload);
    answer.catch(() => {});
    const { result } = await turn.until(Promise.race([answer, timeout])).finally(() => {
      patience.abort();
      timeout.catch(() => {});
      this.#session.requests.forget(id);
    });
    const { request_id, action, reason = '' } = result ?? {};
    return typeof request_id === 'string' && action === 'block' ? { blocked: true, reason: String(reason) } : ALLOWED;
  }
}

function matches(pattern, target) {
  try {
    return new RegExp(pattern).test(target);
  } catch {
    return false;
  }
}
