/** A session in numbers: those of `stats --json`, and what follows from the rows and frames of the page. */
import { humanBytes, humanCount, humanSeconds, percent } from '../../../model/text/text.ts';
import type { App, View } from '../app.ts';
import { count } from '../format.ts';
import { fill, h } from '../h.ts';
import { frameButton } from '../parts/marks.ts';
import { contextOf, phasesOf } from '../stats/charts.ts';
import { environmentOf } from '../stats/environment.ts';
import { type StatsJson, slowestCalls, tokensByTurn, trafficByKind } from '../stats/model.ts';
import { kindTable, slowTable, tokenTable, toolTable, trafficTable, waitTable } from '../stats/tables.ts';
import { STATS_WORDS, type StatsWords } from '../stats/words.ts';

const SLOWEST = 12;

class StatsView implements View {
  readonly root = h('div', { class: 'stats', tabindex: -1 });
  readonly #app: App;
  readonly #words: StatsWords;
  readonly #stats: StatsJson;
  #isLoaded = false;

  constructor(app: App) {
    this.#app = app;
    this.#words = app.words(STATS_WORDS);
    this.#stats = app.source.head.stats as unknown as StatsJson;
  }

  show(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    fill(this.root, h('p', { class: 'is-quiet', role: 'status' }, this.#words.loading));
    this.#load().catch((error: unknown) => fill(this.root, h('p', { role: 'alert' }, String(error))));
  }

  focus(): void {
    this.root.focus();
  }

  async #load(): Promise<void> {
    const { source } = this.#app;
    const slowest = await slowestCalls({ rows: source.rows, body: (row) => source.body(row) }, SLOWEST);
    const column = source.frames.column.bind(source.frames);
    const [from, kind, size, event] = await Promise.all([
      column('from'),
      column('kind'),
      column('size'),
      column('event'),
      ...slowest.map(({ row }) => source.loadLabels(row, row + 1)),
    ]);
    const words = this.#words;
    const stats = this.#stats;
    const kinds = trafficByKind({ from, kind, size, event }, source.frames.count);
    const { language } = this.#app.state.value;
    fill(
      this.root,
      this.#section(words.phases, phasesOf(stats, words), 'is-wide'),
      this.#section(words.totals, this.#totals()),
      h(
        'div',
        {},
        this.#section(words.waits, waitTable(stats, words)),
        this.#section(words.extremes, this.#extremes()),
      ),
      this.#section(words.tools, toolTable(stats, words), 'is-wide'),
      this.#section(words.slowest, slowTable(this.#app, slowest, words), 'is-wide'),
      this.#section(words.tokens, tokenTable(tokensByTurn(source.head.turns, stats.tokens), words)),
      h(
        'div',
        {},
        this.#section(words.contextOver, contextOf(this.#app, stats, words)),
        this.#section(words.traffic, trafficTable(stats, words)),
      ),
      this.#section(words.byKind, kindTable(kinds, words), 'is-wide'),
      this.#section(words.environment, environmentOf(source.head, words, language), 'is-wide'),
    );
  }

  #section(title: string, body: HTMLElement | null, wide = ''): HTMLElement | null {
    return body && h('section', { class: `stats-section ${wide}` }, h('h2', {}, title), body);
  }

  #totals(): HTMLElement {
    const { total, failed, took, decisions: named, ofSize, maximum } = this.#words;
    const { tools, tokens, decisions, duration, ...sums } = this.#stats;
    const { language } = this.#app.state.value;
    const errors = tools.reduce((sum, tool) => sum + tool.errors, 0);
    const decided = Object.entries(decisions).filter(([, n]) => n > 0);
    const asked = Object.values(decisions).reduce((sum, n) => sum + n, 0);
    const input = tokens.input + tokens.cache_read + tokens.cache_write;
    const { context } = tokens;
    const points = tokens.context_over_time;
    const top = points.reduce((most, { used }) => Math.max(most, used ?? 0), 0);
    const cell = (id: string, value: number, text: string, name: string, more = '') =>
      value === 0
        ? null
        : h(
            'li',
            { 'data-stat': id, 'data-value': value },
            h('b', {}, text),
            ` ${name}`,
            more === '' ? null : h('span', { class: 'is-quiet' }, ` ${more}`),
          );
    const whole = (id: 'frames' | 'turns' | 'steps' | 'errors' | 'retries') =>
      cell(id, sums[id], count(sums[id], language), total[id]);
    return h(
      'ul',
      { class: 'stats-totals' },
      cell('duration', duration, humanSeconds(duration), took),
      whole('turns'),
      whole('steps'),
      cell('calls', sums.calls, count(sums.calls, language), total.calls, errors > 0 ? failed(errors) : ''),
      cell(
        'approvals',
        asked,
        count(asked, language),
        total.approvals,
        decided.map(([word, n]) => `${n} ${named[word] ?? word}`).join(', '),
      ),
      whole('errors'),
      whole('retries'),
      cell(
        'tokens.in',
        input,
        humanCount(input),
        total.in,
        tokens.cache_read > 0 ? `${percent(tokens.cache_read / input)} ${total.cached}` : '',
      ),
      cell('tokens.output', tokens.output, humanCount(tokens.output), total.out),
      context && context.used !== null
        ? cell(
            'tokens.context',
            context.used,
            humanCount(context.used),
            total.context,
            [context.size ? ofSize(humanCount(context.size)) : '', top > context.used ? maximum(humanCount(top)) : '']
              .filter((word) => word !== '')
              .join(', '),
          )
        : null,
      whole('frames'),
      cell('bytes', sums.bytes, humanBytes(sums.bytes), total.bytes),
    );
  }

  #extremes(): HTMLElement | null {
    const { longestLine, largestGap, from, unreadTape, unreadSource, tooLarge } = this.#words;
    const { longest_line: line, largest_gap: gap, unread } = this.#stats;
    const jump = (f: number) => frameButton(this.#app, f, { view: 'timeline' });
    const lines = [
      gap &&
        h(
          'li',
          { 'data-stat': 'largest_gap', 'data-value': gap.seconds },
          `${largestGap(humanSeconds(gap.seconds))} `,
          jump(gap.f),
        ),
      line &&
        h(
          'li',
          { 'data-stat': 'longest_line', 'data-value': line.size },
          `${longestLine(humanBytes(line.size), from[line.from as 'client'] ?? line.from)} `,
          jump(line.f),
        ),
      unread.tape > 0 && h('li', {}, unreadTape(unread.tape)),
      unread.source > 0 && h('li', {}, unreadSource(unread.source)),
      unread.too_large > 0 && h('li', {}, tooLarge(unread.too_large)),
    ].filter((one) => one !== null && one !== false);
    return lines.length === 0 ? null : h('ul', { class: 'stats-extremes' }, ...lines);
  }
}

export const makeStats = (app: App): View => new StatsView(app);
