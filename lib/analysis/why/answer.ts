/** What `why` reports about a session: its obligations, and everything that is shown with them. */
import { dateOf, microsOf } from '../../model/frame.ts';
import { micros } from '../../model/interval.ts';
import type { Moment } from '../../model/moment.ts';
import { idOf, type Session } from '../../session/session.ts';
import { doubtRow } from './doubt.ts';
import { explain, type Obligation } from './explain.ts';
import type { Quote } from './lines.ts';
import { remarkRow, remarks } from './remarks.ts';
import type { Watch } from './watch.ts';

export interface Answer {
  session: string;
  command: readonly string[];
  state: string;
  obligations: Obligation[];
  watch: Watch;
  moment: Moment;
  /** Microseconds. */
  startedAt: number;
}

const ENDED: Record<string, string> = { exit: 'ended', lost: 'killed', 'spawn-failed': 'never started' };

export function answerOf(session: Pick<Session, 'dir' | 'id' | 'metadata'>, watch: Watch, moment: Moment): Answer {
  const { metadata } = session;
  const startedAt = microsOf(metadata.started_at);
  const id = idOf(session);
  const { ending } = watch.process;
  const state = moment.running ? 'running' : ending ? ENDED[ending.event]! : 'not complete';
  const obligations = explain(id, startedAt, watch, moment);
  return { session: id, command: metadata.command, state, obligations, watch, moment, startedAt };
}

/** The rows of `why --json`: obligations, remarks, and whether the tape can tell at all. */
export function answerRows(answer: Answer, obligations = answer.obligations): Record<string, unknown>[] {
  const { session, startedAt, watch, moment } = answer;
  const remarked = remarks(watch, answer.obligations).map((one) => remarkRow(session, startedAt, one, watch));
  const doubt = answer.obligations.length === 0 ? doubtRow(session, startedAt, watch) : null;
  const beside = besides(startedAt, watch, moment);
  return [...(doubt ? [doubt] : []), ...obligations, ...remarked].map((one) => ({ ...one, ...beside }));
}

/** The same for each obligation. */
function besides(startedAt: number, { lines, read, process: { stalled, ending } }: Watch, moment: Moment) {
  const { recent, stderr } = lines;
  const since = (line: Quote | undefined) =>
    line ? { f: line.f, ago: Math.max(0, micros(moment.t - line.t)), text: line.text } : null;
  return {
    running: moment.running,
    at: dateOf(startedAt + moment.t * 1e6).toISOString(),
    last: { client: since(recent.client.at(-1)), agent: since(recent.agent.at(-1)) },
    process: moment.process,
    unfinished: moment.unfinished.map(({ from, bytes, of = null, head, t }) => ({
      from,
      bytes,
      of,
      head,
      age: micros(moment.t - t),
    })),
    stalled: stalled && { whose: stalled.whose, stream: stalled.stream, f: stalled.f },
    undelivered: ending?.undelivered ?? null,
    stderr: stderr.tail,
    read,
  };
}
