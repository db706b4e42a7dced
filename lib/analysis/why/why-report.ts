/** What `why` reports about a session: its obligations, and everything that is shown with them. */
import { dateOf, microsOf } from '../../model/frame.ts';
import { micros } from '../../model/interval.ts';
import type { SessionMoment } from '../../model/moment.ts';
import { idOf, type Session } from '../../session/session.ts';
import { doubtRow } from './doubt.ts';
import { explain, type Obligation } from './explain.ts';
import type { Quote } from './lines.ts';
import { remarkRow, remarks } from './remarks.ts';
import type { SessionWatch } from './session-watch.ts';

export interface WhyReport {
  session: string;
  command: readonly string[];
  state: string;
  obligations: Obligation[];
  watch: SessionWatch;
  moment: SessionMoment;
  /** Microseconds. */
  startedAt: number;
}

const ENDED: Record<string, string> = { exit: 'ended', lost: 'killed', 'spawn-failed': 'never started' };

export function makeWhyReport(
  session: Pick<Session, 'dir' | 'id' | 'metadata'>,
  watch: SessionWatch,
  moment: SessionMoment,
): WhyReport {
  const { metadata } = session;
  const startedAt = microsOf(metadata.started_at);
  const id = idOf(session);
  const { ending } = watch.process;
  const state = moment.running ? 'running' : ending ? ENDED[ending.event]! : 'not complete';
  const obligations = explain(id, startedAt, watch, moment);
  return { session: id, command: metadata.command, state, obligations, watch, moment, startedAt };
}

/** The rows of `why --json`: obligations, remarks, and whether the tape can tell at all. */
export function whyRows(answer: WhyReport, obligations = answer.obligations): Record<string, unknown>[] {
  const { session, startedAt, watch, moment } = answer;
  const remarked = remarks(watch, answer.obligations).map((one) => remarkRow(session, startedAt, one, watch));
  const doubt = answer.obligations.length === 0 ? doubtRow(session, startedAt, watch) : null;
  const common = commonFields(startedAt, watch, moment);
  return [...(doubt ? [doubt] : []), ...obligations, ...remarked].map((one) => ({ ...one, ...common }));
}

/** The same for each obligation. */
function commonFields(
  startedAt: number,
  { lines, read, process: { stalled, ending } }: SessionWatch,
  moment: SessionMoment,
) {
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
