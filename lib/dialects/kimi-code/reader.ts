/**
 * Reads the journals of a session, which come as one sequence. A record names its agent, or else its file does. Keeps
 * track of the turns, of which call started which agent, and of what a record only repeats.
 */

import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { Recent } from '../../model/recent.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import { unknown } from '../common/siblings.ts';
import type { Line, Reader } from '../dialect.ts';
import { Interactions } from './interactions.ts';
import { isDelegate, readLoopEvent } from './loop.ts';
import { isFamiliar, type Place, RECORDS, type Speaker } from './records.ts';
import { Turns } from './turns.ts';

const MAIN = 'main';

export class JournalReader implements Reader {
  readonly #turns = new Turns();
  readonly #interactions = new Interactions();
  readonly #speakers = new Recent<string, Speaker>();
  /** Open calls that start an agent which is not known yet. */
  readonly #starting = new Set<string>();
  /** The agent whose file the lines come from. */
  #file = MAIN;

  happens({ event, detail }: Frame): void {
    if (event === 'file') this.#file = stringOf(detail.agent) ?? MAIN;
  }

  read({ frame, value }: Line): Event[] {
    if (frame.from === 'client') return [unknown(value)];
    const name = stringOf(value.agentId) ?? this.#file;
    const isMain = name === MAIN;
    const speaker = this.#speaker(name);
    const events = this.#record(value, { f: frame.f, isMain, speaker, turns: this.#turns });
    const taken = isMain ? this.#taken(value) : null;
    if (taken !== null) events[0]!.takes = taken;
    for (const event of events) {
      if (!isMain) from(event, name, speaker.parent);
      this.#follow(event, isMain);
    }
    return events;
  }

  #record(value: Line['value'], place: Place): Event[] {
    const { type } = value;
    if (type === 'context.append_loop_event') return [readLoopEvent(objectOf(value.event), place.speaker)];
    const read = RECORDS.get(type) ?? this.#interactions.reads(type);
    if (read) return read(value, place);
    return [isFamiliar(type) ? { kind: 'status', name: type } : unknown(value)];
  }

  /** A waiting prompt is taken up when its turn begins, or else with its first step. */
  #taken({ type, turnId, event }: Line['value']): number | null {
    if (type === 'agent.turn.started') return this.#turns.spoken(turnId);
    return type === 'context.append_loop_event' ? this.#turns.spoken(objectOf(event).turnId) : null;
  }

  #speaker(name: string): Speaker {
    let speaker = this.#speakers.get(name);
    if (!speaker) {
      speaker = { parent: name === MAIN ? null : this.#starter(), hasTurns: false, hasSteps: false };
      this.#speakers.set(name, speaker);
    }
    return speaker;
  }

  /** The call that started an agent if no record says so: the only candidate, if there is exactly one. */
  #starter(): string | null {
    const [call, another] = this.#starting;
    if (call === undefined || another !== undefined) return null;
    this.#starting.delete(call);
    return call;
  }

  #follow(event: Event, isMain: boolean): void {
    if (event.kind === 'subagent' && event.subagent !== undefined && event.call !== null) {
      this.#speaker(event.subagent).parent = event.call;
      this.#starting.delete(event.call);
    }
    if (!isMain) return;
    if (event.kind === 'tool-call' && event.call !== null && isDelegate(event.tool)) this.#starting.add(event.call);
    if (event.kind === 'tool-result' && event.call !== null) this.#starting.delete(event.call);
  }
}

/** A record about another agent keeps the name of that agent. */
function from(event: Event, subagent: string, parent: string | null): void {
  event.subagent ??= subagent;
  if (parent !== null) event.parent ??= parent;
}
