import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Metadata, microsOf } from '../core/frame.ts';
import { TimelineBuilder } from '../core/timeline/builder.ts';
import { detectDialect } from '../dialects/read.ts';
import { SessionReader } from '../dialects/session.ts';
import { Exit, Failure } from '../failure.ts';
import { type Io, writeAll } from '../io.ts';
import { agentProcess } from '../record/agent-process.ts';
import { locate, metadataOf, type OpenSession, withPlace } from '../record/open.ts';
import { JOURNAL, sessionsDir, storeHome } from '../store/home.ts';
import { lifeOf, readOwner } from '../store/owner.ts';
import { listIds, placeOf, type SessionPlace } from '../store/sessions.ts';
import { readFrames } from '../tape/read.ts';
import { unfinishedLines } from '../tape/unfinished.ts';
import { themeFor } from '../terminal/theme.ts';
import { whyText } from '../terminal/why-view.ts';
import type { Moment } from '../why/cause.ts';
import { explain, type Obligation } from '../why/explain.ts';
import { Watch } from '../why/watch.ts';
import type { Define } from './index.ts';

const HELP = `
Examples:
  $ wiretape why                 the session that runs, else the newest: who owes whom an answer, and why
  $ wiretape why k3f9            one that hung, or was killed
  $ wiretape why --json | jq 'select(.follows | not) | .cause'

An obligation is a request without an answer: an approval, a question, an external tool or a hook that the client owes;
a prompt, a handshake, a call that the agent owes. The cause is the likely one, where a rule knows it.
Exit codes: 0 nothing is owed, 1 something is, 2 the session cannot be read.`;

interface Options {
  json?: boolean;
}

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[session]', 'a session or a tape (default: the newest that runs, else the newest)')
    .option('--json', 'one object an obligation')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: Options) => {
      const home = storeHome(io.env);
      const place = word === undefined ? newest(home) : locate(home, word);
      const obligations = await withPlace(place, (session) => print(io, session, options));
      if (obligations.length > 0) exit(Exit.no);
    });
};

/** Of those whose recorder lives, else of all. */
function newest(home: string): SessionPlace {
  const ids = listIds(home);
  const running = ids.findLast((id) => {
    const dir = join(sessionsDir(home), id);
    return existsSync(join(dir, JOURNAL)) && lifeOf(readOwner(dir)) === 'alive';
  });
  const id = running ?? ids.at(-1);
  if (id === undefined) throw new Failure(`no sessions in ${home}`, 'record one: wiretape record -- AGENT');
  return placeOf(home, id);
}

async function print(io: Io, session: OpenSession, { json }: Options): Promise<Obligation[]> {
  const metadata = metadataOf(session);
  const watch = watched(session, metadata);
  const startedAt = microsOf(metadata.started_at);
  const moment = momentOf(session, startedAt, watch);
  const id = session.dir ? session.id : metadata.session;
  const obligations = explain(id, startedAt, watch, moment);
  if (json) {
    const beside = besides(startedAt, watch, moment);
    for (const one of obligations) if (!(await io.json({ ...one, ...beside }))) break;
    return obligations;
  }
  const { command } = metadata;
  const state = session.running ? 'running' : watch.fate.ending ? ENDED[watch.fate.ending.event]! : 'not complete';
  io.page();
  const about = { session: id, command, state, obligations, watch, moment };
  await writeAll(io, whyText(about, io.columns, themeFor(io.color)));
  return obligations;
}

const ENDED: Record<string, string> = { exit: 'ended', lost: 'killed', 'spawn-failed': 'never started' };

/** All that is on the tape. */
function watched({ tape }: OpenSession, { command, dialect: given }: Metadata): Watch {
  const session = { command, dialect: typeof given === 'string' ? given : null, frames: () => readFrames(tape) };
  const { dialect } = detectDialect(session);
  const reader = new SessionReader(dialect, session);
  const builder = new TimelineBuilder({ keep: false });
  const watch = new Watch({ command, dialect: dialect.name });
  for (const frame of session.frames()) {
    const reading = reader.read(frame);
    watch.take({ ...reading, where: builder.take(reading) });
  }
  return watch;
}

/** Now, if it runs; else its end. */
function momentOf({ dir, running }: OpenSession, startedAt: number, watch: Watch): Moment {
  if (!running || dir === null) return { t: watch.now.t, running: false, process: null, unfinished: [] };
  const t = Math.max(watch.now.t, (Date.now() * 1000 - startedAt) / 1e6);
  const process = watch.fate.ending ? null : agentProcess(dir, watch.fate.spawn?.pid ?? null);
  return { t, running, process, unfinished: unfinishedIn(dir) };
}

function unfinishedIn(dir: string): Moment['unfinished'] {
  try {
    return unfinishedLines(join(dir, JOURNAL));
  } catch {
    // It has ended just now.
    return [];
  }
}

/** The same for each obligation. */
function besides(startedAt: number, { last, stderr, fate: { stalled, ending } }: Watch, moment: Moment) {
  const since = (place: { f: number; t: number } | null) =>
    place && { f: place.f, ago: Math.max(0, Math.round((moment.t - place.t) * 1e6) / 1e6) };
  return {
    running: moment.running,
    at: new Date((startedAt + moment.t * 1e6) / 1000).toISOString(),
    last: { client: since(last.client), agent: since(last.agent) },
    process: moment.process,
    unfinished: moment.unfinished.map(({ from, bytes }) => ({ from, bytes })),
    stalled: stalled && { whose: stalled.whose, stream: stalled.stream, f: stalled.f },
    undelivered: ending?.undelivered ?? null,
    stderr: stderr.tail,
  };
}
