/** What the two sides told each other in their handshakes. */

import { listOf, objectOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../session/read.ts';
import type { Watcher } from '../rule.ts';

export class Hello implements Watcher {
  supportsQuestion = false;
  /** Names of external tools. */
  readonly accepted = new Set<unknown>();
  /** Events of hooks, by the id of the subscription. */
  readonly hooks = new Map<unknown, unknown>();
  /** This frame tells which hooks there are. */
  hookEvents: unknown[] | null = null;

  take({ frame, message, pairing }: ReadFrame): void {
    this.hookEvents = null;
    const body = objectOf(message.body);
    if (frame.from === 'client' && message.method === 'initialize') {
      this.supportsQuestion ||= objectOf(body.capabilities).supports_question === true;
      for (const hook of listOf(body.hooks).map(objectOf)) this.hooks.set(hook.id, hook.event);
    }
    if (frame.from !== 'agent' || pairing?.role !== 'answers' || pairing.exchange!.method !== 'initialize') return;
    for (const name of listOf(objectOf(body.external_tools).accepted)) this.accepted.add(name);
    const { supported_events: events } = objectOf(body.hooks);
    if (Array.isArray(events)) this.hookEvents = events;
  }
}
