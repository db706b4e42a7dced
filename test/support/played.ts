/** A small session to play, and a player whose clock a test moves. */
import type { Pace } from '../../lib/model/pace.ts';
import { findFrames } from '../../lib/output/play/find-frames.ts';
import { readPlayback } from '../../lib/output/play/playback.ts';
import { Player } from '../../lib/output/play/player.ts';
import { Reel } from '../../lib/output/play/reel.ts';
import { type PlayState, playScreen } from '../../lib/output/terminal/play-view.ts';
import { themeFor } from '../../lib/output/terminal/theme.ts';
import { locate, withPlace } from '../../lib/storage/store/open.ts';
import type { TestJournal } from './journal.ts';
import { makeSession, rpc } from './session.ts';

const event = (type: string, payload: unknown) => rpc({ method: 'event', params: { type, payload } });
const text = (words: string) => event('ContentPart', { type: 'text', text: words });
const approval = { id: 'r', tool_call_id: 'c', sender: 'Shell', action: 'run command', description: 'Run `make`' };

/** What happens when, in seconds: two turns, and an approval that is waited for a minute. Frames are numbered from 1. */
const TALK: readonly [t: number, from: 'client' | 'agent', line: string][] = [
  [0, 'client', rpc({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } })],
  [0.5, 'agent', rpc({ id: 'i', result: { protocol_version: '1.10', server: { name: 'Kimi', version: '1.49.0' } } })],
  [1, 'client', rpc({ id: 'p', method: 'prompt', params: { user_input: 'build it' } })],
  [1, 'agent', event('TurnBegin', { user_input: 'build it' })],
  [1.5, 'agent', event('StepBegin', { n: 1 })],
  [2, 'agent', text('I will ')],
  [3, 'agent', text('build 世界.')],
  [
    4,
    'agent',
    event('ToolCall', { type: 'function', id: 'c', function: { name: 'Shell', arguments: '{"command":"make"}' } }),
  ],
  [5, 'agent', rpc({ method: 'request', id: 'r', params: { type: 'ApprovalRequest', payload: approval } })],
  [65, 'client', rpc({ id: 'r', result: { request_id: 'r', response: 'approve' } })],
  [
    75,
    'agent',
    event('ToolResult', {
      tool_call_id: 'c',
      return_value: { is_error: false, output: 'done', message: '', display: [] },
    }),
  ],
  [75, 'agent', event('TurnEnd', {})],
  [75, 'agent', rpc({ id: 'p', result: { status: 'finished' } })],
  [80, 'client', rpc({ id: 'q', method: 'prompt', params: { user_input: 'thanks' } })],
  [80, 'agent', event('TurnBegin', { user_input: 'thanks' })],
  [81, 'agent', text('\x1b[2J\u202eall \x07clear')],
  [82, 'agent', event('TurnEnd', {})],
  [82, 'agent', rpc({ id: 'q', result: { status: 'finished' } })],
];

/** Its last frame is f19, the exit at 83 seconds. */
export function makeTalk(home: string): string {
  const fill = (journal: TestJournal) => {
    for (const [t, from, line] of TALK) journal.data(from, t * 1e6, line);
    journal.exit(83e6);
  };
  return makeSession(home, fill, { about: { command: ['kimi', '--wire'] } }).id;
}

export interface Played {
  player: Player;
  /** Moves the clock to that second, and shows what is due. */
  at(second: number): Promise<PlayState>;
  press(...names: string[]): Promise<PlayState>;
  /** Types a line after `/`, and the Enter key. */
  search(query: string): Promise<PlayState>;
  /** The lines of the screen. */
  screen(columns?: number, rows?: number): string[];
  close(): Promise<void>;
}

const SPECIAL = /^(?:ctrl-.|[a-z]{2,})$/;

export async function playTalk(
  home: string,
  pace: Pace,
  { from = 1, until = Number.POSITIVE_INFINITY }: { from?: number; until?: number } = {},
): Promise<Played> {
  const place = locate(home, makeTalk(home));
  const { metadata, names, dialect, last } = await withPlace(place, async (opened) =>
    readPlayback(place, opened, null, null),
  );
  let second = 0;
  const reel = new Reel(place, { metadata, dialect, until });
  const player = new Player({
    ...{ reel, pace, session: { metadata, names }, last, full: false },
    ...{ now: () => second, lasted: () => reel.at.t, pause: async () => true },
    find: (query, pause) => findFrames(place, dialect, query, pause),
  });
  await player.begin(from);
  await player.advance();
  const press = async (...keys: string[]) => {
    for (const name of keys) await player.press({ name, text: SPECIAL.test(name) ? '' : name });
    await player.advance();
    return player.state();
  };
  return {
    player,
    async at(moment) {
      second = moment;
      await player.advance();
      return player.state();
    },
    press,
    search: (query) => press('/', ...query, 'return'),
    screen: (columns = 80, rows = 24) =>
      playScreen(player.state(), { columns, rows }, themeFor(false)).text.split('\n'),
    close: () => reel.close(),
  };
}
