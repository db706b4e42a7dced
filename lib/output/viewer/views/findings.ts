/** What is wrong: requests without an answer, and broken rules of the protocol. */
import type { Finding, Severity } from '../../../dialects/rules/rule.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { App, View } from '../app.ts';
import {
  countSeverities,
  findingsFor,
  groupByRule,
  type ObligationJson,
  type RuleEntry,
  type RuleGroup,
} from '../findings/model.ts';
import { FINDING_WORDS, type FindingWords } from '../findings/words.ts';
import { fill, h } from '../h.ts';
import { found } from '../parts/found.ts';
import { badge, button, frameButton, linked, recordedText, type Tone } from '../parts/marks.ts';

const TONES: Record<Severity, Tone> = { error: 'bad', warning: 'warn', info: 'quiet' };
const GLYPHS: Record<Severity, string> = { error: '✖', warning: '▲', info: 'ℹ' };
/** Where a frame is shown. */
const TO = { view: 'timeline' } as const;
/** Findings of one rule that are shown at once. */
const FINDINGS_AT_ONCE = 50;

class FindingsView implements View {
  readonly root = h('div', { class: 'findings', tabindex: 0 });
  readonly #app: App;
  readonly #words: FindingWords;
  readonly #list = h('div', { class: 'findings-list' });
  #findings: Finding[] = [];
  #rules = new Map<string, RuleEntry>();
  #isLoaded = false;

  constructor(app: App) {
    this.#app = app;
    this.#words = app.words(FINDING_WORDS);
    app.state.watch(['hits', 'dim'], () => this.#paint());
  }

  show(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    fill(this.root, h('p', { class: 'findings-empty', role: 'status' }, this.#words.loading));
    this.#load().catch((error: unknown) => fill(this.root, h('p', { role: 'alert' }, String(error))));
  }

  focus(): void {
    (this.root.querySelector<HTMLElement>('summary, button') ?? this.root).focus();
  }

  /** Moves from one finding to the next. */
  key({ key }: KeyboardEvent): boolean {
    const step = key === 'j' || key === 'ArrowDown' ? 1 : key === 'k' || key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return false;
    const places = [...this.root.querySelectorAll<HTMLElement>('summary, .findings-one > .mark-frame')].filter(
      (place) => place.offsetParent !== null,
    );
    const at = places.indexOf(document.activeElement as HTMLElement);
    const next = places[at < 0 ? 0 : Math.max(0, Math.min(places.length - 1, at + step))];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
    return next !== undefined;
  }

  async #load(): Promise<void> {
    const { source } = this.#app;
    const [findings, rules, owed] = await Promise.all([source.findings(), source.rules(), source.why()]);
    this.#findings = findings as unknown as Finding[];
    for (const rule of rules as unknown as RuleEntry[]) this.#rules.set(rule.rule, rule);
    const { quotedInEnglish } = this.#words;
    fill(
      this.root,
      quotedInEnglish === '' ? null : h('p', { class: 'is-quiet' }, quotedInEnglish),
      this.#owed(owed as unknown as ObligationJson[]),
      h('section', {}, h('h2', {}, this.#words.findings), this.#list),
    );
    this.#paint();
  }

  #owed(owed: readonly ObligationJson[]): HTMLElement {
    const words = this.#words;
    const [first] = owed;
    const stderr = first?.stderr ?? [];
    return h(
      'section',
      { class: 'findings-owed' },
      h('h2', {}, words.owed),
      ...owed.map((one) => this.#obligation(one)),
      owed.some(({ open }) => open) || first?.rule === 'cannot-tell'
        ? null
        : h('p', { class: 'findings-calm' }, badge('good', '✓', words.nothingOwed)),
      stderr.length > 0
        ? h(
            'div',
            { class: 'findings-stderr' },
            h('h3', {}, words.lastStderr),
            ...stderr.map((line) => h('code', { dir: 'auto' }, visible(line))),
          )
        : null,
    );
  }

  #obligation(one: ObligationJson): HTMLElement {
    const words = this.#words;
    const { owes, to, f, open, what, waited, hint, follows } = one;
    const isRunning = this.#app.source.head.summary.state === 'running';
    const head =
      !open || owes === null || to === null
        ? [
            badge(
              owes === null ? 'quiet' : 'warn',
              owes === null ? '?' : 'ℹ',
              owes === null ? words.doubt : words.remark,
            ),
          ]
        : [
            badge(
              follows ? 'quiet' : 'bad',
              '◌',
              (isRunning ? words.running : words.never)(words.sides[owes], words.sides[to]),
            ),
            h('span', { class: 'is-quiet' }, words.openFor(humanSeconds(waited))),
            follows ? h('span', { class: 'is-quiet' }, `· ${words.follows}`) : null,
          ];
    return h(
      'article',
      { class: `findings-owe${follows ? ' is-following' : open ? '' : ' is-remark'}`, 'data-f': f },
      h('div', { class: 'findings-head' }, ...head, f === null ? null : this.#frame(f)),
      h('p', { class: 'findings-what' }, recordedText(what)),
      h('p', {}, linked(this.#app, one.cause, TO)),
      hint === null ? null : h('p', {}, h('b', {}, `${words.hint}: `), linked(this.#app, hint, TO)),
      this.#send(one, isRunning),
    );
  }

  /** The line that would answer, to be copied. */
  #send({ send, sender, or, head, rule }: ObligationJson, isRunning: boolean): HTMLElement | null {
    const words = this.#words;
    // What an agent at work would answer is its own affair.
    if (send === null || (sender === 'agent' && rule !== 'silent')) return null;
    const how = sender === 'agent' ? words.agentWould : isRunning ? words.sendNow : words.send;
    return h(
      'div',
      { class: 'findings-send' },
      h(
        'div',
        { class: 'findings-head' },
        h('b', {}, how),
        button(words.copy, () => this.#app.copy(send, words.line)),
      ),
      h('code', { dir: 'auto' }, visible(head === null ? send : `${head}${send}`, true)),
      or.length > 0
        ? h('div', {}, `${words.or}: `, recordedText(or.map((word) => JSON.stringify(word)).join(', ')))
        : null,
    );
  }

  #paint(): void {
    const words = this.#words;
    const { hits, dim } = this.#app.state.value;
    const has = hits && !dim ? found(this.#app.source, hits) : null;
    const left = findingsFor(this.#findings, has);
    const counts = countSeverities(left);
    const sum = (Object.keys(counts) as Severity[])
      .filter((severity) => counts[severity] > 0)
      .map((severity) => badge(TONES[severity], GLYPHS[severity], words.counts[severity](counts[severity])));
    const empty = this.#findings.length === 0 ? badge('good', '✓', words.none) : words.nothing;
    fill(
      this.#list,
      left.length === 0 ? h('p', { class: 'findings-calm' }, empty) : h('p', { class: 'findings-sum' }, ...sum),
      ...groupByRule(left).map((group) => this.#group(group)),
    );
  }

  #group({ rule, severity, findings }: RuleGroup): HTMLElement {
    const words = this.#words;
    const entry = this.#rules.get(rule);
    const list = h('ul', { class: 'findings-ones' });
    this.#more(list, findings, 0);
    return h(
      'details',
      {
        class: `findings-rule is-${TONES[severity]}`,
        open: severity !== 'info' || findings.length < 4,
        'data-rule': rule,
      },
      h(
        'summary',
        {},
        badge(TONES[severity], GLYPHS[severity], words.severities[severity]),
        h('code', { class: 'findings-id' }, rule),
        h('span', { class: 'findings-title' }, entry?.title ?? ''),
        h('span', { class: 'is-quiet' }, words.times(findings.length)),
      ),
      entry ? this.#explained(entry) : null,
      list,
    );
  }

  #explained({ means, fix, source }: RuleEntry): HTMLElement {
    const words = this.#words;
    return h(
      'details',
      { class: 'findings-entry' },
      h('summary', {}, words.explain),
      h(
        'dl',
        {},
        ...[
          [words.means, means],
          [words.fix, fix],
          [words.source, source],
        ].flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, visible(text!))]),
      ),
    );
  }

  #more(list: HTMLElement, findings: readonly Finding[], from: number): void {
    for (const one of findings.slice(from, from + FINDINGS_AT_ONCE)) list.append(this.#finding(one));
    const rest = findings.length - from - FINDINGS_AT_ONCE;
    if (rest <= 0) return;
    const item = h(
      'li',
      {},
      button(this.#words.more(Math.min(rest, FINDINGS_AT_ONCE)), () => {
        item.remove();
        this.#more(list, findings, from + FINDINGS_AT_ONCE);
      }),
    );
    list.append(item);
  }

  #finding({ f, frames, message, fault, severity }: Finding): HTMLElement {
    const words = this.#words;
    const others = frames.filter((other) => other !== f);
    return h(
      'li',
      { class: 'findings-one', 'data-f': f },
      this.#frame(f),
      h('span', { class: `findings-glyph is-${TONES[severity]}`, title: words.severities[severity] }, GLYPHS[severity]),
      h('span', { class: 'findings-message' }, recordedText(message)),
      h('span', { class: 'findings-fault' }, words.faults[fault]),
      others.length > 0
        ? h('span', { class: 'is-quiet' }, `${words.also} `, ...others.slice(0, 8).map((other) => this.#frame(other)))
        : null,
    );
  }

  #frame(f: number): HTMLElement {
    return frameButton(this.#app, f, TO);
  }
}

export const makeFindings = (app: App): View => new FindingsView(app);
