import { DIALECTS } from '../dialects/index.ts';
import { Failure } from '../model/failure.ts';
import { type Playback, readPlayback } from '../output/play/playback.ts';
import { printPlayback } from '../output/play/print-playback.ts';
import { watchPlayback } from '../output/play/watch.ts';
import { reportDamage } from '../output/terminal/io.ts';
import { jsonPrinter, textPrinter } from '../output/terminal/live.ts';
import { keyLines } from '../output/terminal/play-keys.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { storeHome } from '../storage/store/home.ts';
import { locate, withPlace } from '../storage/store/open.ts';
import type { CommandContext, Define, Flags } from './index.ts';
import {
  cannotCombine,
  frameNumber,
  INSTANT,
  MAX_GAP,
  noFrames,
  noTurn,
  oneNamed,
  type PaceOptions,
  paceOf,
  SHOW_SECRETS,
  SPEED,
  wholeNumber,
} from './shared/options.ts';
import { INTERRUPTED, onStop } from './shared/stop-signals.ts';

const HELP = `
Examples:
  $ wiretape play                          the newest session, as it happened
  $ wiretape play k3f9 --speed 10x         ten times as fast
  $ wiretape play k3f9 --max-gap 2s        without the long pauses
  $ wiretape play k3f9 --turn 3            only turn 3
  $ wiretape play k3f9 --from f120 --until f300
  $ wiretape play k3f9 --instant           all of it at once, then step back
  $ wiretape play k3f9 --speed 4 > log.txt as lines, still at that pace
  $ wiretape play k3f9 --json | my-viewer  one JSON object per frame, in time

Keys on a terminal:
${keyLines()
  .map((line) => `  ${line}`)
  .join('\n')}

--max-gap is the longest wait for a frame; skipped time is shown.
A running session is played from its start, and followed from the moment that
playing catches up with its recording.
If stdout is not a terminal, each frame is a line, and streamed text appears as
it arrived, as in wiretape tail; for the whole timeline as JSON, use wiretape
show --json.`;

interface PlayOptions extends PaceOptions, Flags<'full' | 'json'> {
  from?: number;
  until?: number;
  turn?: number;
  dialect?: string;
}

export const define: Define = (command, context) => {
  command
    .argument('[session]', 'a session or a tape (default: last)')
    .option(...SPEED)
    .option(...MAX_GAP)
    .option(...INSTANT)
    .option('--from <frame>', 'start with this frame, such as f120', frameNumber('--from'))
    .option('--until <frame>', 'end with this frame', frameNumber('--until'))
    .option('--turn <number>', 'only this turn', wholeNumber('--turn', 1))
    .option('--full', 'do not shorten long results')
    .option('--dialect <dialect>', 'the protocol, if detection is wrong')
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per frame, in time')
    .addHelpText('after', HELP)
    .action(async (word: string | undefined, options: PlayOptions) => {
      checkRange(options);
      const dialect = options.dialect === undefined ? null : oneNamed('dialect', options.dialect, DIALECTS).name;
      const place = locate(storeHome(context.io.env), word ?? 'last');
      const pace = paceOf(options);
      const played = await withPlace(place, async (session) =>
        readPlayback(place, session, dialect, options.turn ?? null),
      );
      await play(context, played, { pace, ...rangeOf(played, options) }, options);
      reportDamage(context.io, place.id, played.damaged);
    });
};

function checkRange({ from, until, turn }: PlayOptions): void {
  if (turn !== undefined && from !== undefined) throw cannotCombine('--turn', '--from');
  if (turn !== undefined && until !== undefined) throw cannotCombine('--turn', '--until');
  if (from !== undefined && until !== undefined && until < from)
    throw new Failure(`no frames from f${from} to f${until}`, 'give the smaller number to --from');
}

/** The first and the last frame that are played. */
function rangeOf(
  { id, last, turn: found }: Playback,
  { from, until, turn }: PlayOptions,
): { from: number; until: number } {
  const end = Number.POSITIVE_INFINITY;
  if (turn !== undefined && !found) throw noTurn(id, turn);
  if (found) return { from: found.first, until: found.last ?? end };
  if (from !== undefined && from > last.f) throw noFrames(id, from, from);
  return { from: from ?? 1, until: until ?? end };
}

async function play(
  { io, exit }: CommandContext,
  played: Playback,
  what: Pick<Parameters<typeof printPlayback>[2], 'pace' | 'from' | 'until'>,
  { json, full = false }: PlayOptions,
): Promise<void> {
  const stopping = new AbortController();
  const end = (code: number) => {
    exit(code);
    stopping.abort();
  };
  const stopListening = onStop(end);
  const common = { ...what, stop: stopping.signal, now: () => performance.now() / 1000 };
  const watching = { ...common, full, interrupted: () => end(INTERRUPTED), closed: () => stopping.abort() };
  try {
    if (!json && (await watchPlayback(io, played, watching))) return;
    const printer = json ? jsonPrinter(played.id) : textPrinter(played.id, io.columns, themeFor(io.color));
    await printPlayback(played, printer, { ...common, write: (text) => io.write(text) });
  } finally {
    stopListening();
  }
}
