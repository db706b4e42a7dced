/** One line a frame, with its facts and the beginning of its text, for spreadsheets. */

import { applyChange, FactReader } from '../../analysis/facts/fact-reader.ts';
import type { Facts } from '../../analysis/facts/facts.ts';
import { FACT_LIST } from '../../analysis/facts/table.ts';
import { isoMicros, microsOf } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import { csvLine } from '../../model/text/csv.ts';
import { Pass } from '../../session/pass.ts';
import type { ExportFormat } from './index.ts';

/** Marks are bits for queries. */
const COLUMN_NAMES = FACT_LIST.map(([name]) => name).filter((name) => name !== 'marks');
const MAX_TEXT_CHARS = 200;

export const csv: ExportFormat = {
  name: 'csv',
  summary: 'one row per frame, for spreadsheets',
  *write(session) {
    const startedAt = microsOf(session.metadata.started_at);
    const all = new Map<number, { facts: Facts; text: string }>();
    const pass = new Pass(session);
    const reader = new FactReader(pass);
    const settle = (changes: ReturnType<FactReader['end']>['changes']) => {
      for (const change of changes) {
        const row = all.get(change.f);
        if (row) applyChange(row.facts, change);
      }
    };
    pass.run({
      take: (read) => {
        const { facts, changes } = reader.take(read);
        const text = read.frame.form === 'event' ? '' : (textIn(read.frame) ?? '');
        all.set(facts.f, { facts, text: text.slice(0, MAX_TEXT_CHARS) });
        settle(changes);
      },
    });
    settle(reader.end().changes);
    // Excel takes a file without this for one in the local code page.
    yield `\uFEFF${csvLine([...COLUMN_NAMES.slice(0, 2), 'at', ...COLUMN_NAMES.slice(2), 'text'])}`;
    for (const { facts, text } of all.values()) {
      const cells = COLUMN_NAMES.map((name) => cellOf(facts[name]));
      yield csvLine([...cells.slice(0, 2), isoMicros(startedAt + facts.t * 1e6), ...cells.slice(2), text]);
    }
  },
};

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'number' || typeof value === 'string') return value;
  return Array.isArray(value) ? value.join(' ') : String(value);
}
