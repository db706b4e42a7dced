/**
 * What `play` shows, as a recording for asciinema: at most twenty pictures a second, and pauses of more than two seconds
 * shortened by the player, as the header asks it to.
 */
import { microsOf } from '../../model/frame.ts';
import { Pass } from '../../session/pass.ts';
import { toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { type PlayedSession, type PlayState, playScreen, type RecentFrame } from '../terminal/play-view.ts';
import { themeFor } from '../terminal/theme.ts';
import type { ExportFormat } from './index.ts';

const SIZE = { columns: 100, rows: 32 };
/** Seconds between two pictures. */
const MIN_PICTURE_SECONDS = 0.05;
const MAX_PAUSE_SECONDS = 2;
/** Frames that are shown of a protocol without a timeline. */
const MAX_RECENT_FRAMES = 100;

export const asciicast: ExportFormat = {
  name: 'asciicast',
  ending: 'cast',
  summary: 'a recording of play, for asciinema',
  *write(session) {
    const tally = new SessionTally();
    const { agent } = toSummary(session, tally, new Pass(session).run(tally));
    const { metadata, names } = session;
    const timestamp = Math.floor(microsOf(metadata.started_at) / 1e6);
    const title = names.name ?? `${agent ?? metadata.command[0] ?? 'agent'} ${metadata.session}`;
    const header = {
      version: 2,
      width: SIZE.columns,
      height: SIZE.rows,
      timestamp,
      idle_time_limit: MAX_PAUSE_SECONDS,
    };
    yield line({ ...header, title, env: { TERM: 'xterm-256color' } });
    const pass = new Pass(session, { tree: true });
    const recent: RecentFrame[] = [];
    const state = initialState({ metadata, names, dialect: pass.dialect, timeline: pass.timeline, recent });
    let due = 0;
    let last = { f: 0, t: 0 };
    for (const { frame, message } of pass) {
      // A picture shows everything before the next frame.
      if (frame.t >= due && last.f > 0) {
        yield picture(state, last);
        due = frame.t + MIN_PICTURE_SECONDS;
      }
      recent.push({ frame, type: message.type ?? message.method });
      if (recent.length > MAX_RECENT_FRAMES) recent.shift();
      last = { f: frame.f, t: frame.t };
    }
    if (last.f > 0) yield picture({ ...state, mode: 'end', clock: null, lastT: last.t, lastF: last.f }, last);
  },
};

function initialState(session: PlayedSession): PlayState {
  return {
    ...{ session, mode: 'playing', clock: 0, speed: 1, f: 0, lastF: 0, t: 0, lastT: 0, turn: null, ahead: null },
    ...{ note: null, typed: null, isHelp: false, scroll: 0, full: false },
  };
}

const THEME = themeFor(true);

function picture(state: PlayState, { f, t }: { f: number; t: number }): string {
  const clock = state.mode === 'end' ? null : t;
  const { text } = playScreen(
    { ...state, f, t, clock, lastF: Math.max(f, state.lastF), lastT: Math.max(t, state.lastT) },
    SIZE,
    THEME,
  );
  const lines = text.split('\n').map((one) => `${one}\u001b[K`);
  return line([Math.round(t * 1e6) / 1e6, 'o', `\u001b[H${lines.join('\r\n')}\u001b[J`]);
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
