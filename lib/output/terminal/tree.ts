/**
 * Prints the timeline as a tree of turns, steps and items. Each has its frame and time on the left, its duration on the
 * first line, and a limited number of lines of text. Text is wrapped to the width, never cut.
 */

import { traitsOf } from '../../dialects/index.ts';
import type { Traits } from '../../dialects/traits.ts';
import type { Block } from '../../model/event.ts';
import { describeJoinedLine } from '../../model/json/joined-messages.ts';
import { processWords } from '../../model/text/process-text.ts';
import { humanSeconds, textLines, visible } from '../../model/text/text.ts';
import { describeArguments } from '../../model/timeline/arguments.ts';
import type { Entry, Item, Step, Turn } from '../../model/timeline/entries.ts';
import { itemOf } from '../../model/timeline/item.ts';
import { askAbout, askHead, askLines } from './ask-lines.ts';
import { blockLines, type Paint, proseLines, type TerminalLine } from './blocks.ts';
import { foldRuns, hookNotices, type ItemRun } from './fold-runs.ts';
import { callWords, flagWords, isShown, kindWords, reportedPrompt } from './items.ts';
import { type LayoutOptions, TreeLayout } from './layout.ts';
import { codeWords, plural, tokenWords } from './words.ts';

export interface TreeOptions extends LayoutOptions {
  dialect: string;
  /** The session is still running: how many seconds it has lasted. */
  clock?: number;
  /**
   * Texts of the agent are shown to their end, but only their last characters are needed, up to this number: for a screen
   * that redraws the end of the timeline. `isCut` is true if anything is missing.
   */
  lastChars?: number;
}

/** Lines shown without --full: of text, of tool results, of tool arguments. */
const TEXT_LINES = 16;
const RESULT_LINES = 8;
const ARGUMENT_LINES = 5;
/** Characters of a long text are left out in blocks of this size. */
const CUT_CHARS = 1 << 14;
const GOOD_STATUSES = ['finished', 'completed', 'end_turn', 'success', 'stop'];

export class TimelineTree {
  readonly #options: TreeOptions;
  readonly #traits: Traits;
  readonly #layout: TreeLayout;
  isCut = false;
  /** Hook requests, with the agent's notice about each. */
  readonly #notices = new Map<Item, Item>();

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#traits = traitsOf(options.dialect);
    this.#layout = new TreeLayout(options);
  }

  /** The heading of the left columns. */
  title(): string {
    return this.#layout.title();
  }

  *entries(entries: Entry[], depth = 0, shown: Item | null = null): Generator<string> {
    const shownElsewhere = new Set<Entry>(shown ? [shown] : []);
    for (const [ask, notice] of hookNotices(entries)) {
      this.#notices.set(ask, notice);
      shownElsewhere.add(notice);
    }
    let before: string | null = null;
    for (const entry of foldRuns(entries, shownElsewhere)) {
      // A blank line around turns.
      if (before !== null && (entry.is === 'turn' || before === 'turn')) yield '\n';
      if (entry.is === 'run') yield* this.#run(entry, depth);
      else if (entry.is === 'turn') yield* this.#turn(entry, depth);
      else if (entry.is === 'step') yield* this.#step(entry, depth);
      else yield* this.#item(entry, depth);
      before = entry.is;
    }
  }

  *#turn(turn: Turn, depth: number): Generator<string> {
    const { theme } = this.#options;
    const { clock } = this.#options;
    const end = turn.status === null && clock !== undefined ? clock : turn.t_end;
    const took = `${humanSeconds(end - turn.t)}${turn.wait > 0 ? `, waited ${humanSeconds(turn.wait)}` : ''}`;
    // Tokens that no step reports, so that the sums add up.
    const hidden = turn.hidden ? tokenWords(turn.hidden).replace(/(.+) in, (.+) out/, '($1+$2 hidden)') : '';
    const tokens = [tokenWords(turn.usage, 'tokens'), hidden].filter((word) => word !== '');
    const words = [theme.strong(`turn ${turn.n}`), this.#status(turn), theme.dim(took)];
    yield* this.#layout.head(turn, depth, [...words, ...tokens.map((word) => theme.dim(word))]);
    const prompt = turn.prompt ?? reportedPrompt(turn);
    if (prompt) yield* this.#prompt(prompt, depth + 1, theme.speaker.client);
    const { answer } = turn.prompt ?? {};
    yield* this.entries(turn.entries, depth + 1, prompt);
    if (!answer || (answer.ok && isShownIn(turn.entries, answer.text))) return;
    const isBad = !answer.ok || /error/.test(turn.status ?? '');
    yield* this.#layout.body(linesOf(answer.text, isBad ? theme.bad : undefined), depth + 1, TEXT_LINES);
  }

  #status({ status, code, prompt }: Turn): string {
    const { theme, clock } = this.#options;
    if (status === null) return theme.warn(clock === undefined ? 'unfinished' : 'running');
    // If the prompt was not recorded, neither was its answer.
    if (status === 'unanswered' && !prompt) return theme.dim('ended, outcome unknown');
    const paint = GOOD_STATUSES.includes(status) ? theme.good : code === null ? theme.warn : theme.bad;
    return paint(visible(status) + (code === null ? '' : ` ${codeWords(code, this.#traits.errorMeanings)}`));
  }

  *#step(step: Step, depth: number): Generator<string> {
    const { theme } = this.#options;
    const took = step.t_end > step.t ? humanSeconds(step.t_end - step.t) : '';
    const words = [`step ${step.n}`, took, tokenWords(step.usage, 'tokens')].filter((word) => word !== '');
    const state = step.state === 'interrupted' ? [theme.warn('interrupted')] : [];
    yield* this.#layout.head(step, depth, [...words.map((word) => theme.dim(word)), ...state]);
    yield* this.entries(step.entries, depth + 1);
  }

  *#item(item: Item, depth: number): Generator<string> {
    if (item.call) return yield* this.#call(item, depth);
    if (item.ask) {
      // A request that belongs to a call is shown with the call.
      if (!item.ask.bound) yield* this.#ask(item, depth, false);
    } else if (item.kind === 'text' || item.kind === 'thinking') yield* this.#prose(item, depth);
    else yield* this.#other(item, depth);
    yield* this.entries(item.entries, depth + 1);
  }

  *#prose(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const thinking = item.kind === 'thinking';
    const most = this.#options.lastChars === undefined ? TEXT_LINES : Number.POSITIVE_INFINITY;
    const lines = [
      ...proseLines(this.#lastPart(item.text), theme, thinking ? theme.dim : undefined),
      ...item.blocks.flatMap((block) => blockLines(block, theme)),
      ...(item.longer > 0 ? [{ text: `… ${item.longer} more characters on the tape`, paint: theme.dim }] : []),
    ];
    if (lines.length === 0 && !thinking) return;
    const words = thinking ? `${theme.dim('thinking')}${flagWords(item, theme)}` : flagWords(item, theme, '');
    if (words !== '') yield* this.#layout.headed(item, depth, [words], lines, most);
    else yield* this.#layout.beside(item, depth, lines, most);
  }

  #lastPart(text: string): string {
    const from = text.length - (this.#options.lastChars ?? text.length);
    if (from < CUT_CHARS) return text;
    this.isCut = true;
    // Not at every character that is added, because lines would be broken elsewhere each time.
    const at = from - (from % CUT_CHARS);
    const line = text.indexOf('\n', at) + 1;
    if (line > 0 && line <= from) return text.slice(line);
    return text.slice(/[\udc00-\udfff]/.test(text[at]!) ? at + 1 : at);
  }

  *#other(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const { answer } = item;
    const code = (value: number | null) => (value === null ? '' : ` ${codeWords(value, this.#traits.errorMeanings)}`);
    const own = item.kind === 'error' ? theme.bad(`error${code(item.code)}`) : theme.dim(kindWords(item));
    const words = [`${own}${item.name ? ` ${visible(item.name)}` : ''}${flagWords(item, theme)}`];
    if (answer) {
      const word = answer.status ?? (answer.ok ? 'ok' : 'error');
      const result = (answer.ok ? theme.good : theme.bad)(visible(word) + code(answer.code));
      words.push(`${result}${theme.dim(` after ${humanSeconds(answer.t - item.t)}`)}`);
    } else if (item.kind === 'prompt' && item.turn === null) words.push(theme.warn('not started'));
    const joined = item.kind === 'noise' ? describeJoinedLine({ raw: new TextEncoder().encode(item.text) }) : null;
    if (joined) words.push(theme.warn(joined));
    const lines = [
      ...(item.kind === 'noise' && item.text.trim() === ''
        ? [{ text: '(blank line)', paint: theme.dim }]
        : linesOf(item.text)),
      ...item.blocks.filter(({ type }) => type !== 'text' || item.text === '').flatMap((b) => blockLines(b, theme)),
      ...(answer && !answer.ok ? linesOf(answer.text, theme.bad) : []),
    ];
    yield* this.#layout.headed(item, depth, words, lines, RESULT_LINES);
  }

  *#call(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const { args, result, run } = item.call!;
    const asks = item.call!.asks.flatMap((ask) => itemOf(ask) ?? []);
    const all = result?.displays.length ? result.displays : item.blocks.filter(({ type }) => type !== 'text');
    const asked = asks.flatMap(({ ask }) => ask!.displays);
    const isQuestion = asks.some(({ kind }) => kind === 'question');
    const argumentText = isQuestion ? { words: [], blocks: [] } : describeArguments(args ?? '', [...all, ...asked]);
    const displays = all.filter((block) => !isShown(block, argumentText.blocks));
    const lines = this.#layout.joinShortTexts(argumentText.words, depth + 1);
    yield* this.#layout.headed(item, depth, callWords(item, this.#options), lines, ARGUMENT_LINES);
    for (const block of argumentText.blocks) yield* this.#block(block, depth + 1);
    for (const ask of asks)
      if (!item.entries.includes(ask)) yield* this.#ask(ask, depth + 1, true, displays, argumentText.words);
    yield* this.entries(item.entries, depth + 1);
    for (const block of displays) yield* this.#block(block, depth + 1);
    // The result of a refused call adds nothing to its display.
    if (!result || (result.displays.length > 0 && (result.ok || run === null))) return;
    for (const block of result.blocks) yield* this.#block(block, depth + 1, result.ok ? theme.dim : theme.bad);
  }

  /** `shown`, `shownWords`: blocks and words that the call already shows. */
  *#ask(item: Item, depth: number, brief: boolean, shown: Block[] = [], shownWords: string[] = []): Generator<string> {
    const { theme, full } = this.#options;
    const notice = this.#notices.get(item) ?? null;
    const about = askAbout(item, brief && !full, shownWords);
    const [first = '', ...rest] = askHead(item, theme, notice, this.#options.clock);
    const words = [`${first}${flagWords(item, theme)}`, ...rest];
    yield* this.#layout.headed(item, depth, words, this.#layout.joinShortTexts(about.words, depth + 1), ARGUMENT_LINES);
    yield* this.#layout.body(askLines(item, theme, notice, this.#traits), depth + 1, TEXT_LINES * 2);
    for (const block of about.blocks) yield* this.#block(block, depth + 1);
    for (const block of item.ask!.displays) {
      if (block.type === 'shell' && brief) continue;
      if (!shown.some(({ type }) => type === block.type)) yield* this.#block(block, depth + 1);
    }
  }

  *#run({ what, items }: ItemRun, depth: number): Generator<string> {
    const { theme } = this.#options;
    const [first] = items;
    const last = items.at(-1)!;
    if (what === 'replayed') {
      const frames = last.f_end > first!.f ? ` f${first!.f} to f${last.f_end}` : '';
      yield* this.#layout.head(first!, depth, [theme.dim(`replayed  ${plural(items.length, 'item')}${frames}`)]);
    } else if (what === 'process') {
      const events = items.map(({ name, text }) => visible(processWords(name, text)));
      yield* this.#layout.headed(first!, depth, [theme.dim('process')], [{ text: events.join(' · ') }], RESULT_LINES);
    } else if (what === 'log') {
      const lines = items.flatMap(({ text }) => linesOf(text, theme.speaker.stderr));
      const words = [theme.dim(`log ${visible(first!.name ?? '')}`.trim())];
      yield* this.#layout.headed(first!, depth, words, lines, RESULT_LINES);
    } else {
      const took = last.t > first!.t ? ` in ${humanSeconds(last.t - first!.t)}` : '';
      const times = what === 'progress' && items.length > 1 ? ` ×${items.length}` : '';
      const name = first!.name ? ` ${visible(first!.name)}` : '';
      const words = [theme.dim(`${what}${name}${times}${took}`)];
      yield* this.#layout.headed(first!, depth, words, linesOf(first!.text), RESULT_LINES);
    }
  }

  *#prompt(item: Item, depth: number, paint: Paint): Generator<string> {
    const { theme } = this.#options;
    yield* this.#layout.body(proseLines(item.text, theme, paint), depth, TEXT_LINES);
    for (const block of item.blocks) if (block.type !== 'text') yield* this.#block(block, depth);
  }

  *#block(block: Block, depth: number, paint: Paint = this.#options.theme.dim): Generator<string> {
    const { theme } = this.#options;
    yield* this.#layout.body(blockLines(block, theme, paint), depth, block.type === 'text' ? RESULT_LINES : TEXT_LINES);
  }
}

/** An answer may repeat a text of the agent. */
function isShownIn(entries: Entry[], text: string): boolean {
  return entries.some((entry) => (entry.is === 'item' && entry.text === text) || isShownIn(entry.entries, text));
}

function linesOf(text: string, paint?: Paint): TerminalLine[] {
  return textLines(text).map((line) => (paint ? { text: line, paint } : { text: line }));
}
