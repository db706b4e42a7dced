/**
 * Reads the journals of a session, which come as one sequence. A record names its agent, or else its file does. Keeps
 * track of the turns, of which call started which agent, and of what a record only repeats.
 */

import type { Event } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import { objectOf, stringOf } from '../common/fields.ts';
import { unknownEvent } from '../common/siblings.ts';
import type { DialectLine, DialectReader } from '../dialect.ts';
import { Interactions } from './interactions.ts';
import { isDelegate, readLoopEvent } from './loop.ts';
import { isFamiliar, type JournalSpeaker, RECORDS, type RecordPosition } from './records.ts';
import { JournalTurns } from './turns.ts';

const MAIN = 'main';

export class KimiJournalReader implements DialectReader {
  readonly #turns = new JournalTurns();
  readonly #interactions = new Interactions();
  readonly #speakers = new LimitedMap<string, JournalSpeaker>();
  /** Open calls that start an agent which is not known yet. */
  readonly #starting = new Set<string>();
  /** The agent whose file the lines come from. */
  #file = MAIN;

  readEvent({ event, detail }: Frame): void {
    if (event === 'file') this.#file = stringOf(detail.agent) ?? MAIN;
  }

  read({ frame, value }: DialectLine): Event[] {
    if (frame.from === 'client') return [unknownEvent(value)];
    const name = stringOf(value.agentId) ?? this.#file;
    const isMain = name === MAIN;
    const speaker = this.#speaker(name);
    const events = this.#readRecord(value, { f: frame.f, isMain, speaker, turns: this.#turns });
    const taken = isMain ? this.#takenPrompt(value) : null;
    if (taken !== null) events[0]!.takes = taken;
    for (const event of events) {
      if (!isMain) fromSubagent(event, name, speaker.parent);
      this.#follow(event, isMain);
    }
    return events;
  }

  #readRecord(value: DialectLine['value'], position: RecordPosition): Event[] {
    const { type } = value;
    if (type === 'context.append_loop_event') return [readLoopEvent(objectOf(value.event), position.speaker)];
    const read = RECORDS.get(type) ?? this.#interactions.reads(type);
    if (read) return read(value, position);
    return [isFamiliar(type) ? { kind: 'status', name: type } : unknownEvent(value)];
  }

  /** A waiting prompt is taken up when its turn begins, or else with its first step. */
  #takenPrompt({ type, turnId, event }: DialectLine['value']): number | null {
    if (type === 'agent.turn.started') return this.#turns.takeUp(turnId);
    return type === 'context.append_loop_event' ? this.#turns.takeUp(objectOf(event).turnId) : null;
  }

  #speaker(name: string): JournalSpeaker {
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
function fromSubagent(event: Event, subagent: string, parent: string | null): void {
  event.subagent ??= subagent;
  if (parent !== null) event.parent ??= parent;
}
