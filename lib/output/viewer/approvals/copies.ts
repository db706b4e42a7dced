/** The approvals in sight as text for elsewhere: the CSV of `approvals --csv`, or a table in Markdown. */
import { csvHead, rowCsv } from '../../../analysis/audit/row-csv.ts';
import { humanSeconds, visible } from '../../../model/text/text.ts';
import type { SessionHead } from '../../page/page.ts';
import { type AuditRow, flagsToShow, isOpen, waitOf } from './model.ts';

export function asCsv(rows: readonly AuditRow[], head: SessionHead): string {
  const { cwd, client, agent, command } = head.summary as unknown as {
    cwd: string;
    client: string | null;
    agent: string | null;
    command: string[];
  };
  const about = { session: head.session, startedAt: head.started, cwd, client, agent, command };
  return csvHead(false) + rows.map((row) => rowCsv({ ...about, caveats: row.caveats, row })).join('');
}

const HEAD = [
  ...['frame', 'time (s)', 'tool', 'what was asked', 'what ran', 'decision', 'by', 'mode', 'waited', 'ran', 'result'],
  'flags',
];

export function asMarkdown(rows: readonly AuditRow[], { duration }: SessionHead): string {
  const lines = rows.map((row) => {
    const wait = waitOf(row, duration);
    return [
      ...[`f${row.f}`, row.t.toFixed(3), row.tool ?? '', code(row.asked), code(row.ran)],
      isOpen(row) ? 'open, no answer' : row.decision,
      row.by === 'grant' && row.grant_f !== null ? `grant f${row.grant_f}` : row.by,
      ...[row.mode ?? '', wait === null ? '' : humanSeconds(wait), row.executed, row.result ?? ''],
      flagsToShow(row).join(' '),
    ];
  });
  const table = [HEAD, HEAD.map(() => '---'), ...lines];
  return `${table.map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n')}\n`;
}

/** On one line, and nothing that ends a cell. */
const cell = (text: string): string => visible(text).replaceAll('|', '\\|');

/** As code, with as many backticks around it as it needs. */
function code(text: string): string {
  if (text === '') return '';
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const room = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${room}${text}${room}${fence}`;
}
