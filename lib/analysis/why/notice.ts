/** An agent that prints a text and exits, in place of starting: it says why itself, in words that no client reads. */

import { noticeHint } from '../../dialects/common/notices.ts';
import type { Place } from '../../model/ledger/records.ts';
import { because, type Rule } from './cause.ts';
import { complaintOf } from './stderr.ts';
import type { Watch } from './watch.ts';

export interface Notice extends Place {
  cause: string;
  hint: string | null;
}

export const noticed: Rule = (open, watch, moment) => {
  const notice = open.asker === 'client' && !moment.running ? noticeOf(watch) : null;
  return notice && because('notice', notice.cause, notice.hint);
};

/** Null if it ever sent a message, still runs, or was ended by a signal. */
export function noticeOf(watch: Watch): Notice | null {
  const { lines, process } = watch;
  const { ending, signal } = process;
  const { noise } = lines;
  if (!noise || lines.hasAgentSpoken || ending?.event !== 'exit' || ending.code === null || signal) return null;
  return {
    ...{ f: noise.f, t: noise.t },
    cause: `the agent printed a notice instead of starting (f${noise.f}: ${noise.text}), and exited with code ${ending.code} (f${ending.f})`,
    hint: noticeHint(noise.text) ?? complaintOf(watch),
  };
}
