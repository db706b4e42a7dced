/**
 * The facts of a frame, under the names that queries, columns and JSON use. Most are known when the frame arrives.
 * Those that depend on later frames (the answer, the wait, the decision) change then.
 */
import { type Frame, sizeOf } from '../../model/frame.ts';
import { micros } from '../../model/interval.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { marksOf } from './marks.ts';
import { firstText, flagsOf, kept, keptId, keptNumber, kindsOf, statusOf } from './observed.ts';
import { FACT_LIST, type FactName } from './table.ts';

export type Facts = ReturnType<typeof factsOf>;

const UNKNOWN = Object.fromEntries(FACT_LIST.map(([name]) => [name, null]));

/** Facts without values, but with all keys in order. */
export function noFacts(): Record<string, unknown> {
  return { ...UNKNOWN };
}

const NUMBER_LATER = null as number | null;
const TEXT_LATER = null as string | null;
const NO_WORDS: readonly string[] = [];

/**
 * The facts that this frame and earlier ones show. `before`: the time of the previous frame; `text`: the line, if it is
 * text. One literal with the keys of the table in its order, because there is one for every frame.
 */
export function factsOf(read: ReadFrame, before: number | null, text: string | null) {
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
    method: kept(message.method ?? answered?.method ?? null),
    type: kept(message.type),
    id: keptId(message.id),
    turn: where.turn,
    step: where.step,
    subagent: kept(first?.subagent ?? null),
    parent: kept(first?.parent ?? null),
    tool: kept(firstText(events, 'tool')),
    tool_call_id: kept(firstText(events, 'call')),
    item: where.item,
    pair_f: answered?.askedF ?? null,
    latency,
    wait: NUMBER_LATER,
    gap: gapOf(frame, before),
    approval: TEXT_LATER,
    by: TEXT_LATER,
    mode: TEXT_LATER,
    ran: TEXT_LATER,
    flag: NO_WORDS,
    status: kept(statusOf(events)),
    code: keptNumber(message.code),
    size: sizeOf(frame),
    flags,
    event: frame.event,
    marks: marksOf(read, flags, latency, text),
  } satisfies Record<FactName, unknown>;
}

const gapOf = ({ t }: Frame, before: number | null): number | null => (before === null ? null : micros(t - before));
