import type { Metadata } from '../core/frame.ts';
import { addTools, FrameMeter, statsOf } from '../core/stats.ts';
import { statsRow } from '../core/stats-json.ts';
import { TimelineBuilder } from '../core/timeline/builder.ts';
import type { Timeline } from '../core/timeline/shape.ts';
import { detectDialect } from '../dialects/read.ts';
import { SessionReader } from '../dialects/session.ts';
import { Exit, Failure } from '../failure.ts';
import { type Io, report, talkOn, writeAll } from '../io.ts';
import { locate, metadataOf, type OpenSession, withPlace } from '../record/open.ts';
import { chooseSessions } from '../search/choose.ts';
import { readQuery } from '../search/query.ts';
import { storeHome } from '../store/home.ts';
import { readNames } from '../store/names.ts';
import { listIds, placeOf, type SessionPlace } from '../store/sessions.ts';
import { summarise } from '../store/summary.ts';
import { readFrames, readTape } from '../tape/read.ts';
import { UnreadableTape } from '../tape/unreadable.ts';
import { sessionHead } from '../terminal/session-head.ts';
import { type Measured, oneSession, sessionList, toolList } from '../terminal/stats-view.ts';
import { themeFor } from '../terminal/theme.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape stats                            the newest session
  $ wiretape stats k3f9 last~1                several, with the tools of all of them
  $ wiretape stats -q 'agent:kimi* is:error'  all sessions that a query finds
  $ wiretape stats --all --json | jq .phases  for programs: one object a session

Busy: a turn or a call runs, or a request of the client is open, and no person is asked. Waiting: an approval or a
question is open; several at once count once. p95: 95 of 100 took no longer. Of several sessions, one that cannot be
read is named on stderr and left out; the exit code is 2 then.`;

interface Options {
  all?: boolean;
  query?: string;
  json?: boolean;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: last)')
    .option('-a, --all', 'every session of the store')
    .option('-q, --query <query>', 'only sessions that match, of all if none is named: wiretape help query')
    .option('--json', 'one object a line')
    .addHelpText('after', HELP)
    .action(async (words: string[], options: Options) => {
      const home = storeHome(io.env);
      if (options.all && words.length > 0)
        throw new Failure('--all leaves nothing to choose', 'name sessions, or say --all');
      if (options.query !== undefined) {
        const query = readQuery(options.query);
        const found = await chooseSessions(home, words, query, talkOn(io, 'reading tapes'));
        if (found.length === 0) io.say('wiretape: no session matches');
        return exit(found.length === 0 ? Exit.no : await printSeveral(io, found, options));
      }
      const places = options.all
        ? listIds(home).map((id) => placeOf(home, id))
        : (words.length > 0 ? words : ['last']).map((word) => locate(home, word));
      if (places.length === 0) throw new Failure(`no sessions in ${home}`, 'record one: wiretape record -- AGENT');
      if (places.length === 1) return withPlace(places[0]!, (session) => printOne(io, session, options));
      exit(await printSeveral(io, places, options));
    });
};

/** One that cannot be read does not stop the others. */
async function printSeveral(io: Io, places: SessionPlace[], options: Options): Promise<number> {
  const measured: Measured[] = [];
  let failed = 0;
  for (const [done, place] of places.entries()) {
    io.progress('reading tapes', done, places.length);
    try {
      await withPlace(place, async (session) => {
        if (options.json) await printOne(io, session, options);
        // The entries are no longer needed, and there may be thousands of sessions.
        else measured.push(brief(measure(session)));
      });
    } catch (error) {
      if (!(error instanceof Failure || error instanceof UnreadableTape)) throw error;
      report(error, io);
      failed++;
    }
  }
  io.progress('', 0, 0);
  if (!options.json && measured.length > 0) await printAll(io, measured);
  if (failed > 0) io.say(`wiretape: ${failed} of ${places.length} sessions could not be read`);
  return failed > 0 ? Exit.failed : Exit.ok;
}

interface Read extends Measured {
  metadata: Metadata;
  timeline: Timeline & { dialect: string };
}

/** One pass for all of it. */
function measure(session: OpenSession): Read {
  const metadata = metadataOf(session);
  const frames = () => readFrames(session.tape);
  const given = typeof metadata.dialect === 'string' ? metadata.dialect : null;
  const { dialect } = detectDialect({ command: metadata.command, frames, dialect: given });
  const reader = new SessionReader(dialect, metadata);
  const builder = new TimelineBuilder();
  const meter = new FrameMeter();
  for (const entry of readTape(session.tape)) {
    if (entry.is === 'damaged') meter.damaged();
    if (entry.is !== 'frame') continue;
    const reading = reader.read(entry.frame);
    builder.take(reading);
    meter.take(reading);
  }
  const { timeline } = builder;
  const stats = statsOf(timeline, meter);
  return { session: session.id, metadata, timeline: { ...timeline, dialect: dialect.name }, stats };
}

function brief({ session, timeline, stats }: Read): Measured {
  return { session, timeline: { ...timeline, entries: [] }, stats };
}

async function printOne(io: Io, session: OpenSession, { json }: Options): Promise<void> {
  const read = measure(session);
  if (json) {
    await io.json({ ...summarise(session), ...statsRow(read.stats, read.timeline) });
    return;
  }
  const theme = themeFor(io.color);
  io.page();
  const { columns } = io;
  const names = session.dir === null ? { name: null, tags: {} } : readNames(session.dir);
  const head = { columns, theme, running: session.running, counts: false, ...names };
  await writeAll(io, sessionHead(read.metadata, read.timeline, head));
  await io.write('\n');
  await writeAll(io, oneSession(read, io.columns, theme));
}

async function printAll(io: Io, measured: Measured[]): Promise<void> {
  const theme = themeFor(io.color);
  io.page();
  await writeAll(io, sessionList(measured, io.columns, theme));
  const tools = addTools(measured.map(({ stats }) => stats.tools));
  if (tools.length > 0) await io.write('\n');
  await writeAll(io, toolList(tools, io.columns, theme));
}
