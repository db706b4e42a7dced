import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { doubtOf } from '../analysis/why/doubt.ts';
import type { Obligation } from '../analysis/why/explain.ts';
import { SessionWatch } from '../analysis/why/session-watch.ts';
import { makeWhyReport, type WhyReport, whyRows } from '../analysis/why/why-report.ts';
import { Exit } from '../model/failure.ts';
import { dateOf, type Metadata } from '../model/frame.ts';
import { type Io, writeAll } from '../output/terminal/io.ts';
import type { Screen } from '../output/terminal/screen.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { WhyChanges } from '../output/terminal/why-changes.ts';
import { whyText } from '../output/terminal/why-view.ts';
import { GrowingPass } from '../session/growing-pass.ts';
import { Pass } from '../session/pass.ts';
import { dialectIn } from '../session/source.ts';
import { follow } from '../storage/search/follow.ts';
import { JOURNAL, sessionsDir, storeHome } from '../storage/store/home.ts';
import { MomentReader, momentOf } from '../storage/store/moment.ts';
import { locate, metadataOf, type OpenSession, withPlace } from '../storage/store/open.ts';
import { lifeOf, readOwner } from '../storage/store/owner.ts';
import { listIds, placeOf, type SessionPlace } from '../storage/store/sessions.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import { noSessions, SHOW_SECRETS } from './shared/options.ts';
import { onStop } from './shared/stop-signals.ts';

const HELP = `
Examples:
  $ wiretape why          the newest running session, or the newest
  $ wiretape why k3f9     a session that hung or was killed
  $ wiretape why --watch  stay on the screen until the session ends
  $ wiretape why --json | jq 'select(.follows | not) | .cause'
  $ wiretape why --json | jq -r 'select(.sender == "client") | .send'

An obligation is a request without an answer. The client owes answers to
approvals, questions, external tools and hooks. The agent owes answers to
prompts, handshakes and calls. The most likely cause is shown if it is known,
and the line that would answer.
In a protocol that wiretape cannot read, it says so and quotes the last lines.
Exit codes: 0 no open requests are known, 1 open requests, 2 unreadable session.`;

type WhyOptions = Flags<'json' | 'watch'>;

export const define: Define = (command, context) => {
  const { io, exit } = context;
  command
    .argument('[session]', 'a session or a tape (default: the newest running, or the newest)')
    .option('--watch', 'stay until the session ends: redraw on a terminal, else print changes')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per obligation')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: WhyOptions) => {
      const home = storeHome(io.env);
      const place = word === undefined ? newest(home) : locate(home, word);
      if (options.watch && !(await watchLive(context, place, options))) return;
      const obligations = await withPlace(place, (session) => printAnswer(io, session, options));
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

async function printAnswer(
  io: Io,
  session: OpenSession,
  { json, watch: isWatched }: WhyOptions,
): Promise<Obligation[]> {
  const { source } = metadataOf(session);
  const pass = new Pass(session);
  const { command, dialect } = pass;
  const watch = new SessionWatch({ command, dialect, ...(typeof source === 'string' ? { source } : {}) });
  pass.run(watch);
  const answer = makeWhyReport(session, watch, momentOf(session, watch));
  if (json) await printJson(io, answer);
  else {
    if (!isWatched) io.page();
    await writeAll(io, whyText(answer, io.columns, themeFor(io.color)));
  }
  return answer.obligations;
}

async function printJson(io: Io, answer: WhyReport, obligations = answer.obligations): Promise<boolean> {
  for (const row of whyRows(answer, obligations)) if (!(await io.json(row))) return false;
  return true;
}

/** How often what only grows older is drawn again. */
const TICK_MS = 1000;
/** The exit code after SIGHUP. */
const HUNG_UP = 129;

/** Until the session ends; false if it was stopped before. */
async function watchLive({ io, exit }: CommandContext, place: SessionPlace, options: WhyOptions): Promise<boolean> {
  const stop = new AbortController();
  let isHungUp = false;
  const stopListening = onStop((code) => {
    isHungUp ||= code === HUNG_UP;
    exit(code);
    stop.abort();
  });
  let due = 0;
  const watcher = {
    resized: () => {
      due = 0;
    },
    closed: () => {
      isHungUp = true;
      stop.abort();
    },
  };
  let screen: Screen | null = null;
  const changes = new WhyChanges();
  const moments = new MomentReader();
  try {
    let pass: GrowingPass<SessionWatch> | null = null;
    let metadata: Metadata | null = null;
    for await (const followed of follow(place, stop.signal)) {
      if (followed) {
        metadata ??= followed.metadata;
        const source = { command: metadata.command, dialect: dialectIn(metadata) };
        pass ??= new GrowingPass(source, (info) => new SessionWatch(info));
        pass.take(followed.frame);
        due = 0;
      } else if (pass && metadata && Date.now() >= due) {
        due = Date.now() + TICK_MS;
        pass.flush();
        // A session that has ended is only explained.
        if (!options.json) screen ??= io.screen?.(watcher) ?? null;
        const session = { id: place.id, dir: place.dir, running: true, metadata };
        const answer = makeWhyReport(session, pass.observer, moments.of(session, pass.observer));
        if (!(await showChanges(io, screen, changes, answer, options))) stop.abort();
      }
    }
  } finally {
    stopListening();
    screen?.close();
  }
  // Node aborts when it restores a terminal that has been closed, so the process ends by SIGHUP instead.
  if (isHungUp && screen) process.kill(process.pid, 'SIGHUP');
  return !stop.signal.aborted;
}

/** False if the reader has closed the pipe. */
async function showChanges(
  io: Io,
  screen: Screen | null,
  changes: WhyChanges,
  answer: WhyReport,
  { json }: WhyOptions,
): Promise<boolean> {
  const { obligations, startedAt, moment } = answer;
  if (screen) {
    screen.draw([...whyText(answer, screen.columns, themeFor(io.color))].join(''));
    return true;
  }
  const changed = changes.changed(obligations);
  if (json) {
    changes.remember(obligations);
    return changed.length === 0 || (await printJson(io, answer, changed));
  }
  const at = dateOf(startedAt + moment.t * 1e6)
    .toISOString()
    .slice(11, 19);
  const lines = [...changes.lines(obligations, at, doubtOf(answer.watch))].join('');
  return lines === '' || (await io.write(lines));
}
