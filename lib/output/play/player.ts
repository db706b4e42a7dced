/**
 * Plays a session: shows its frames when they are due, and obeys keys. Its clock counts seconds, and
 * is passed in.
 */

import { Failure } from '../../model/failure.ts';
import { MIN_SKIPPED_SECONDS, type Pace } from '../../model/pace.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { KeyPress } from '../terminal/keyboard.ts';
import { actionOf, type PlayAction } from '../terminal/play-keys.ts';
import { type PlayedSession, type PlayState, speedWords } from '../terminal/play-view.ts';
import { Playhead } from './playhead.ts';
import type { Reel } from './reel.ts';
import { SearchPrompt } from './search-prompt.ts';

export interface PlayerOptions {
  reel: Reel;
  pace: Pace;
  session: Pick<PlayedSession, 'metadata' | 'names'>;
  /** The last frame that is known, and when it was recorded. */
  last: { f: number; t: number };
  full: boolean;
  /** In seconds. */
  now(): number;
  /** How long the session has lasted, if it still runs. */
  lasted(): number;
  /** The numbers of the frames that match; throws a `Failure`. */
  find(query: string, pause: () => Promise<boolean>): Promise<number[]>;
  /** Called now and then during long work; returns whether to continue. */
  pause(): Promise<boolean>;
}

/** How long a remark is shown, in seconds. */
const NOTE_SECONDS = 3;
/** A gap of at least this many seconds on the screen is mentioned. */
const LONG_GAP_SECONDS = 2;
/** How many due frames are shown before keys are handled. */
const MAX_FRAMES_PER_ROUND = 2000;

export class Player {
  readonly #options: PlayerOptions;
  readonly #reel: Reel;
  readonly #head: Playhead;
  #note: { text: string; until: number } | null = null;
  #skipped = 0;
  readonly #prompt = new SearchPrompt();
  #isHelp = false;
  #full: boolean;
  #scroll = 0;
  #query = '';
  #matches: number[] = [];
  hasQuit = false;
  /** How many lines a page has. */
  page = 20;

  constructor(options: PlayerOptions) {
    this.#options = options;
    this.#reel = options.reel;
    this.#full = options.full;
    this.#head = new Playhead(options.pace, options.now());
  }

  /** Shows everything before the frame `f` at once. */
  async begin(f: number): Promise<void> {
    if (f > 1) await this.#reel.goTo(f - 1, this.#options.pause);
    await this.#reel.loadNext();
    const { next, at } = this.#reel;
    this.#head.moveTo(f > 1 && next ? next.t : at.t, this.#now);
  }

  /** Shows the frames that are due. */
  async advance(): Promise<void> {
    for (let count = 0; count < MAX_FRAMES_PER_ROUND; count++) {
      await this.#expectNext();
      const { due } = this.#head;
      if (due === null || due > this.#now) return;
      const skipped = this.#reel.isAwaited ? 0 : this.#head.skips;
      this.#skipped += skipped;
      if (skipped >= MIN_SKIPPED_SECONDS) this.#showNote(`skipped ${humanSeconds(skipped)}`);
      this.#take();
    }
  }

  /** Seconds until `advance` has something to do: a frame is due, or the clock on the screen ticks. */
  get secondsToNext(): number {
    const { due } = this.#head;
    const tick = this.#head.isPlaying && !this.#reel.isOver ? TICK_SECONDS : Number.POSITIVE_INFINITY;
    const noted = this.#note ? this.#note.until - this.#now : Number.POSITIVE_INFINITY;
    return Math.max(0, Math.min(tick, noted, due === null ? Number.POSITIVE_INFINITY : due - this.#now));
  }

  /** Playing has caught up with a running session, and continues when there is more. */
  get isWaiting(): boolean {
    return this.#head.isPlaying && !this.#reel.next && !this.#reel.isOver;
  }

  /** The program was suspended since then: playing continues where it was. */
  wake(since: number): void {
    if (!this.#head.isPlaying) return;
    this.#head.pause(since);
    this.#head.play(this.#now);
  }

  async press(key: KeyPress): Promise<void> {
    if (this.#prompt.typed !== null) return this.#type(key);
    if (this.#isHelp) {
      this.#isHelp = false;
      return;
    }
    const action = actionOf(key.name);
    if (action === null) return;
    if (!SCROLLING.has(action)) this.#scroll = 0;
    this.#note = null;
    await this.#do(action);
  }

  /** `maxScroll`: how far the view can scroll up, if that is known. */
  state(maxScroll: number | null = null): PlayState {
    const { session, last } = this.#options;
    const { timeline, dialect, recent, at } = this.#reel;
    if (this.#note && this.#note.until <= this.#now) this.#note = null;
    if (maxScroll !== null) this.#scroll = Math.min(this.#scroll, maxScroll);
    const t = this.#head.at(this.#now);
    return {
      session: { ...session, dialect, timeline, recent },
      mode: this.#mode,
      clock: this.#reel.hasEnded ? null : t,
      speed: this.#head.pace.speed,
      ...{ f: at.f, lastF: Math.max(last.f, at.f), t, lastT: Math.max(last.t, at.t) },
      turn: this.#turn,
      ahead: this.#ahead,
      note: this.#note?.text ?? null,
      typed: this.#prompt.typed,
      ...{ isHelp: this.#isHelp, scroll: this.#scroll, full: this.#full },
    };
  }

  get #now(): number {
    return this.#options.now();
  }

  get #mode(): PlayState['mode'] {
    if (this.#reel.isOver && !this.#reel.next) return 'end';
    if (!this.#head.isPlaying) return 'paused';
    return this.#reel.atEdge ? 'live' : 'playing';
  }

  get #turn(): number | null {
    const turns = this.#reel.marks.turns.filter((f) => f <= this.#reel.at.f).length;
    return turns === 0 ? null : turns;
  }

  get #ahead(): PlayState['ahead'] {
    const { due, skips } = this.#head;
    if (due === null || this.#reel.isAwaited) return null;
    if (skips >= MIN_SKIPPED_SECONDS) return { seconds: skips, skips: true };
    const seconds = due - this.#now;
    return seconds < LONG_GAP_SECONDS ? null : { seconds, skips: false };
  }

  #showNote(text: string, seconds = NOTE_SECONDS): void {
    this.#note = { text, until: this.#now + seconds };
  }

  /** Tells the playhead what comes next. */
  async #expectNext(): Promise<void> {
    if (!this.#reel.next && !this.#reel.atEdge) await this.#reel.loadNext();
    const { next, isOver, at } = this.#reel;
    this.#head.edge = isOver ? at.t : this.#options.lasted();
    if (next) this.#head.expect(next.t);
    else if (isOver && this.#skipped >= MIN_SKIPPED_SECONDS) {
      this.#showNote(`skipped ${humanSeconds(this.#skipped)} in total`, Number.POSITIVE_INFINITY);
      this.#skipped = 0;
    }
  }

  #take(): void {
    const { isAwaited } = this.#reel;
    const { t } = this.#reel.take();
    this.#head.take(t, this.#now, isAwaited);
  }

  /** The reel was moved: playing continues from there. */
  #moved(): void {
    this.#head.moveTo(this.#reel.at.t, this.#now);
  }

  async #do(action: PlayAction): Promise<void> {
    switch (action) {
      case 'toggle':
        if (this.#mode === 'end') return this.#showNote('g goes to the start');
        return this.#head.isPlaying ? this.#head.pause(this.#now) : this.#head.play(this.#now);
      case 'forward':
        this.#head.pause(this.#now);
        return this.#goTo(Number.POSITIVE_INFINITY, () => true);
      case 'back':
        this.#head.pause(this.#now);
        return this.#goTo(this.#reel.at.f - 1);
      case 'next-turn':
        return this.#goToNext('turns', 'turn');
      case 'last-turn':
        return this.#goToLast('turns', 'turn');
      case 'next-ask':
        return this.#goToNext('asks', 'approval or question');
      case 'last-ask':
        return this.#goToLast('asks', 'approval or question');
      case 'faster':
      case 'slower':
        this.#head.change(action, this.#now);
        return this.#showNote(`speed ${speedWords(this.#head.pace.speed)}`, 1);
      case 'search':
        return this.#prompt.open();
      case 'next-match':
      case 'last-match':
        return this.#goToMatch(action === 'next-match');
      case 'start':
        return this.#goTo(0);
      case 'end':
        return this.#goTo(Number.POSITIVE_INFINITY);
      case 'up':
      case 'page-up':
        this.#scroll += action === 'up' ? 1 : this.page;
        return this.#head.isPlaying ? this.#head.pause(this.#now) : undefined;
      case 'down':
      case 'page-down':
        this.#scroll = Math.max(0, this.#scroll - (action === 'down' ? 1 : this.page));
        return;
      case 'full':
        this.#full = !this.#full;
        return;
      case 'help':
        this.#isHelp = true;
        return;
      case 'quit':
        this.hasQuit = true;
        return;
    }
  }

  async #goTo(f: number, isThere?: () => boolean): Promise<void> {
    await this.#reel.goTo(f, this.#options.pause, isThere);
    this.#moved();
    await this.#expectNext();
  }

  async #goToNext(marks: 'turns' | 'asks', what: string): Promise<void> {
    const { f } = this.#reel.at;
    const known = this.#reel.marks[marks].find((mark) => mark > f);
    if (known !== undefined) return this.#goTo(known);
    const isThere = () => (this.#reel.marks[marks].at(-1) ?? 0) > f;
    await this.#goTo(Number.POSITIVE_INFINITY, isThere);
    if (isThere()) return;
    await this.#goTo(f);
    this.#showNote(`no ${what} after this`);
  }

  async #goToLast(marks: 'turns' | 'asks', what: string): Promise<void> {
    const last = this.#reel.marks[marks].findLast((mark) => mark < this.#reel.at.f);
    if (last === undefined) this.#showNote(`no ${what} before this`);
    else await this.#goTo(last);
  }

  async #type(key: KeyPress): Promise<void> {
    this.#note = null;
    const query = this.#prompt.press(key);
    if (query !== null) await this.#search(query === '' ? this.#query : query);
  }

  /** A wrong query stays, so that it can be corrected. Nothing typed repeats the last one. */
  async #search(query: string): Promise<void> {
    if (query === '') return this.#prompt.close();
    try {
      this.#matches = await this.#options.find(query, this.#options.pause);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const hint = error.hint ? `; ${error.hint}` : '';
      return this.#showNote(`${error.message}${hint}`, Number.POSITIVE_INFINITY);
    }
    this.#prompt.close();
    this.#query = query;
    await this.#goToMatch(true);
  }

  /** Playing pauses at a match. */
  async #goToMatch(isNext: boolean): Promise<void> {
    if (this.#query === '') return this.#showNote('/ searches');
    const { f } = this.#reel.at;
    const other = () =>
      isNext ? this.#matches.findIndex((one) => one > f) : this.#matches.findLastIndex((one) => one < f);
    // A session that runs may have more by now.
    if (isNext && other() < 0 && !this.#reel.isOver)
      this.#matches = await this.#options.find(this.#query, this.#options.pause);
    const n = other();
    const count = this.#matches.length;
    if (n < 0) return this.#showNote(count === 0 ? 'no frame matches' : `no ${isNext ? 'later' : 'earlier'} match`);
    this.#head.pause(this.#now);
    await this.#goTo(this.#matches[n]!);
    this.#showNote(`match ${n + 1} of ${count}`, Number.POSITIVE_INFINITY);
  }
}

const SCROLLING: ReadonlySet<PlayAction> = new Set<PlayAction>(['up', 'down', 'page-up', 'page-down', 'full', 'help']);
/** How often the clock on the screen is drawn again, in seconds. */
const TICK_SECONDS = 0.1;
