/**
 * The timeline as a person reads it: turns, steps and items as a tree, each with its frame and time on the left, what it
 * took on its first line, and as much of its text as fits a screen. Text is folded to the width, never cut.
 */
import type { Block } from '../core/event.ts';
import { waitedIn } from '../core/stats.ts';
import { humanSeconds, visible } from '../core/text.ts';
import type { Entry, Item, Step, Turn } from '../core/timeline/shape.ts';
import { argumentWords } from './arguments.ts';
import { askHead, askLines, askText } from './asks.ts';
import { blockLines, type Line, type Paint, proseLines, textLines } from './blocks.ts';
import { folded, type Run } from './fold.ts';
import { Layout, type LayoutOptions } from './layout.ts';
import type { Theme } from './theme.ts';
import { codeWords, plural, tokenWords } from './words.ts';

export interface TreeOptions extends LayoutOptions {
  dialect: string;
}

/** So many lines are shown without --full: of what is said, of what tools return, of what they are given. */
const SAID = 16;
const RETURNED = 8;
const GLANCE = 3;
const GOOD = ['finished', 'end_turn', 'success', 'stop'];

export class Tree {
  readonly #options: TreeOptions;
  readonly #page: Layout;

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#page = new Layout(options);
  }

  *entries(entries: Entry[], depth = 0): Generator<string> {
    for (const entry of folded(entries)) {
      if (entry.is === 'run') yield* this.#run(entry, depth);
      else if (entry.is === 'turn') yield* this.#turn(entry, depth);
      else if (entry.is === 'step') yield* this.#step(entry, depth);
      else yield* this.#item(entry, depth);
    }
  }

  *#turn(turn: Turn, depth: number): Generator<string> {
    const { theme, dialect } = this.#options;
    const status = turn.status ?? 'running';
    const paint = GOOD.includes(status) ? theme.good : turn.code === null ? theme.warn : theme.bad;
    const code = turn.code === null ? '' : ` ${codeWords(turn.code, dialect)}`;
    const waited = waitedIn(turn.entries, turn.t_end);
    const took = [
      `${humanSeconds(turn.t_end - turn.t)}${waited > 0 ? `, waited ${humanSeconds(waited)}` : ''}`,
      tokenWords(turn.usage),
      // Without what its steps do not tell they do not add up.
      turn.hidden ? tokenWords(turn.hidden).replace(/(.+) in, (.+) out/, '($1+$2 hidden)') : '',
    ].filter((word) => word !== '');
    const words = `${theme.strong(`turn ${turn.n}`)}  ${paint(visible(status) + code)}`;
    yield this.#page.head(turn, depth, `${words}${theme.dim(`  ${took.join('  ')}`)}`);
    if (turn.prompt) yield* this.#said(turn.prompt, depth + 1, theme.speaker.client);
    const { answer } = turn.prompt ?? {};
    yield* this.entries(turn.entries, depth + 1);
    if (!answer || (answer.ok && isSaidIn(turn.entries, answer.text))) return;
    const isBad = !answer.ok || /error/.test(status);
    yield* this.#page.body(linesOf(answer.text, isBad ? theme.bad : undefined), depth + 1, SAID);
  }

  *#step(step: Step, depth: number): Generator<string> {
    const { theme } = this.#options;
    const state = step.state === 'interrupted' ? theme.warn('  interrupted') : '';
    const words = [`step ${step.n}`, humanSeconds(step.t_end - step.t), tokenWords(step.usage)];
    yield this.#page.head(step, depth, theme.dim(words.filter((word) => word !== '').join('  ')) + state);
    yield* this.entries(step.entries, depth + 1);
  }

  *#item(item: Item, depth: number): Generator<string> {
    if (item.call) return yield* this.#call(item, depth);
    if (item.ask) {
      // One that holds up a call is shown there.
      if (!item.ask.bound) yield* this.#ask(item, depth, false);
    } else if (item.kind === 'text' || item.kind === 'thinking') yield* this.#prose(item, depth);
    else yield* this.#other(item, depth);
    yield* this.entries(item.entries, depth + 1);
  }

  *#prose(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const thinking = item.kind === 'thinking';
    const lines = [
      ...proseLines(item.text, theme, thinking ? theme.dim : undefined),
      ...item.blocks.flatMap((block) => blockLines(block, theme)),
      ...(item.longer > 0 ? [{ text: `… ${item.longer} more characters on the tape`, paint: theme.dim }] : []),
    ];
    if (lines.length === 0 && !thinking) return;
    const words = thinking ? `${theme.dim('thinking')}${flagWords(item, theme)}` : flagWords(item, theme, '');
    if (words !== '') yield* this.#page.headed(item, depth, words, lines, SAID);
    else yield* this.#page.beside(item, depth, lines, SAID);
  }

  *#other(item: Item, depth: number): Generator<string> {
    const { theme, dialect } = this.#options;
    const { answer } = item;
    const error = item.code === null ? '' : ` ${codeWords(item.code, dialect)}`;
    const name = item.name ? ` ${visible(item.name)}` : error;
    const kind = item.kind === 'error' ? theme.bad(item.kind) : theme.dim(item.kind);
    let words = `${kind}${name}${flagWords(item, theme)}`;
    if (answer) {
      const word = answer.status ?? (answer.ok ? 'ok' : 'error');
      const code = answer.code === null ? '' : ` ${codeWords(answer.code, dialect)}`;
      words += ` ${(answer.ok ? theme.good : theme.bad)(visible(word) + code)}`;
      words += theme.dim(` after ${humanSeconds(answer.t - item.t)}`);
    }
    const lines = [
      ...(item.kind === 'noise' && item.text.trim() === ''
        ? [{ text: '(a blank line)', paint: theme.dim }]
        : linesOf(item.text)),
      ...item.blocks.filter(({ type }) => type !== 'text' || item.text === '').flatMap((b) => blockLines(b, theme)),
      ...(answer && !answer.ok ? linesOf(answer.text, theme.bad) : []),
    ];
    yield* this.#page.headed(item, depth, words, lines, RETURNED);
  }

  *#call(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const { args, asks, result, run } = item.call!;
    const displays = result?.displays.length ? result.displays : item.blocks.filter(({ type }) => type !== 'text');
    const asked = asks.flatMap(({ ask }) => ask!.displays);
    const isQuestion = asks.some(({ kind }) => kind === 'question');
    const spoken = isQuestion ? { short: '', blocks: [] } : argumentWords(args, [...displays, ...asked]);
    const lines = spoken.short === '' ? [] : [{ text: spoken.short }];
    yield* this.#page.headed(item, depth, callWords(item, theme), lines, GLANCE);
    for (const block of spoken.blocks) yield* this.#block(block, depth + 1);
    for (const ask of asks) if (!item.entries.includes(ask)) yield* this.#ask(ask, depth + 1, true, displays);
    yield* this.entries(item.entries, depth + 1);
    for (const block of displays) yield* this.#block(block, depth + 1);
    // What was refused has no more to say than its display.
    if (!result || (result.displays.length > 0 && (result.ok || run === null))) return;
    for (const block of result.blocks) yield* this.#block(block, depth + 1, result.ok ? theme.dim : theme.bad);
  }

  /** `shown`: what its call displays anyway. */
  *#ask(item: Item, depth: number, brief: boolean, shown: Block[] = []): Generator<string> {
    const { theme, full, dialect } = this.#options;
    const text = askText(item, brief && !full);
    const words = `${askHead(item, theme)}${flagWords(item, theme)}`;
    yield* this.#page.headed(item, depth, words, text === '' ? [] : [{ text }], GLANCE);
    yield* this.#page.body(askLines(item, theme, dialect), depth + 1, SAID * 2);
    for (const block of item.ask!.displays) {
      if (block.type === 'shell' && brief) continue;
      if (!shown.some(({ type }) => type === block.type)) yield* this.#block(block, depth + 1);
    }
  }

  *#run({ what, items }: Run, depth: number): Generator<string> {
    const { theme } = this.#options;
    const [first] = items;
    const last = items.at(-1)!;
    if (what === 'replayed') {
      const frames = last.f_end > first!.f ? ` f${first!.f} to f${last.f_end}` : '';
      yield this.#page.head(first!, depth, theme.dim(`replayed  ${plural(items.length, 'item')}${frames}`));
    } else if (what === 'process') {
      const events = items.map(({ name, text }) => visible(`${name ?? ''} ${text}`.trim()));
      yield* this.#page.headed(first!, depth, theme.dim('process'), [{ text: events.join(' · ') }], RETURNED);
    } else if (what === 'log') {
      const lines = items.flatMap(({ text }) => linesOf(text, theme.speaker.stderr));
      yield* this.#page.headed(first!, depth, theme.dim(`log ${visible(first!.name ?? '')}`.trim()), lines, RETURNED);
    } else {
      const took = last.t > first!.t ? ` in ${humanSeconds(last.t - first!.t)}` : '';
      const times = what === 'progress' && items.length > 1 ? ` ×${items.length}` : '';
      const name = first!.name ? ` ${visible(first!.name)}` : '';
      yield* this.#page.headed(
        first!,
        depth,
        theme.dim(`${what}${name}${times}${took}`),
        linesOf(first!.text),
        RETURNED,
      );
    }
  }

  *#said(item: Item, depth: number, paint: Paint): Generator<string> {
    const { theme } = this.#options;
    yield* this.#page.body(proseLines(item.text, theme, paint), depth, SAID);
    for (const block of item.blocks) if (block.type !== 'text') yield* this.#block(block, depth);
  }

  *#block(block: Block, depth: number, paint: Paint = this.#options.theme.dim): Generator<string> {
    const { theme } = this.#options;
    yield* this.#page.body(blockLines(block, theme, paint), depth, block.type === 'text' ? RETURNED : SAID);
  }
}

/** An answer may say once more what the agent has said. */
function isSaidIn(entries: Entry[], text: string): boolean {
  return entries.some((entry) => (entry.is === 'item' && entry.text === text) || isSaidIn(entry.entries, text));
}

function linesOf(text: string, paint?: Paint): Line[] {
  return textLines(text).map((line) => (paint ? { text: line, paint } : { text: line }));
}

/** `Shell  ok  waited 2.10 s, ran 25 ms`, painted. */
function callWords(item: Item, theme: Theme): string {
  const { tool, result, state, queue, wait, run } = item.call!;
  const times = [
    queue !== null && queue >= 0.1 ? `queued ${humanSeconds(queue)}` : null,
    wait ? `waited ${humanSeconds(wait)}` : null,
    run === null ? null : `ran ${humanSeconds(run)}`,
  ].filter((word) => word !== null);
  const end = result ? (result.ok ? theme.good('ok') : theme.bad('error')) : theme.warn(state);
  const took = times.length > 0 ? theme.dim(`  ${times.join(', ')}`) : '';
  return `${theme.strong(visible(tool ?? 'tool'))}${flagWords(item, theme)}  ${end}${took}`;
}

function flagWords(item: Item, theme: Theme, before = ' '): string {
  return item.flags.length > 0 ? theme.warn(`${before}[${item.flags.map((flag) => visible(flag)).join(' ')}]`) : '';
}
