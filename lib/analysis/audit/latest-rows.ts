/** The rows of an audit, each in its latest version. */
import type { ApprovalRow } from './row.ts';

export class LatestRows {
  readonly #rows = new Map<string, ApprovalRow>();

  keep(rows: readonly ApprovalRow[]): void {
    for (const row of rows) this.#rows.set(`${row.f} ${row.n}`, row);
  }

  /** In the order of their frames. */
  get inOrder(): ApprovalRow[] {
    return [...this.#rows.values()].sort((a, b) => a.f - b.f || a.n - b.n);
  }
}
