/**
 * The timeline as a person reads it: turns, steps and items as a tree, each with its frame and time on the left, what it
 * took on its first line, and as much of its text as fits a screen. Free text comes last on a line.
 */
import { cells, clip, humanBytes, humanSeconds, pad, visible } from '../core/text.ts';
import type { Entry, Item, Step, Turn } from '../core/timeline/shape.ts';
import { blockLines, textLines } from './blocks.ts';
import type { Theme } from './theme.ts';

export interface TreeOptions {
  columns: number;
  theme: Theme;
  /** Every line of every text. */
  full: boolean;
}

/** So many lines of a text are shown without --full. */
const GLANCE = 8;
const INDENT = '  ';

export class Tree {
  readonly #options: TreeOptions;

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  *entry(entry: Entry, depth = 0): Generator<string> {
    if (entry.is === 'turn') yield* this.#turn(entry, depth);
    else if (entry.is === 'step') yield* this.#step(entry, depth);
    else yield* this.#item(entry, depth);
  }

  *#turn(turn: Turn, depth: number): Generator<string> {
    const { theme } = this.#options;
    const status = turn.status ?? 'running';
    const paint = ['finished', 'end_turn', 'success'].includes(status) ? theme.good : theme.warn;
    const took = humanSeconds(turn.t_end - turn.t);
    const tokens = tokensOf(turn);
    const code = turn.code === null ? '' : ` ${turn.code}`;
    const head = `${theme.strong(`turn ${turn.n}`)}  ${paint(visible(status) + code)}${theme.dim(`  ${took}${tokens}`)}`;
    yield this.#head(turn, depth, head);
    yield* this.#body(turn.prompt ? textLines(turn.prompt.text) : [], depth + 1, theme.speaker.client);
    for (const block of turn.prompt?.blocks ?? []) {
      if (block.type !== 'text') yield* this.#body(blockLines(block, theme), depth + 1);
    }
    for (const entry of turn.entries) yield* this.entry(entry, depth + 1);
  }

  *#step(step: Step, depth: number): Generator<string> {
    const { theme } = this.#options;
    const state = step.state === 'interrupted' ? theme.warn(' interrupted') : '';
    const took = humanSeconds(step.t_end - step.t);
    yield this.#head(step, depth, theme.dim(`step ${step.n}  ${took}${tokensOf(step)}`) + state);
    for (const entry of step.entries) yield* this.entry(entry, depth + 1);
  }

  *#item(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    if (HIDDEN.has(item.kind) || (item.kind === 'log' && item.text.trim() === '')) return;
    if (item.call) yield* this.#call(item, depth);
    else if (item.ask) {
      // One that holds up a call is shown there.
      if (!item.ask.bound) yield* this.#ask(item, depth);
    } else if (item.kind === 'text' || item.kind === 'thinking') yield* this.#prose(item, depth);
    else {
      const answer = item.answer ? ` ${answerWords(item, theme)}` : '';
      const name = item.name ? ` ${visible(item.name)}` : '';
      const [first = '', ...rest] = textLines(item.text);
      yield this.#head(
        item,
        depth,
        `${theme.dim(item.kind)}${name}${flagWords(item, theme)}${answer}${first ? `  ${first}` : ''}`,
      );
      yield* this.#body(rest, depth + 1);
      for (const block of item.blocks) yield* this.#body(blockLines(block, theme), depth + 1);
    }
    for (const entry of item.entries) yield* this.entry(entry, depth + 1);
  }

  *#prose(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const paint = item.kind === 'thinking' ? theme.dim : (text: string) => text;
    const [first = '', ...rest] = [
      ...textLines(item.text),
      ...item.blocks.flatMap((block) => blockLines(block, theme)),
    ];
    const label = item.kind === 'thinking' ? 'thinking ' : '';
    yield this.#head(item, depth, `${theme.dim(label)}${flagWords(item, theme)}${paint(first)}`);
    yield* this.#body(rest, depth, paint);
  }

  *#call(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    const call = item.call!;
    const times = [
      call.wait ? `waited ${humanSeconds(call.wait)}` : null,
      call.run === null ? null : `ran ${humanSeconds(call.run)}`,
    ].filter((word) => word !== null);
    const end = call.result ? (call.result.ok ? theme.good('ok') : theme.bad('error')) : theme.warn(call.state);
    const took = times.length > 0 ? theme.dim(`  ${times.join(', ')}`) : '';
    yield this.#head(
      item,
      depth,
      `${theme.strong(visible(call.tool ?? 'tool'))}${flagWords(item, theme)}  ${end}${took}  ${visible(oneLine(call.args))}`,
    );
    for (const ask of call.asks)
      if (!item.entries.includes(ask)) yield this.#head(ask, depth + 1, askWords(ask, theme));
    const shown = call.result?.displays.length ? call.result.displays : (call.result?.blocks ?? item.blocks);
    for (const block of shown) yield* this.#body(blockLines(block, theme), depth + 1, theme.dim);
  }

  *#ask(item: Item, depth: number): Generator<string> {
    const { theme } = this.#options;
    yield this.#head(item, depth, askWords(item, theme));
    const answers =
      item.ask!.answers === null ? [] : [theme.good(visible(oneLine(JSON.stringify(item.ask!.answers) ?? '')))];
    for (const { text, options } of item.ask!.questions) {
      yield* this.#body([visible(text), ...options.map(({ label }) => `- ${visible(label)}`)], depth + 1);
    }
    yield* this.#body(answers, depth + 1);
    for (const block of item.ask!.displays) yield* this.#body(blockLines(block, theme), depth + 1);
  }

  #head({ f, t }: { f: number; t: number }, depth: number, text: string): string {
    const { columns, theme } = this.#options;
    const left = `${pad(`f${f}`, 6)} ${t.toFixed(3).padStart(8)}  ${INDENT.repeat(depth)}`;
    return `${theme.dim(left)}${fitted(text, columns - left.length)}\n`;
  }

  *#body(lines: string[], depth: number, paint: (text: string) => string = (text) => text): Generator<string> {
    const { columns, theme, full } = this.#options;
    const left = `${' '.repeat(17)}${INDENT.repeat(depth)}`;
    const shown = full ? lines : lines.slice(0, GLANCE);
    for (const line of shown) yield `${left}${fitted(paint(line), columns - left.length)}\n`;
    if (shown.length < lines.length)
      yield `${left}${theme.dim(`… ${lines.length - shown.length} more lines (--full)`)}\n`;
  }
}

/** What is said by the items around them. */
const HIDDEN = new Set<Item['kind']>(['usage', 'status', 'turn-end', 'step-end']);

function askWords(item: Item, theme: Theme): string {
  const ask = item.ask!;
  const decision = ask.decision ?? ask.resolved?.decision;
  const paint = decision === 'deny' || decision === 'cancelled' ? theme.bad : decision ? theme.good : theme.warn;
  const said = item.kind === 'approval' ? (decision ?? 'no answer') : item.answer ? 'answered' : 'no answer';
  const wait = ask.wait === null ? '' : theme.dim(` after ${humanSeconds(ask.wait)}`);
  const what = ask.description ?? ask.action ?? '';
  const feedback = ask.feedback ? theme.dim(` "${visible(ask.feedback)}"`) : '';
  return `${theme.strong(item.kind)} ${paint(said)}${wait}${flagWords(item, theme)}${feedback}  ${visible(oneLine(what))}`;
}

function answerWords(item: Item, theme: Theme): string {
  const { ok, code, status, t } = item.answer!;
  const word = ok ? (status ?? 'ok') : `error${code === null ? '' : ` ${code}`}`;
  return `${(ok ? theme.good : theme.bad)(visible(word))}${theme.dim(` after ${humanSeconds(t - item.t)}`)}`;
}

function flagWords(item: Item, theme: Theme): string {
  return item.flags.length > 0 ? theme.warn(` [${item.flags.map((flag) => visible(flag)).join(' ')}]`) : '';
}

function tokensOf({ usage }: Turn | Step): string {
  const input = usage.input + usage.cache_read + usage.cache_write;
  return input + usage.output > 0 ? `  ${input} in, ${usage.output} out` : '';
}

function oneLine(text: string): string {
  return text.length > 4096 ? `${text.slice(0, 4096)}… (${humanBytes(text.length)})` : text;
}

const COLOUR = /(\x1b\[\d+m)/;

/** Cut to the width, cell by cell; the colours take none of it, and all of them are ended. */
function fitted(text: string, width: number): string {
  if (!Number.isFinite(width)) return text;
  let left = Math.max(8, width);
  let out = '';
  for (const part of text.split(COLOUR)) {
    if (part.startsWith('\x1b[')) out += part;
    else if (left > 0) {
      const shown = clip(part, left);
      out += shown;
      left = shown === part ? left - cells(part) : 0;
    }
  }
  return out;
}
