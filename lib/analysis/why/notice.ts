/** An agent that prints a text and exits, in place of starting: it says why itself, in words that no client reads. */

import { noticeHint } from '../../dialects/common/notices.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { type CauseRule, makeCause } from './cause.ts';
import type { SessionWatch } from './session-watch.ts';
import { stderrHint } from './stderr.ts';

export interface Notice extends FramePosition {
  cause: string;
  hint: string | null;
}

export const noticeRule: CauseRule = (open, watch, moment) => {
  const notice = open.asker === 'client' && !moment.running ? noticeOf(watch) : null;
  return notice && makeCause('notice', notice.cause, notice.hint);
};

/** Null if it ever sent a message, still runs, or was ended by a signal. */
export function noticeOf(watch: SessionWatch): Notice | null {
  const { lines, process } = watch;
  const { ending, signal } = process;
  const { noise } = lines;
  if (!noise || lines.hasAgentMessage || ending?.event !== 'exit' || ending.code === null || signal) return null;
  return {
    ...{ f: noise.f, t: noise.t },
    cause: `the agent printed a notice instead of starting (f${noise.f}: ${noise.text}), and exited with code ${ending.code} (f${ending.f})`,
    hint: noticeHint(noise.text) ?? stderrHint(watch),
  };
}
