/** Causes after the end: the moment before it, and then what ended it. The end alone is a cause if the agent was at work. */
import type { FramePosition } from '../../model/ledger/records.ts';
import { humanBytes, humanSeconds } from '../../model/text/text.ts';
import { type CauseRule, firstCause, makeCause } from './cause.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';
import { STATE_RULES, stdinHint } from './state.ts';
import { stderrHint } from './stderr.ts';

export const afterEnd: CauseRule = (open, watch, moment) => {
  const { ending, clientEof } = watch.process;
  if (moment.running) return null;
  if (ending?.event === 'lost')
    return makeCause('recorder-killed', `the recorder was killed (f${ending.f}): what happened afterwards is unknown`);
  if (ending?.event === 'spawn-failed')
    return makeCause('not-started', `the agent could not be started (f${ending.f})`, 'wiretape doctor');
  const then = watch.before.of(open);
  const cause = then?.cause ?? firstCause(STATE_RULES, open, watch, moment);
  if (!cause || !ending) return cause;
  const cut = then?.cut ?? ending;
  const isOwnEnd = cut.f === ending.f;
  const end = cause.atWork ? endOf(open, watch, isOwnEnd) : null;
  const unread =
    cause.rule === 'stalled' && ending.undelivered > 0 ? `; ${humanBytes(ending.undelivered)} were never read` : '';
  const words = `${cause.cause}, then ${describeEnd(open, watch, cut)}${unread}`;
  const leaving = clientEof && clientEof.f > open.f && !watch.traits.stdinIsPrompt ? stdinHint(open) : null;
  if (!end) return { ...cause, cause: words, hint: cause.hint ?? leaving };
  return { ...cause, rule: end, cause: words, hint: stderrHint(watch) ?? leaving ?? (isOwnEnd ? null : cause.hint) };
};

/** The rule that names how it ended: by the client's doing, or by the agent's own. */
function endOf(
  { f }: UnansweredRequest,
  { process: { ending, clientEof, signal } }: SessionWatch,
  isOwnEnd: boolean,
): string {
  if (!isOwnEnd && clientEof && clientEof.f > f && !signal && ending!.code === 0) return 'stdin-closed';
  if (ending!.signal) return 'killed';
  return ending!.code === 0 ? 'exited' : 'failed';
}

/** `the client closed stdin (f13), sent SIGTERM (f14) 8.00 s later, and the agent exited with code 1 (f17)`. */
function describeEnd(open: UnansweredRequest, watch: SessionWatch, cut: FramePosition): string {
  const { clientEof, signal, ending } = watch.process;
  const parts: string[] = [];
  const eof = clientEof && clientEof.f >= cut.f ? clientEof : null;
  if (eof) parts.push(`the client closed stdin (f${eof.f})`);
  if (signal && signal.f >= cut.f) {
    const later = eof ? ` ${humanSeconds(signal.t - eof.t)} later` : '';
    parts.push(`${eof ? 'sent' : 'the client sent'} ${signal.name} (f${signal.f})${later}`);
  }
  const how = ending!.signal ? `was killed by ${ending!.signal}` : `exited with code ${ending!.code}`;
  const isMentioned =
    parts.length > 0 && (ending!.signal === (signal?.name ?? '') || (ending!.code === 0 && open.asker === 'agent'));
  if (ending!.code === 0 && parts.length > 0 && open.asker === 'client')
    parts.push('the agent exited without answering');
  else if (!isMentioned) parts.push(`the agent ${how} (f${ending!.f})`);
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
