/**
 * What is printed: a linear document of what the filter shows, instead of the page with its panes. A browser does not wait
 * when it prints, so the texts are read beforehand, when the page has nothing else to do.
 */

import { humanBytes, humanSeconds, visible } from '../core/text.ts';
import { KIND } from '../page/page.ts';
import type { App, Language } from './app.ts';
import type { Pen } from './blocks/pen.ts';
import { entryElement, type Told } from './conversation/entry.ts';
import { toldRows, turnOf } from './conversation/told.ts';
import { type AuditByFrame, auditByFrame, toldBody } from './conversation/told-bodies.ts';
import { TALK_WORDS } from './conversation/words.ts';
import { count, moment, offset } from './format.ts';
import { fill, h } from './h.ts';
import { factsOf } from './shell/head-facts.ts';
import { FOUND, foundRows } from './timeline/tree.ts';

const WORDS: Record<Language, PrintWords> = {
  en: {
    query: 'Only what matches',
    capped: (rows, all, why) =>
      `Only the first ${rows} of ${all} rows are printed: ${why}. Filter the page to print others.`,
    most: (rows, size) => `a printed document has at most ${rows} rows and ${size} of text`,
    early: 'the others had not been read when printing began; print again in a moment',
    frames: (first, last) => `Frames f${first} to f${last}`,
    made: 'Printed from a recording by wiretape. Frame numbers are those of the recording.',
    nothing: 'Nothing matches the query',
    lasted: 'lasted',
    turns: (n) => `${n} ${n === 1 ? 'turn' : 'turns'}`,
    calls: (n) => `${n} ${n === 1 ? 'tool call' : 'tool calls'}`,
    redacted: 'Parts of this session were replaced before the page was made.',
    part: (query) => `The page has only the frames that match: ${query}`,
  },
  zh: {
    query: '仅含匹配内容',
    capped: (rows, all, why) => `仅打印 ${all} 行中的前 ${rows} 行：${why}。可先筛选页面再打印其他内容。`,
    most: (rows, size) => `打印文档最多 ${rows} 行、${size} 文本`,
    early: '其余内容在开始打印时尚未读取；请稍后再打印',
    frames: (first, last) => `帧 f${first} 至 f${last}`,
    made: '由 wiretape 根据录制内容打印。帧号与录制文件一致。',
    nothing: '没有与查询匹配的内容',
    lasted: '持续',
    turns: (n) => `${n} 轮`,
    calls: (n) => `${n} 次工具调用`,
    redacted: '生成此页面前，会话的部分内容已被替换。',
    part: (query) => `页面仅含匹配以下条件的帧：${query}`,
  },
};

interface PrintWords {
  query: string;
  capped(rows: string, all: string, why: string): string;
  most(rows: string, size: string): string;
  early: string;
  frames(first: number, last: number): string;
  made: string;
  nothing: string;
  lasted: string;
  turns: (n: number) => string;
  calls: (n: number) => string;
  redacted: string;
  part(query: string): string;
}

const MOST_ROWS = 2000;
const MOST_TEXT = 1_000_000;
/** Milliseconds of quiet before texts are read, and how long they are read at a time. */
const QUIET = 1500;
const SLICE = 8;

export function preparePrint(app: App): void {
  new Printer(app);
}

class Printer {
  readonly #app: App;
  readonly #host = h('div', { class: 'print' });
  #rows: Uint32Array | null = null;
  #told: Told[] = [];
  #size = 0;
  #audit: AuditByFrame | null = null;
  /** What is being read; newer work ends older. */
  #turn = 0;

  constructor(app: App) {
    this.#app = app;
    addEventListener('beforeprint', () => this.#show());
    addEventListener('afterprint', () => {
      this.#host.remove();
      fill(this.#host);
    });
    app.state.watch(['hits', 'view', 'session', 'language'], () => this.#later());
    this.#later();
  }

  #later(): void {
    this.#turn++;
    this.#rows = null;
    this.#told = [];
    this.#size = 0;
    const turn = this.#turn;
    setTimeout(() => {
      if (turn === this.#turn) void this.#read(turn);
    }, QUIET);
  }

  /** The conversation if that is shown; else every row that is not only a bracket around others. */
  #chosen(): Uint32Array {
    const { rows, frames } = this.#app.source;
    const { hits, view } = this.#app.state.value;
    const found = hits ? foundRows(rows, frames, hits.bytes) : null;
    const isFound = found ? (row: number) => (found[row]! & FOUND.self) !== 0 : null;
    if (view === 'conversation') return toldRows(rows, isFound);
    const out = new Uint32Array(rows.count);
    let n = 0;
    for (let row = 0; row < rows.count; row++)
      if (!BRACKETS.has(rows.kind[row]!) && (!isFound || isFound(row))) out[n++] = row;
    return out.slice(0, n);
  }

  async #read(turn: number): Promise<void> {
    const { source } = this.#app;
    const chosen = this.#chosen();
    this.#rows = chosen;
    const audit = await auditByFrame(source);
    if (turn !== this.#turn) return;
    this.#audit = audit;
    let until = performance.now() + SLICE;
    while (this.#told.length < Math.min(chosen.length, MOST_ROWS) && this.#size < MOST_TEXT) {
      const told = await toldBody(source, chosen[this.#told.length]!, this.#audit);
      if (turn !== this.#turn) return;
      this.#told.push(told);
      this.#size += sizeOf(told);
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (turn !== this.#turn) return;
      until = performance.now() + SLICE;
    }
  }

  #show(): void {
    const words = this.#app.words(WORDS);
    this.#rows ??= this.#chosen();
    const told = this.#told;
    const isAll = told.length === this.#rows.length;
    const last = told.reduce((most, { body }) => Math.max(most, body.f_end), 0);
    fill(
      this.#host,
      this.#head(words),
      isAll ? null : h('p', { class: 'print-banner' }, this.#cap(words)),
      ...this.#body(told),
      told.length === 0 && isAll ? h('p', {}, words.nothing) : null,
      h('footer', {}, told.length === 0 ? '' : `${words.frames(told[0]!.body.f, last)}. `, words.made),
    );
    document.body.append(this.#host);
  }

  #cap(words: PrintWords): string {
    const told = (n: number) => count(n, this.#app.state.value.language);
    const isFull = this.#told.length >= MOST_ROWS || this.#size >= MOST_TEXT;
    const why = isFull ? words.most(told(MOST_ROWS), humanBytes(MOST_TEXT)) : words.early;
    return words.capped(told(this.#told.length), told(this.#rows!.length), why);
  }

  #head(words: PrintWords): HTMLElement {
    const { head } = this.#app.source;
    const { query, language, hits } = this.#app.state.value;
    const { title, agent, protocol, client, turns, tools } = factsOf(head);
    const { turns: turnWords, calls } = words;
    const facts = [
      agent,
      protocol,
      client,
      moment(head.started, language),
      `${words.lasted} ${humanSeconds(head.duration)}`,
      turnWords(turns),
      calls(tools),
    ];
    return h(
      'header',
      {},
      h('h1', {}, visible(title)),
      h('p', {}, visible(facts.filter((one) => one !== null).join(' · '))),
      title === head.session ? null : h('p', {}, visible(head.session)),
      hits && query ? h('p', {}, `${words.query}: `, h('code', {}, visible(query))) : null,
      head.tape.part === null ? null : h('p', {}, words.part(visible(head.tape.part))),
      head.redaction ? h('p', {}, words.redacted) : null,
    );
  }

  #body(told: readonly Told[]): HTMLElement[] {
    const { rows } = this.#app.source;
    const { turn: turnWord } = this.#app.words(TALK_WORDS);
    const pen: Pen = { app: this.#app, isFlat: true };
    const out: HTMLElement[] = [];
    let last = -1;
    for (const one of told) {
      const turn = turnOf(rows, one.row);
      if (turn !== last && turn >= 0)
        out.push(
          h(
            'h2',
            { class: 'talk-turn' },
            turnWord(rows.turn[turn]!),
            h('span', { class: 'talk-time' }, `+${offset(rows.t[turn]!)}`),
          ),
        );
      last = turn;
      out.push(entryElement(pen, one));
    }
    return out;
  }
}

const BRACKETS = new Set([KIND.turn, KIND.step]);

/** About how much text it is. */
function sizeOf({ body }: Told): number {
  const texts = [...body.blocks, ...body.output, ...body.displays].reduce((sum, block) => {
    if (block.type === 'text') return sum + block.text.length;
    return sum + (block.type === 'diff' ? block.before.length + block.after.length : 200);
  }, 0);
  return body.text.length + texts + (typeof body.arguments === 'string' ? body.arguments.length : 0);
}
