/** The columns of the approvals view, and the card that stands for a row on a narrow screen. */
import { isAlarming } from '../../../analysis/audit/row.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { App } from '../app.ts';
import { offset } from '../format.ts';
import { h } from '../h.ts';
import { badge, frameButton, recordedText, type Tone } from '../parts/marks.ts';
import type { TableColumn } from '../parts/table.ts';
import { FLAGS } from './flags.ts';
import { type AuditRow, flagsToShow, isOpen, type Reading, readingOf, waitOf } from './model.ts';
import type { ApprovalWords } from './words.ts';

const TONES: Record<Reading, Tone> = {
  ...{ allowed: 'good', question: 'good', denied: 'bad', open: 'warn', unasked: 'warn', mode: 'warn' },
  ...{ grant: 'quiet', unclear: 'quiet' },
} as const;

const GLYPHS: Record<AuditRow['decision'], string> = {
  ...{ allow: '✓', 'allow-always': '∞', deny: '✗', cancelled: '⊘', none: '○', unasked: '»', unknown: '?' },
  ...{ answered: '✓', dismissed: '–' },
};

/** What a cell of the table or of a card says. */
export class Cells {
  readonly #app: App;
  readonly #words: ApprovalWords;
  readonly #rows: readonly AuditRow[];

  constructor(app: App, words: ApprovalWords, rows: readonly AuditRow[]) {
    this.#app = app;
    this.#words = words;
    this.#rows = rows;
  }

  row(i: number): AuditRow {
    return this.#rows[i]!;
  }

  /** `long`: an open one says for how long. */
  decision(i: number, long = false): HTMLElement {
    const row = this.row(i);
    const tone = TONES[readingOf(row)];
    if (isOpen(row)) return badge('warn', '◌', long ? this.#words.open(this.waited(i)) : this.#words.openShort);
    return badge(tone, GLYPHS[row.decision], this.#words.decisions[row.decision]);
  }

  waited(i: number): string {
    const wait = waitOf(this.row(i), this.#app.source.head.duration);
    return wait === null ? '' : humanSeconds(wait);
  }

  by(i: number): HTMLElement {
    const { by, grant_f, flags } = this.row(i);
    const word = this.#words.deciders[by];
    if (flags.includes('rule-denied')) return h('span', {}, this.#words.refusedBy(word));
    if (by !== 'grant' || grant_f === null) return h('span', { class: `approvals-by is-${by}` }, word);
    return h('span', { class: 'approvals-by' }, `${word} `, frameButton(this.#app, grant_f));
  }

  ran(i: number): HTMLElement {
    const { executed, flags } = this.row(i);
    if (isAlarming(flags)) return badge('bad', '⚠', this.#words.ran[executed], { title: this.#words.ranAnyway });
    return badge(executed === 'no' ? 'quiet' : 'plain', '', this.#words.ran[executed]);
  }

  result(i: number): HTMLElement | string {
    const { result, executed } = this.row(i);
    if (result === null) return '';
    // What did not run did not fail.
    const isBad = result === 'error' && executed !== 'no';
    return badge(isBad ? 'bad' : 'quiet', result === 'error' ? '!' : '', this.#words.results[result]);
  }

  /** What ran, if it is not what was asked. */
  ranText(i: number): string | null {
    const { ran, as_asked } = this.row(i);
    return ran === '' || as_asked ? null : ran;
  }

  whatRan(i: number): HTMLElement | string {
    const { ran } = this.row(i);
    if (ran === '') return '';
    const other = this.ranText(i);
    if (other === null) return h('span', { class: 'is-quiet', title: ran }, this.#words.asAsked);
    return recordedText(other, { class: 'approvals-other' });
  }

  flags(i: number): HTMLElement[] {
    const meanings = this.#app.words(FLAGS);
    return flagsToShow(this.row(i)).map((flag) =>
      h('span', { class: 'approvals-flag', title: meanings[flag] ?? flag }, visible(flag)),
    );
  }

  /** For those who hear the row. */
  label(i: number): string {
    const { asked, tool, decision, by, executed, f } = this.row(i);
    const other = asked === '' ? null : this.ranText(i);
    const { row, decisions, deciders, ran, open, ranInstead } = this.#words;
    const decided = isOpen(this.row(i)) ? open(this.waited(i)) : decisions[decision];
    const instead = other === null ? '' : `, ${ranInstead(other)}`;
    return `f${f}, ${row(visible(`${tool ?? ''} ${asked || this.row(i).ran}`.trim()), decided, deciders[by], ran[executed])}${instead}`;
  }

  paintCard(card: HTMLElement, i: number): void {
    const { f, t, tool, asked } = this.row(i);
    const other = this.ranText(i);
    const wait = isOpen(this.row(i)) ? '' : this.waited(i);
    card.append(
      h(
        'div',
        { class: 'approvals-line' },
        this.decision(i, true),
        this.by(i),
        h('span', { class: 'approvals-gap' }),
        h('span', { class: 'is-quiet' }, `f${f}`),
        h('span', { class: 'is-quiet' }, offset(t)),
      ),
      h(
        'div',
        { class: 'approvals-line approvals-what' },
        tool === null ? null : h('b', {}, `${visible(tool)} `),
        recordedText(asked || (other ?? '')),
      ),
      other === null || asked === ''
        ? ''
        : h(
            'div',
            { class: 'approvals-line approvals-what' },
            h('span', { class: 'is-quiet' }, `${this.#words.columns.whatRan} `),
            recordedText(other, { class: 'approvals-other' }),
          ),
      h(
        'div',
        { class: 'approvals-line is-quiet' },
        wait === '' ? null : `${this.#words.columns.wait} ${wait}`,
        h('span', {}, `${this.#words.columns.ran} `, this.ran(i)),
        this.result(i),
        ...this.flags(i),
      ),
    );
  }
}

export function columnsOf(
  cells: Cells,
  words: ApprovalWords,
  { kinds, modes }: { kinds: boolean; modes: boolean },
): TableColumn[] {
  const { columns: head, titles } = words;
  const text = (of: (i: number) => string) => (cell: HTMLElement, i: number) => {
    const value = of(i);
    if (value !== '') cell.append(recordedText(value));
  };
  const put = (of: (i: number) => HTMLElement | string | HTMLElement[]) => (cell: HTMLElement, i: number) => {
    const made = of(i);
    cell.append(...(Array.isArray(made) ? made : [made]));
  };
  const row = (i: number) => cells.row(i);
  const all: (TableColumn | false)[] = [
    {
      id: 'f',
      head: head.f,
      least: 52,
      spare: null,
      isNumber: true,
      value: (i) => row(i).f,
      paint: text((i) => `f${row(i).f}`),
    },
    {
      id: 't',
      head: head.t,
      least: 84,
      spare: 3,
      isNumber: true,
      value: (i) => row(i).t,
      paint: text((i) => offset(row(i).t)),
    },
    kinds && {
      id: 'kind',
      head: head.kind,
      least: 76,
      spare: 5,
      value: (i) => words.kinds[row(i).kind],
      paint: text((i) => words.kinds[row(i).kind]),
    },
    {
      id: 'tool',
      head: head.tool,
      least: 84,
      spare: null,
      value: (i) => row(i).tool,
      paint: text((i) => row(i).tool ?? ''),
    },
    {
      id: 'what',
      head: head.what,
      least: 200,
      spare: null,
      grows: true,
      value: (i) => row(i).asked,
      paint: text((i) => row(i).asked),
    },
    {
      id: 'what-ran',
      head: head.whatRan,
      title: titles.whatRan,
      least: 160,
      spare: null,
      grows: true,
      value: (i) => row(i).ran || null,
      paint: put((i) => cells.whatRan(i)),
    },
    {
      id: 'decision',
      head: head.decision,
      least: 156,
      spare: null,
      value: (i) => row(i).decision,
      paint: put((i) => cells.decision(i)),
    },
    {
      id: 'by',
      head: head.by,
      title: titles.by,
      least: 92,
      spare: 9,
      value: (i) => row(i).by,
      paint: put((i) => cells.by(i)),
    },
    modes && {
      id: 'mode',
      head: head.mode,
      least: 88,
      spare: 6,
      value: (i) => row(i).mode,
      paint: text((i) => row(i).mode ?? ''),
    },
    {
      ...{ id: 'wait', head: head.wait, title: titles.wait, least: 72, spare: 8, isNumber: true },
      value: (i) => row(i).wait ?? (isOpen(row(i)) ? Number.POSITIVE_INFINITY : null),
      paint: text((i) => cells.waited(i)),
    },
    {
      id: 'ran',
      head: head.ran,
      least: 68,
      spare: null,
      value: (i) => row(i).executed,
      paint: put((i) => cells.ran(i)),
    },
    {
      id: 'run',
      head: head.run,
      title: titles.run,
      least: 64,
      spare: 1,
      isNumber: true,
      value: (i) => row(i).run,
      paint: text((i) => seconds(row(i).run)),
    },
    {
      id: 'result',
      head: head.result,
      least: 60,
      spare: null,
      value: (i) => row(i).result,
      paint: put((i) => cells.result(i)),
    },
    {
      id: 'flags',
      head: head.flags,
      least: 100,
      spare: null,
      value: (i) => flagsToShow(row(i)).join(' ') || null,
      paint: put((i) => cells.flags(i)),
    },
  ];
  return all.filter((one) => one !== false);
}

const seconds = (n: number | null): string => (n === null ? '' : humanSeconds(n));
