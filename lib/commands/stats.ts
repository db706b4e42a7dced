import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { type Io, progressReporter, reportError, writeAll } from '../output/terminal/io.ts';
import { sessionHead } from '../output/terminal/session-head.ts';
import { type Measured, oneSession, sessionList, toolList } from '../output/terminal/stats-view.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { Pass } from '../session/pass.ts';
import { addTools, FrameMeter, statsOf } from '../session/stats.ts';
import { statsRow } from '../session/stats-json.ts';
import { type Summary, toSummary } from '../session/summary.ts';
import { SessionTally } from '../session/tally.ts';
import { describeMissing, isMostlyUnread } from '../session/understanding.ts';
import { chooseSessions } from '../storage/search/choose-sessions.ts';
import { readQuery } from '../storage/search/query.ts';
import { storeHome } from '../storage/store/home.ts';
import { clockOf } from '../storage/store/moment.ts';
import { metadataOf, type OpenSession, withPlace } from '../storage/store/open.ts';
import type { SessionPlace } from '../storage/store/sessions.ts';
import { UnreadableTape } from '../storage/tape/unreadable.ts';
import type { Define, Flags } from './index.ts';
import { SHOW_SECRETS } from './shared/options.ts';
import { selectedPlaces } from './shared/selection.ts';

const HELP = `
Examples:
  $ wiretape stats                            the newest session
  $ wiretape stats k3f9 last~1                several, with all of their tools
  $ wiretape stats -q 'agent:kimi* is:error'  all sessions that match a query
  $ wiretape stats --all --json | jq .phases  one JSON object per session

Waiting: an approval or a question is open. Busy: none is open, but a turn, a
call or a request of the client is. Idle: the rest. p95: 95% took no longer.
Exit codes: 0 success, 1 no session matches, 2 a session is unreadable; the
others are still shown.`;

interface StatsOptions extends Flags<'all' | 'json'> {
  query?: string;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: last)')
    .option('-a, --all', 'all sessions in the store')
    .option('-q, --query <query>', 'only sessions that match (default: the whole store)')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per session')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: StatsOptions) => {
      const home = storeHome(io.env);
      if (options.query !== undefined) {
        const query = readQuery(options.query);
        const found = await chooseSessions(home, words, query, progressReporter(io, 'reading tapes'));
        if (found.length === 0) io.say('wiretape: no session matches');
        return exit(found.length === 0 ? Exit.no : await printSeveral(io, found, options));
      }
      const places = selectedPlaces(home, words, options.all);
      if (places.length === 1) return withPlace(places[0]!, (session) => printOne(io, session, options));
      exit(await printSeveral(io, places, options));
    });
};

/** An unreadable session does not stop the others. */
async function printSeveral(io: Io, places: SessionPlace[], options: StatsOptions): Promise<number> {
  const measured: MeasuredSession[] = [];
  let failed = 0;
  for (const [done, place] of places.entries()) {
    io.progress('reading tapes', done, places.length);
    try {
      await withPlace(place, async (session) => {
        if (options.json) await printOne(io, session, options);
        // There may be thousands of sessions: drop the entries, which are no longer needed.
        else {
          const one = measure(session);
          measured.push({ ...one, timeline: { ...one.timeline, entries: [] } });
        }
      });
    } catch (error) {
      if (!(error instanceof Failure || error instanceof UnreadableTape)) throw error;
      reportError(error, io);
      failed++;
    }
  }
  io.progress('', 0, 0);
  if (!options.json && measured.length > 0) await printAll(io, measured);
  if (failed > 0) io.say(`wiretape: cannot read ${failed} of ${places.length} sessions`);
  return failed > 0 ? Exit.failed : Exit.ok;
}

interface MeasuredSession extends Measured {
  dialect: string;
  summary: Summary;
}

/** One pass over the tape. */
function measure(session: OpenSession): MeasuredSession {
  metadataOf(session);
  const pass = new Pass(session, { tree: true });
  const meter = new FrameMeter();
  const tally = new SessionTally();
  const { timeline, dialect, damaged } = pass.run(meter, tally);
  const { running, metadata } = session;
  const clock = clockOf({ running, started: metadata.started_at }, meter.seconds);
  const stats = statsOf(timeline, meter, damaged, clock);
  const summary = { ...toSummary(session, tally, pass), duration: clock };
  return { session: session.id, dialect, timeline, stats, summary };
}

async function printOne(io: Io, session: OpenSession, { json }: StatsOptions): Promise<void> {
  const measured = measure(session);
  const { dialect, timeline, stats, summary } = measured;
  if (json) {
    await io.json({ ...summary, ...statsRow(stats, timeline) });
    return;
  }
  const theme = themeFor(io.color);
  io.page();
  const { columns } = io;
  const { running, names } = session;
  const head = { columns, theme, running, clock: stats.seconds, counts: false, read: summary.read, ...names };
  await writeAll(io, sessionHead(session.metadata, { ...timeline, dialect }, head));
  await io.write('\n');
  await writeAll(io, oneSession(measured, io.columns, theme, !isMostlyUnread(summary.read)));
}

async function printAll(io: Io, measured: MeasuredSession[]): Promise<void> {
  const theme = themeFor(io.color);
  io.page();
  await writeAll(io, sessionList(measured, io.columns, theme));
  const tools = addTools(measured.map(({ stats }) => stats.tools));
  if (tools.length > 0) await io.write('\n');
  await writeAll(io, toolList(tools, io.columns, theme));
  for (const { session, summary } of measured) {
    const missing = describeMissing(summary.read);
    if (missing !== null) io.say(`wiretape: ${visible(session)}: ${missing}`);
  }
}
