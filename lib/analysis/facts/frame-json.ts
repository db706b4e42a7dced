/** A frame as JSON for other programs. Keys are added, never renamed; unknown values are null. */
import { type Frame, isoMicros } from '../../model/frame.ts';
import { textOf } from '../../model/message.ts';
import type { Facts } from './facts.ts';

export type FrameJson = Record<string, unknown>;

/** `startedAt` in microseconds. */
export function frameJson(session: string, startedAt: number, frame: Frame, facts: Facts): FrameJson {
  const isLine = frame.form !== 'event';
  const raw = isLine ? textOf(frame.raw) : null;
  // The other keys keep the order of the table.
  const { f, t, flag, flags, event, marks, ...rest } = facts;
  return {
    session,
    f,
    t,
    at: isoMicros(startedAt + t * 1e6),
    ...rest,
    flags: flags.filter((flag) => flag !== 'replayed'),
    replayed: flags.includes('replayed'),
    t0: frame.t0,
    head: frame.head ?? null,
    eol: isLine ? frame.eol : null,
    event,
    detail: isLine ? null : frame.detail,
    raw,
    ...(isLine && raw === null ? { raw_base64: base64(frame.raw) } : {}),
    // How many bytes of a long line are not in `raw`.
    ...(frame.cut ? { raw_cut: frame.cut.bytes } : {}),
  };
}

function base64(bytes: Uint8Array): string {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 8192) binary += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(binary);
}
