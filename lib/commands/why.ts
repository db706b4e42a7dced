import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { microsOf } from '../core/frame.ts';
import { micros } from '../core/interval.ts';
import type { Moment } from '../core/moment.ts';
import { Exit } from '../failure.ts';
import { type Io, writeAll } from '../io.ts';
import { noSessions } from '../options.ts';
import { Pass } from '../session/pass.ts';
import { idOf } from '../session/session.ts';
import { JOURNAL, sessionsDir, storeHome } from '../store/home.ts';
import { momentOf } from '../store/moment.ts';
import { locate, metadataOf, type OpenSession, withPlace } from '../store/open.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { listIds, placeOf, type SessionPlace } from '../store/sessions.ts';
import { themeFor } from '../terminal/theme.ts';
import { whyText } from '../terminal/why-view.ts';
import { explain, type Obligation } from '../why/explain.ts';
import { remarkRow, remarks } from '../why/remarks.ts';
import { Watch } from '../why/watch.ts';
import type { Define, Flags } from './index.ts';

const HELP = `
Examples:
  $ wiretape why       the newest running session, or the newest
  $ wiretape why k3f9  a session that hung or was killed
  $ wiretape why --json | jq 'select(.follows | not) | .cause'

An obligation is a request without an answer. The client owes answers to
approvals, questions, external tools and hooks. The agent owes answers to
prompts, handshakes and calls. The most likely cause is shown if it is known.
Exit codes: 0 no open requests, 1 open requests, 2 unreadable session.`;

type Options = Flags<'json'>;

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[session]', 'a session or a tape (default: the newest running, or the newest)')
    .option('--json', 'print one JSON object per obligation')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: Options) => {
      const home = storeHome(io.env);
      const place = word === undefined ? newest(home) : locate(home, word);
      const obligations = await withPlace(place, (session) => print(io, session, options));
      if (obligations.length > 0) exit(Exit.no);
    });
};

/** The newest running session, or the newest of all. */
function newest(home: string): SessionPlace {
  const ids = listIds(home);
  const running = ids.findLast((id) => {
    const dir = join(sessionsDir(home), id);
    return existsSync(join(dir, JOURNAL)) && lifeOf(readOwner(dir)) === 'alive';
  });
  const id = running ?? ids.at(-1);
  if (id === undefined) throw noSessions(home);
  return placeOf(home, id);
}

async function print(io: Io, session: OpenSession, { json }: Options): Promise<Obligation[]> {
  const metadata = metadataOf(session);
  const pass = new Pass(session);
  const watch = new Watch(pass);
  pass.run(watch);
  const startedAt = microsOf(metadata.started_at);
  const moment = momentOf(session, watch);
  const id = idOf(session);
  const obligations = explain(id, startedAt, watch, moment);
  if (json) {
    const beside = besides(startedAt, watch, moment);
    const rows = [...obligations, ...remarks(watch, obligations).map((one) => remarkRow(id, startedAt, one))];
    for (const one of rows) if (!(await io.json({ ...one, ...beside }))) break;
    return obligations;
  }
  const { command } = metadata;
  const state = session.running
    ? 'running'
    : watch.process.ending
      ? ENDED[watch.process.ending.event]!
      : 'not complete';
  io.page();
  const about = { session: id, command, state, obligations, watch, moment };
  await writeAll(io, whyText(about, io.columns, themeFor(io.color)));
  return obligations;
}

const ENDED: Record<string, string> = { exit: 'ended', lost: 'killed', 'spawn-failed': 'never started' };

/** The same for each obligation. */
function besides(startedAt: number, { lines, process: { stalled, ending } }: Watch, moment: Moment) {
  const { last, stderr } = lines;
  const since = (place: { f: number; t: number } | null) =>
    place && { f: place.f, ago: Math.max(0, micros(moment.t - place.t)) };
  return {
    running: moment.running,
    at: new Date((startedAt + moment.t * 1e6) / 1000).toISOString(),
    last: { client: since(last.client), agent: since(last.agent) },
    process: moment.process,
    unfinished: moment.unfinished.map(({ from, bytes, head, t }) => ({ from, bytes, head, age: micros(moment.t - t) })),
    stalled: stalled && { whose: stalled.whose, stream: stalled.stream, f: stalled.f },
    undelivered: ending?.undelivered ?? null,
    stderr: stderr.tail,
  };
}
