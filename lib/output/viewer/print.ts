/**
 * What is printed: a linear document of what the filter shows, instead of the page with its panes. A browser does not wait
 * when it prints, so the texts are read beforehand, in slices.
 */

import { humanBytes, humanSeconds, visible } from '../../model/text/text.ts';
import { KIND } from '../page/page.ts';
import type { App, Language } from './app.ts';
import type { Pen } from './blocks/pen.ts';
import { conversationRows, turnOf } from './conversation/conversation-rows.ts';
import { type ConversationEntry, entryElement } from './conversation/entry.ts';
import { auditByFrame, loadEntry } from './conversation/load-entry.ts';
import { TALK_WORDS } from './conversation/words.ts';
import { count, moment, offset } from './format.ts';
import { fill, h } from './h.ts';
import { factsOf } from './shell/head-facts.ts';
import { Slices } from './slices.ts';
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

const MAX_ROWS = 2000;
const MAX_TEXT_BYTES = 1_000_000;
/** Milliseconds of quiet before texts are read: what is seen comes first. */
const QUIET = 100;

export function preparePrint(app: App): void {
  new Printer(app);
}

class Printer {
  readonly #app: App;
  readonly #host = h('div', { class: 'print' });
  /** What was read, by row. It outlives a change, because another view or filter shows many of the same rows. */
  #known = new Map<number, ConversationEntry>();
  /** What is being read; newer work ends older. */
  #work = new AbortController();

  constructor(app: App) {
    this.#app = app;
    addEventListener('beforeprint', () => this.#show());
    addEventListener('afterprint', () => {
      this.#host.remove();
      fill(this.#host);
    });
    app.state.watch(['hits', 'view'], () => this.#begin());
    app.state.watch(['session'], () => {
      this.#known = new Map();
      this.#begin();
    });
    this.#begin();
  }

  #begin(): void {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    const read = () => {
      if (signal.aborted) return;
      this.#read(signal).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    };
    setTimeout(read, QUIET);
  }

  /** The conversation if that is shown; else every row that is not only a bracket around others. */
  #chosen(): Uint32Array {
    const { rows, frames } = this.#app.source;
    const { hits, view } = this.#app.state.value;
    const found = hits ? foundRows(rows, frames, hits.bytes) : null;
    const isFound = found ? (row: number) => (found[row]! & FOUND.self) !== 0 : null;
    if (view === 'conversation') return conversationRows(rows, isFound);
    const out = new Uint32Array(rows.count);
    let n = 0;
    for (let row = 0; row < rows.count; row++)
      if (!BRACKETS.has(rows.kind[row]!) && (!isFound || isFound(row))) out[n++] = row;
    return out.slice(0, n);
  }

  async #read(signal: AbortSignal): Promise<void> {
    const { source } = this.#app;
    const known = this.#known;
    const chosen = this.#chosen();
    const audit = await auditByFrame(source);
    signal.throwIfAborted();
    const slices = new Slices(signal);
    const kept = new Set<number>();
    for (let size = 0; kept.size < Math.min(chosen.length, MAX_ROWS) && size < MAX_TEXT_BYTES; ) {
      const row = chosen[kept.size]!;
      const entry = known.get(row) ?? (await loadEntry(source, row, audit));
      slices.check();
      known.set(row, entry);
      kept.add(row);
      size += sizeOf(entry);
      if (slices.isOver) await slices.next();
    }
    for (const row of known.keys()) if (!kept.has(row)) known.delete(row);
  }

  /** The first rows of those, as far as they have been read and there is room. */
  #ready(chosen: Uint32Array): { entries: ConversationEntry[]; isFull: boolean } {
    const entries: ConversationEntry[] = [];
    let isFull = false;
    let size = 0;
    for (const row of chosen) {
      isFull = entries.length >= MAX_ROWS || size >= MAX_TEXT_BYTES;
      const one = isFull ? undefined : this.#known.get(row);
      if (!one) break;
      entries.push(one);
      size += sizeOf(one);
    }
    return { entries, isFull };
  }

  #show(): void {
    const words = this.#app.words(WORDS);
    const chosen = this.#chosen();
    const { entries, isFull } = this.#ready(chosen);
    const isAll = entries.length === chosen.length;
    const last = entries.reduce((most, { body }) => Math.max(most, body.f_end), 0);
    fill(
      this.#host,
      this.#head(words),
      isAll ? null : h('p', { class: 'print-banner' }, this.#cap(words, entries.length, chosen.length, isFull)),
      ...this.#body(entries),
      entries.length === 0 && isAll ? h('p', {}, words.nothing) : null,
      h('footer', {}, entries.length === 0 ? '' : `${words.frames(entries[0]!.body.f, last)}. `, words.made),
    );
    document.body.append(this.#host);
  }

  #cap(words: PrintWords, rows: number, all: number, isFull: boolean): string {
    const number = (n: number) => count(n, this.#app.state.value.language);
    const why = isFull ? words.most(number(MAX_ROWS), humanBytes(MAX_TEXT_BYTES)) : words.early;
    return words.capped(number(rows), number(all), why);
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

  #body(entries: readonly ConversationEntry[]): HTMLElement[] {
    const { rows } = this.#app.source;
    const { turn: turnWord } = this.#app.words(TALK_WORDS);
    const pen: Pen = { app: this.#app, isFlat: true };
    const out: HTMLElement[] = [];
    let last = -1;
    for (const one of entries) {
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
function sizeOf({ body }: ConversationEntry): number {
  const texts = [...body.blocks, ...body.output, ...body.displays].reduce((sum, block) => {
    if (block.type === 'text') return sum + block.text.length;
    return sum + (block.type === 'diff' ? block.before.length + block.after.length : 200);
  }, 0);
  return body.text.length + texts + (typeof body.arguments === 'string' ? body.arguments.length : 0);
}
