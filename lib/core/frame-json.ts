/** A frame as the JSON that other programs may rely on: keys are added, never renamed; the unknown is null. */
import type { Event } from './event.ts';
import type { Pairing } from './exchange.ts';
import { type Frame, isoMicros } from './frame.ts';
import { type Message, textOf } from './message.ts';

export type FrameJson = Record<string, unknown>;

export interface ReadFrame {
  frame: Frame;
  message: Message;
  pairing: Pairing | null;
  events: Event[];
  where: { turn: number | null; step: number | null; item: number | null };
}

/** `startedAt` in microseconds. */
export function frameJson(session: string, startedAt: number, read: ReadFrame): FrameJson {
  const { frame, message, pairing, events, where } = read;
  const isLine = frame.form !== 'event';
  const raw = isLine ? textOf(frame.raw) : null;
  const [first] = events;
  const exchange = pairing?.exchange ?? null;
  const answers = pairing?.role === 'answers' || pairing?.role === 'duplicate';
  const flags = [...new Set(events.flatMap((event) => event.flags ?? []))];
  return {
    session,
    f: frame.f,
    t: frame.t,
    at: isoMicros(startedAt + frame.t * 1e6),
    from: frame.from,
    envelope: message.envelope,
    kind: first?.kind ?? null,
    kinds: events.map(({ kind }) => kind),
    method: message.method,
    type: message.type,
    id: message.id,
    turn: where.turn,
    step: where.step,
    subagent: first?.subagent ?? null,
    parent: first?.parent ?? null,
    tool: anyOf(events, 'tool'),
    tool_call_id: anyOf(events, 'call'),
    item: where.item,
    pair_f: exchange ? (answers ? exchange.askedF : exchange.answerF) : null,
    latency: exchange && answers ? round(frame.t - exchange.askedT) : null,
    wait: null,
    status: anyOf(events, 'status'),
    code: message.code,
    size: frame.raw.length,
    flags: flags.filter((flag) => flag !== 'replayed'),
    replayed: flags.includes('replayed'),
    t0: frame.t0,
    eol: isLine ? frame.eol : null,
    event: frame.event,
    detail: isLine ? null : frame.detail,
    raw,
    ...(isLine && raw === null ? { raw_base64: base64(frame.raw) } : {}),
  };
}

function anyOf(events: Event[], key: string): unknown {
  for (const event of events) {
    const value = (event as unknown as Record<string, unknown>)[key];
    if (value !== undefined && value !== null) return value;
  }
  return null;
}

function round(seconds: number): number {
  return Math.round(seconds * 1e6) / 1e6;
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
