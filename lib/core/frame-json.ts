/** A frame as the JSON that other programs may rely on: keys are added, never renamed; the unknown is null. */
import { type Frame, isoMicros } from './frame.ts';
import { readMessage, textOf } from './message.ts';

export type FrameJson = Record<string, unknown>;

/** `startedAt` in microseconds. What only a dialect knows is null. */
export function frameJson(session: string, startedAt: number, frame: Frame): FrameJson {
  const isLine = frame.form !== 'event';
  const raw = isLine ? textOf(frame.raw) : null;
  const message = readMessage(raw);
  return {
    session,
    f: frame.f,
    t: frame.t,
    at: isoMicros(startedAt + frame.t * 1e6),
    from: frame.from,
    envelope: message.envelope,
    kind: null,
    kinds: null,
    method: message.method,
    type: message.type,
    id: message.id,
    turn: null,
    step: null,
    subagent: null,
    parent: null,
    tool: null,
    tool_call_id: null,
    item: null,
    pair_f: null,
    latency: null,
    wait: null,
    status: null,
    code: message.code,
    size: frame.raw.length,
    flags: [],
    replayed: false,
    t0: frame.t0,
    eol: isLine ? frame.eol : null,
    event: frame.event,
    detail: isLine ? null : frame.detail,
    raw,
    ...(isLine && raw === null ? { raw_base64: base64(frame.raw) } : {}),
  };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
