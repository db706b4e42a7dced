/**
 * A session's frames, understood one by one: its dialect is found from the lines that are there already, and every frame
 * is read as that dialect has it. Only sums and what is still open are kept, so memory does not grow with the session.
 */
import type { Frame, Metadata } from '../core/frame.ts';
import { parseFrame } from '../core/message.ts';
import { TimelineBuilder } from '../core/timeline/builder.ts';
import { byName, Detector } from '../dialects/detect.ts';
import type { ReadFrame } from '../dialects/read.ts';
import { SessionReader } from '../dialects/session.ts';
import type { Summary } from './summary.ts';

/** A running session proves to speak another dialect than its first lines told: it must be read again, from the start. */
export class Misunderstood extends Error {}

export class Understanding {
  readonly #reader: SessionReader;
  readonly #builder = new TimelineBuilder({ keep: false });
  /** Looks on as long as the dialect may turn out to be another. */
  #detector: Detector | null;
  /** The frames from which it was found. */
  #known = 0;
  #taken = 0;

  /** `first`: what there is of the session so far. */
  constructor(metadata: Metadata, first: Iterable<Frame>) {
    const { command } = metadata;
    const given = typeof metadata.dialect === 'string' ? byName(metadata.dialect) : undefined;
    const detector = new Detector(command);
    if (!given) {
      for (const frame of first) {
        detector.take(frame);
        this.#known++;
        if (detector.decided) break;
      }
    }
    this.#detector = given || detector.decided ? null : new Detector(command);
    this.#reader = new SessionReader(given ?? detector.best.dialect, { command });
  }

  take(frame: Frame): ReadFrame {
    this.#taken++;
    // Parsed once for both.
    const isParsed = this.#detector && frame.form !== 'event' && frame.from !== 'stderr';
    const value = isParsed ? parseFrame(frame) : undefined;
    this.#detector?.look(frame, value);
    if (this.#detector && this.#taken > this.#known && this.#detector.best.dialect !== this.#reader.dialect) {
      throw new Misunderstood();
    }
    if (this.#detector?.decided) this.#detector = null;
    const reading = this.#reader.read(frame, value);
    const { message, pairing, events } = reading;
    return { frame, message, pairing, events, value: reading.value, where: this.#builder.take(reading) };
  }

  /** No later frame can show that it is another dialect. */
  get decided(): boolean {
    return this.#detector === null;
  }

  get dialect(): string {
    return this.#reader.dialect.name;
  }

  /** What a row of `ls` says of it. */
  get facts(): Pick<Summary, (typeof FACTS)[number]> {
    const { handshake, counts } = this.#builder.timeline;
    const { client, agent } = handshake;
    return {
      dialect: this.dialect,
      protocol: handshake.protocol ?? null,
      client: client ? `${client.name}${client.version ? ` ${client.version}` : ''}` : null,
      agent: agent?.name ?? null,
      agent_version: agent?.version ?? null,
      ...counts,
    };
  }
}

const FACTS = [
  ...(['dialect', 'protocol', 'client', 'agent', 'agent_version'] as const),
  ...(['turns', 'tools', 'approvals', 'errors'] as const),
] as const;
