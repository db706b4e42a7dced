/**
 * The facts of a frame, under the names that queries, columns and JSON use. Most are known when the frame arrives.
 * Those that depend on later frames (the answer, the wait, the decision) change then.
 */
import { type Frame, sizeOf } from '../../model/frame.ts';
import { micros } from '../../model/interval.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { marksOf } from './marks.ts';
import { firstText, flagsOf, kindsOf, statusOf, storable, storableId, storableNumber } from './storable.ts';
import { FACT_LIST, type FactName } from './table.ts';

export type Facts = ReturnType<typeof factsOf>;

const NO_VALUES = Object.fromEntries(FACT_LIST.map(([name]) => [name, null]));

/** Facts without values, but with all keys in order. */
export function emptyFacts(): Record<string, unknown> {
  return { ...NO_VALUES };
}

const UNKNOWN_NUMBER = null as number | null;
const UNKNOWN_TEXT = null as string | null;
const NO_WORDS: readonly string[] = [];

/**
 * The facts that this frame and earlier ones show. `previousTime`: the time of the previous frame; `text`: the line, if it is
 * text. One literal with the keys of the table in its order, because there is one for every frame.
 */
export function factsOf(read: ReadFrame, previousTime: number | null, text: string | null) {
  const { frame, message, pairing, events, where } = read;
  const answers = pairing !== null && (pairing.role === 'answers' || pairing.role === 'duplicate');
  const answered = answers ? pairing.exchange : null;
  const latency = answered && micros(frame.t - answered.askedT);
  const kinds = kindsOf(events);
  const flags = flagsOf(events);
  const first = events[0];
  return {
    f: frame.f,
    t: frame.t,
    from: frame.from,
    envelope: message.envelope,
    kind: kinds[0] ?? null,
    kinds,
    method: storable(message.method ?? answered?.method ?? null),
    type: storable(message.type),
    id: storableId(message.id),
    turn: where.turn,
    step: where.step,
    subagent: storable(first?.subagent ?? null),
    parent: storable(first?.parent ?? null),
    tool: storable(firstText(events, 'tool')),
    tool_call_id: storable(firstText(events, 'call')),
    item: where.item,
    pair_f: answered?.askedF ?? null,
    latency,
    wait: UNKNOWN_NUMBER,
    gap: gapOf(frame, previousTime),
    approval: UNKNOWN_TEXT,
    by: UNKNOWN_TEXT,
    mode: UNKNOWN_TEXT,
    ran: UNKNOWN_TEXT,
    flag: NO_WORDS,
    status: storable(statusOf(events)),
    code: storableNumber(message.code),
    size: sizeOf(frame),
    flags,
    event: frame.event,
    marks: marksOf(read, flags, latency, text),
  } satisfies Record<FactName, unknown>;
}

const gapOf = ({ t }: Frame, previousTime: number | null): number | null =>
  previousTime === null ? null : micros(t - previousTime);
