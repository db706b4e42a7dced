/** The audit: a row for each request and each call that nobody was asked about. */

import { isAlarming } from '../../../analysis/audit/row.ts';
import type { App, View } from '../app.ts';
import { Cells, columnsOf } from '../approvals/columns.ts';
import { asCsv, asMarkdown } from '../approvals/copies.ts';
import { type AuditRow, type AuditSum, readingOf, rowsFor } from '../approvals/model.ts';
import { copyButtons, summaryElement } from '../approvals/summary.ts';
import { APPROVAL_WORDS, type ApprovalWords } from '../approvals/words.ts';
import { fill, h } from '../h.ts';
import { found } from '../parts/found.ts';
import { SortTable, type TableColumn } from '../parts/table.ts';

const CARD = 98;

class Approvals implements View {
  readonly root = h('div', { class: 'approvals' });
  readonly #app: App;
  readonly #words: ApprovalWords;
  readonly #status = h('p', { class: 'approvals-empty', role: 'status' });
  #rows: AuditRow[] = [];
  #table: SortTable | null = null;
  #cells: Cells | null = null;
  /** Questions, hooks and client calls too. */
  #isAll = false;
  #isLoaded = false;

  constructor(app: App) {
    this.#app = app;
    this.#words = app.words(APPROVAL_WORDS);
    fill(this.root, this.#status);
    app.state.watch(['hits', 'dim'], () => this.#filter());
    app.state.watch(['f'], () => this.#select());
  }

  show(): void {
    if (this.#isLoaded) return;
    this.#isLoaded = true;
    this.#status.textContent = this.#words.loading;
    this.#load().catch((error: unknown) => {
      this.#status.textContent = String(error);
    });
  }

  key(event: KeyboardEvent): boolean {
    return this.#table?.key(event) ?? false;
  }

  focus(): void {
    this.#table?.focus();
  }

  async #load(): Promise<void> {
    const { source } = this.#app;
    const [rows, audit] = await Promise.all([source.approvals(), source.audit()]);
    this.#rows = rows as unknown as AuditRow[];
    const sum = audit as unknown as AuditSum;
    const others = this.#rows.filter(({ kind }) => kind !== 'approval').length;
    // Without an approval there is nothing else to show first.
    this.#isAll = others > 0 && others === this.#rows.length;
    if (this.#rows.length === 0)
      this.#status.textContent = sum.read?.enough === false ? this.#words.notUnderstood : this.#words.none;
    const cells = new Cells(this.#app, this.#words, this.#rows);
    this.#cells = cells;
    const top = summaryElement({
      ...{ app: this.#app, words: this.#words, audit: sum },
      rows: this.#rows,
      ask: (query) => this.#app.state.set({ query }),
    });
    this.#table = new SortTable({
      ...{ label: this.#words.label, sortBy: this.#words.sortBy, cardHeight: CARD, fitsOrCards: true },
      columns: this.#columns(),
      sorting: { column: 'f', descending: false },
      paintCard: (card, i) => cells.paintCard(card, i),
      paintRow: (element, i) => this.#mark(element, i, cells.label(i)),
      isSelected: (i) => this.#rows[i]!.f === this.#app.state.value.f,
      open: (i) => this.#app.select({ f: this.#rows[i]!.f }),
    });
    const tools = h(
      'div',
      { class: 'approvals-tools' },
      this.#toggle(others),
      ...copyButtons(this.#words, (form) => this.#copy(form)),
    );
    fill(
      this.root,
      top,
      this.#rows.length === 0 ? null : tools,
      this.#status,
      this.#rows.length === 0 ? null : this.#table.root,
    );
    this.#filter();
    this.#select();
  }

  #columns(): TableColumn[] {
    const modes = this.#rows.some(({ mode }) => mode !== null);
    return columnsOf(this.#cells!, this.#words, { kinds: this.#isAll, modes });
  }

  #toggle(others: number): HTMLElement | null {
    if (others === 0) return null;
    const box = h('input', { type: 'checkbox' });
    box.checked = this.#isAll;
    box.addEventListener('change', () => {
      this.#isAll = box.checked;
      this.#table!.use(this.#columns());
      this.#filter();
    });
    return h('label', { class: 'approvals-toggle' }, box, ` ${this.#words.others(others)}`);
  }

  #filter(): void {
    if (!this.#table || this.#rows.length === 0) return;
    const { hits, dim } = this.#app.state.value;
    const has = hits && !dim ? found(this.#app.source, hits) : null;
    const left = rowsFor(this.#rows, { all: this.#isAll, has });
    this.#status.textContent = left.length === 0 ? this.#words.nothing : '';
    this.#table.show(left);
  }

  #select(): void {
    const { f } = this.#app.state.value;
    const at = f === null ? -1 : this.#rows.findIndex((row) => row.f === f);
    if (at >= 0) this.#table?.reveal(at);
    else this.#table?.repaint();
  }

  #mark(element: HTMLElement, i: number, label: string): void {
    const { f, flags } = this.#rows[i]!;
    const { f: selected, hits, dim } = this.#app.state.value;
    element.classList.add(`is-${readingOf(this.#rows[i]!)}`);
    if (isAlarming(flags)) element.classList.add('is-alarming');
    if (hits && dim && !found(this.#app.source, hits)(f)) element.classList.add('is-dim');
    element.setAttribute('data-f', String(f));
    element.setAttribute('aria-selected', String(f === selected));
    element.setAttribute('aria-label', label);
  }

  #copy(form: 'csv' | 'markdown'): void {
    const rows = Array.from(this.#table!.order, (i) => this.#rows[i]!);
    const { head } = this.#app.source;
    this.#app.copy(form === 'csv' ? asCsv(rows, head) : asMarkdown(rows, head), this.#words.rows(rows.length));
  }
}

export const makeApprovals = (app: App): View => new Approvals(app);
