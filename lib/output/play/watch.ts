/** Plays a session on the screen of a terminal, until the user quits. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Pace } from '../../model/pace.ts';
import { clockOf } from '../../storage/store/moment.ts';
import { Wakeup } from '../../storage/system/wakeup.ts';
import type { Io } from '../terminal/io.ts';
import { Keyboard, type KeyPress } from '../terminal/keyboard.ts';
import { playScreen } from '../terminal/play-view.ts';
import type { Screen } from '../terminal/screen.ts';
import { type Theme, themeFor } from '../terminal/theme.ts';
import { findFrames } from './find-frames.ts';
import type { Playback } from './playback.ts';
import { Player } from './player.ts';
import { Reel } from './reel.ts';

export interface WatchOptions {
  pace: Pace;
  /** The frame to begin with, and the last one. */
  from: number;
  until: number;
  full: boolean;
  stop: AbortSignal;
  /** In seconds. */
  now(): number;
  /** Ctrl-C was pressed. */
  interrupted(): void;
  /** The terminal is gone. */
  closed(): void;
}

/** The least time between two pictures, in seconds. Pictures that take long to draw are drawn less often. */
const MIN_DRAW_SECONDS = 1 / 30;
/** A wait that is longer than planned by this many seconds means that the program was suspended. */
const SUSPENDED_SECONDS = 1;

/** False if there is no screen to draw on. */
export async function watchPlayback(io: Io, played: Playback, options: WatchOptions): Promise<boolean> {
  if (!io.interactive || !io.screen) return false;
  const wakeup = new Wakeup();
  const wake = () => wakeup.wake();
  const keys: KeyPress[] = [];
  const pressed = (key: KeyPress) => {
    if (key.name === 'ctrl-c') options.interrupted();
    else if (key.name === 'ctrl-z') screen?.suspend();
    else keys.push(key);
    wake();
  };
  const keyboard = Keyboard.open(pressed, options.closed);
  const screen = io.screen({ resized: wake, closed: options.closed, keys: keyboard });
  options.stop.addEventListener('abort', wake, { once: true });
  try {
    if (!screen) return false;
    // Without a keyboard, it ends by itself.
    await new PlaybackScreen(played, options, screen, themeFor(io.color)).run(wakeup, keys, keyboard !== null);
  } finally {
    screen?.close();
    keyboard?.close();
  }
  return true;
}

export class PlaybackScreen {
  readonly #options: WatchOptions;
  readonly #screen: Screen;
  readonly #theme: Theme;
  readonly #reel: Reel;
  readonly #player: Player;
  #nextPicture = Number.NEGATIVE_INFINITY;
  /** It was too early to draw: the screen does not show the current state. */
  #isStale = false;
  /** How far the view can scroll up, if that is known. */
  #maxScroll: number | null = null;

  constructor(played: Playback, options: WatchOptions, screen: Screen, theme: Theme) {
    this.#options = options;
    this.#screen = screen;
    this.#theme = theme;
    const { place, metadata, names, dialect, last, running } = played;
    const { pace, full, now, until } = options;
    const reel = new Reel(place, { metadata, dialect, until });
    this.#reel = reel;
    this.#player = new Player({
      ...{ reel, pace, session: { metadata, names }, full, now },
      last: { f: Math.min(last.f, until), t: last.t },
      lasted: () => clockOf({ running, started: metadata.started_at }, reel.at.t),
      find: async (query, pause) => (await findFrames(place, dialect, query, pause)).filter((f) => f <= until),
      pause: () => this.#pause(),
    });
  }

  /** `stays`: after the end, until the user quits. */
  async run(wakeup: Wakeup, keys: KeyPress[], stays: boolean): Promise<void> {
    const { stop, from } = this.#options;
    const player = this.#player;
    const loader = new NextFrameLoader(this.#reel, wakeup);
    try {
      await player.begin(from);
      while (!player.hasQuit && !stop.aborted) {
        await player.advance();
        this.#draw();
        if (!stays && this.#reel.isOver && !this.#isStale) return;
        if (player.isWaiting) loader.begin();
        await this.#waitForWork(wakeup);
        loader.check();
        for (let key = keys.shift(); key && !player.hasQuit; key = keys.shift()) await player.press(key);
      }
    } finally {
      await this.#reel.close();
    }
  }

  /** Until something has to be drawn or is due, or until it is woken. */
  async #waitForWork(wakeup: Wakeup): Promise<void> {
    const { now } = this.#options;
    const waitStart = now();
    const picture = this.#isStale ? Math.max(0, this.#nextPicture - waitStart) : Number.POSITIVE_INFINITY;
    const seconds = Math.min(this.#player.secondsToNext, picture);
    await wakeup.wait(seconds);
    if (now() - waitStart > seconds + SUSPENDED_SECONDS) this.#player.wake(waitStart + seconds);
  }

  #draw(): void {
    const { now } = this.#options;
    const started = now();
    this.#isStale = started < this.#nextPicture;
    if (this.#isStale) return;
    this.#player.page = Math.max(1, this.#screen.rows - 2);
    const { text, most } = playScreen(this.#player.state(this.#maxScroll), this.#screen, this.#theme);
    this.#maxScroll = most;
    this.#screen.draw(text);
    this.#nextPicture = now() + Math.max(MIN_DRAW_SECONDS, 3 * (now() - started));
  }

  async #pause(): Promise<boolean> {
    this.#draw();
    await turn();
    return !this.#options.stop.aborted;
  }
}

/** Loads a frame that is not there yet, and wakes the loop when it is. */
class NextFrameLoader {
  readonly #reel: Reel;
  readonly #wakeup: Wakeup;
  #failed: { error: unknown } | null = null;

  constructor(reel: Reel, wakeup: Wakeup) {
    this.#reel = reel;
    this.#wakeup = wakeup;
  }

  begin(): void {
    this.#reel.loadNext().then(
      () => this.#wakeup.wake(),
      (error) => {
        this.#failed = { error };
        this.#wakeup.wake();
      },
    );
  }

  /** Throws what went wrong. */
  check(): void {
    if (this.#failed) throw this.#failed.error;
  }
}
