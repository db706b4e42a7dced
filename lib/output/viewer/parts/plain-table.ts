/** A table of a few rows, sorted by its heads. On a narrow screen each row is a card, whose cells name themselves. */
import { fill, h } from '../h.ts';
import { clicked, type Sorting, type SortValue, sortedBy } from './sort.ts';

export interface PlainColumn<T> {
  id: string;
  head: string;
  title?: string;
  isNumber?: boolean;
  /** Without it, the column cannot be sorted by. */
  value?: (row: T) => SortValue;
  cell: (row: T) => Node | string;
}

export interface PlainOptions<T> {
  label: string;
  columns: readonly PlainColumn<T>[];
  rows: readonly T[];
  sorting?: Sorting;
  /** What stands for the row in tests. */
  mark?: (row: T) => Record<`data-${string}`, string | number>;
  /** Says how many rows are left, on the button that shows them. */
  more: (n: number) => string;
}

/** Rows that are shown at first. */
const FIRST_ROWS = 100;

export function plainTable<T>({ label, columns, rows, sorting, mark, more }: PlainOptions<T>): HTMLElement {
  let now: Sorting = sorting ?? { column: '', descending: false };
  let shown = FIRST_ROWS;
  const head = h('thead');
  const body = h('tbody');
  const root = h('div', { class: 'plain' }, h('table', { 'aria-label': label }, head, body));
  const rest = h('button', { type: 'button', class: 'mark-button' });
  rest.addEventListener('click', () => {
    shown = rows.length;
    paint();
  });

  const headOf = ({ id, head: name, title, isNumber, value }: PlainColumn<T>): HTMLElement => {
    const isSorted = now.column === id;
    const arrow = isSorted ? (now.descending ? ' ▼' : ' ▲') : '';
    const attributes = { scope: 'col', class: isNumber ? 'is-number' : null, title };
    if (!value) return h('th', attributes, name);
    const button = h(
      'button',
      { type: 'button', class: 'plain-sort', 'data-sort': id },
      name,
      h('span', { 'aria-hidden': 'true' }, arrow),
    );
    button.addEventListener('click', () => {
      now = clicked(now, id, isNumber ?? false);
      paint();
      head.querySelector<HTMLElement>(`[data-sort="${CSS.escape(id)}"]`)?.focus();
    });
    return h(
      'th',
      { ...attributes, 'aria-sort': isSorted ? (now.descending ? 'descending' : 'ascending') : 'none' },
      button,
    );
  };

  const paint = () => {
    const sorted = columns.find(({ id }) => id === now.column)?.value;
    const all = Uint32Array.from(rows, (_, i) => i);
    const order = sorted ? sortedBy(all, (i) => sorted(rows[i]!), now.descending) : all;
    fill(head, h('tr', {}, ...columns.map(headOf)));
    fill(
      body,
      ...Array.from(order.subarray(0, shown), (i) => {
        const cells = columns.map((column) => {
          const made = column.cell(rows[i]!);
          return h(
            'td',
            { class: column.isNumber ? 'is-number' : null, 'data-label': made === '' ? null : column.head },
            made,
          );
        });
        return h('tr', mark?.(rows[i]!) ?? {}, ...cells);
      }),
    );
    rest.remove();
    if (rows.length <= shown) return;
    rest.textContent = more(rows.length - shown);
    root.append(rest);
  };
  paint();
  return root;
}
