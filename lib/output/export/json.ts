/** The whole session as one JSON document: what `ls`, `stats`, `approvals` and `show` print of it, for other programs. */
import { Audit } from '../../analysis/audit/audit.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { rowJson } from '../../analysis/audit/row-json.ts';
import { microsOf } from '../../model/frame.ts';
import { timelineRows } from '../../model/timeline/json.ts';
import { Pass } from '../../session/pass.ts';
import { idOf } from '../../session/session.ts';
import { FrameMeter, statsOf } from '../../session/stats.ts';
import { statsRow } from '../../session/stats-json.ts';
import { toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import type { ExportFormat } from './index.ts';

export const json: ExportFormat = {
  name: 'json',
  summary: 'one document: summary, stats, approvals and the timeline',
  *write(session) {
    const [tally, meter] = [new SessionTally(), new FrameMeter()];
    const pass = new Pass(session, { tree: true });
    const audit = new Audit(pass);
    const rows = new Map<string, ApprovalRow>();
    const keep = (some: readonly ApprovalRow[]) => {
      for (const row of some) rows.set(`${row.f} ${row.n}`, row);
    };
    pass.run(tally, meter, { take: (read) => keep(audit.take(read)) });
    keep(audit.end());
    const { timeline } = pass;
    const startedAt = microsOf(session.metadata.started_at);
    const id = idOf(session);
    const summary = { ...toSummary(session, tally, pass), tape: undefined };
    yield `{"session":${JSON.stringify(summary)},\n`;
    yield `"handshake":${JSON.stringify(timeline.handshake)},\n`;
    yield `"stats":${JSON.stringify(statsRow(statsOf(timeline, meter, pass.damaged), timeline))},\n`;
    yield '"approvals":[';
    yield* lines([...rows.values()].map((row) => rowJson(id, startedAt, row)));
    yield '],\n"timeline":[';
    yield* lines(timelineRows(id, startedAt, timeline.entries));
    yield ']}\n';
  },
};

function* lines(values: Iterable<unknown>): Generator<string> {
  let before = '\n';
  for (const value of values) {
    yield `${before}${JSON.stringify(value)}`;
    before = ',\n';
  }
}
