/** A frame as the JSON that other programs may rely on: keys are added, never renamed; the unknown is null. */
import { type Frame, isoMicros } from '../core/frame.ts';
import { textOf } from '../core/message.ts';
import type { Facts } from './facts.ts';

export type FrameJson = Record<string, unknown>;

/** `startedAt` in microseconds. */
export function frameJson(session: string, startedAt: number, frame: Frame, facts: Facts): FrameJson {
  const isLine = frame.form !== 'event';
  const raw = isLine ? textOf(frame.raw) : null;
  const { f, t, from, envelope, kinds, flags } = facts;
  const { turn, step, subagent, parent, tool, tool_call_id, item, pair_f } = facts;
  const { latency, wait, gap, approval, by, status, code, size } = facts;
  return {
    ...{ session, f, t, at: isoMicros(startedAt + t * 1e6), from, envelope },
    ...{ kind: kinds[0] ?? null, kinds, method: facts.method, type: facts.type, id: facts.id },
    ...{ turn, step, subagent, parent, tool, tool_call_id, item, pair_f },
    ...{ latency, wait, gap, approval, by, status, code, size },
    flags: flags.filter((flag) => flag !== 'replayed'),
    replayed: flags.includes('replayed'),
    t0: frame.t0,
    eol: isLine ? frame.eol : null,
    event: frame.event,
    detail: isLine ? null : frame.detail,
    raw,
    ...(isLine && raw === null ? { raw_base64: base64(frame.raw) } : {}),
    // So many bytes of the line are not in `raw`: it is too long for it.
    ...(frame.cut ? { raw_cut: frame.cut.bytes } : {}),
  };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
