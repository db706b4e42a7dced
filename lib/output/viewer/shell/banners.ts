/** Lines above the view that the reader must not miss: what the page lacks, what could not be read, and that what is selected is hidden. */
import { visible } from '../../../model/text/text.ts';
import { isMostlyUnread, type ReadShare } from '../../../session/understanding.ts';
import { fill, h } from '../h.ts';
import { button } from './button.ts';
import type { Shell } from './shell.ts';

const WORDS = {
  en: {
    notRedacted: 'Not redacted: this page may hold secrets. Look before you share it.',
    unread: (understood: number, lines: number) =>
      `${understood} of ${lines} ${lines === 1 ? 'line from the agent was' : 'lines from the agent were'} understood: calls and approvals may be missing.`,
    part: 'A part of the session:',
    hidden: (f: number) => `f${f} is selected, but hidden by the query.`,
    clear: 'Clear the query',
    dim: 'Show what does not match',
    close: 'Hide this line',
  },
  zh: {
    notRedacted: '未脱敏：此页面可能包含机密信息。分享前请检查。',
    unread: (understood: number, lines: number) =>
      `代理的 ${lines} 行中只读懂了 ${understood} 行：工具调用和审批可能不全。`,
    part: '会话的一部分：',
    hidden: (f: number) => `已选中 f${f}，但它被查询隐藏了。`,
    clear: '清除查询',
    dim: '显示不匹配的内容',
    close: '隐藏此行',
  },
};

export class Banners {
  readonly root = h('div', { class: 'banners' });
  readonly #app: Shell;
  readonly #pin = h('div', { class: 'banner banner-pin', role: 'status' });

  constructor(app: Shell) {
    this.#app = app;
    const words = app.words(WORDS);
    const { redaction, tape, summary } = app.source.head;
    if (redaction === null)
      this.root.append(this.#closable('banner banner-warn', h('span', {}, `⚠ ${words.notRedacted}`)));
    const read = (summary.read ?? null) as ReadShare | null;
    if (isMostlyUnread(read))
      this.root.append(
        h('div', { class: 'banner banner-warn' }, h('span', {}, `⚠ ${words.unread(read.understood, read.lines)}`)),
      );
    if (tape.part !== null)
      this.root.append(
        h(
          'div',
          { class: 'banner' },
          h('span', {}, `◐ ${words.part} `, h('code', { dir: 'auto' }, visible(tape.part))),
        ),
      );
    this.root.append(this.#pin);
    app.state.watch(['f', 'hits', 'dim'], () => this.#showPin());
    this.#showPin();
  }

  #closable(name: string, text: HTMLElement): HTMLElement {
    const label = this.#app.words(WORDS).close;
    const banner = h('div', { class: name }, text);
    banner.append(button('✕', label, () => banner.remove()));
    return banner;
  }

  #showPin(): void {
    const { f, hits, dim } = this.#app.state.value;
    const index = f === null ? -1 : this.#app.source.frames.indexOf(f);
    const isHidden = hits !== null && !hits.partial && !dim && index >= 0 && hits.bytes[index] === 0;
    this.#pin.hidden = !isHidden;
    if (!isHidden || f === null) return fill(this.#pin);
    const words = this.#app.words(WORDS);
    fill(
      this.#pin,
      h('span', { 'data-f': f }, `⚲ ${words.hidden(f)}`),
      button(words.dim, null, () => this.#app.prefer({ dim: true })),
      button(words.clear, null, () => this.#app.controls.ask('')),
    );
  }
}
