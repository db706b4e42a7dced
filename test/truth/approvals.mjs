/**
 * Compares the audit of a tape with its rows of an APPROVALS.tsv, which names lines of the tape: process events are frames
 * of the session, but no lines (rule F7).
 */
import { readFileSync } from 'node:fs';
import { begun } from './frames.mjs';

const COLUMNS = [
  ...['line', 'turn', 'tool', 'tool_call_id', 'decision', 'by', 'answer_line', 'executed', 'result_line', 'wait_s'],
  ...['flags', 'resent_lines'],
];

/** Rows by the tape, as `acp/kimi-allow`: in the order of their lines. */
export function readApprovals(path) {
  const [head, ...rows] = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'));
  const byTape = new Map();
  for (const cells of rows) {
    const row = Object.fromEntries(head.map((name, i) => [name, cells[i] ?? '']));
    const tape = row.tape.replace(/\.jsonl$/, '');
    if (!byTape.has(tape)) byTape.set(tape, []);
    if (row.line !== '') byTape.get(tape).push(row);
  }
  return byTape;
}

/** The final rows of an audit: a later version takes the place of an earlier one. `live`: as if every frame were the last. */
export function auditOf(audit, reads, live = false) {
  const rows = new Map();
  const keep = (made) => {
    for (const row of made) rows.set(`${row.f} ${row.n}`, row);
  };
  for (const read of reads) {
    keep(audit.take(read));
    if (live) keep(audit.end());
  }
  keep(audit.end());
  return [...rows.values()].sort((a, b) => a.f - b.f || a.n - b.n);
}

/**
 * Rows of kind approval in the words of the table, which lists none by `mode`: they follow from the calls
 * (rule N2). It lists requests of the protocol, so a plan that is approved by way of a question (rule A8) is not in it either.
 */
export function asTable(rows, frames) {
  const lines = new Map();
  for (const { f, form } of frames) if (form !== 'event') lines.set(f, String(lines.size + 1));
  const line = (f) => (f === null ? '' : (lines.get(f) ?? '?'));
  return rows
    .filter(({ kind, by, action }) => kind === 'approval' && by !== 'mode' && action !== 'leave plan mode')
    .map((row) => ({
      ...{
        line: line(row.f),
        turn: String(row.turn ?? ''),
        tool: row.tool ?? '',
        tool_call_id: row.tool_call_id ?? '',
      },
      ...{ decision: row.decision, by: row.by, answer_line: line(row.answer_f), executed: begun(row.executed) },
      ...{ result_line: line(row.result_f), wait_s: row.wait === null ? '' : row.wait.toFixed(3) },
      ...{ flags: row.flags.join(',') || '-', resent_lines: row.resent.map(line).join(',') },
    }));
}

/**
 * Where the table of real tapes is wrong, as `tape line column`: rule C4 names an ACP tool by `_meta.toolName` of any frame of
 * its call, which the results have here (qwen-allow line 10: write_file, qwen-allow_shell line 11: run_shell_command).
 */
const WRONG = new Set(['acp/qwen-allow 8 tool', 'acp/qwen-allow_shell 8 tool']);

/** What differs, as [line, column, expected, found]. */
export function compare(tape, expected, found) {
  return differencesOf(expected, found).filter(([line, column]) => !WRONG.has(`${tape} ${line} ${column}`));
}

function differencesOf(expected, found) {
  const differences = [];
  const byLine = new Map(found.map((row) => [`${row.line} ${row.tool_call_id}`, row]));
  for (const row of expected) {
    const key = `${row.line} ${row.tool_call_id}`;
    const same = byLine.get(key);
    byLine.delete(key);
    const differing = COLUMNS.filter((name) => same && row[name] !== same[name]);
    differences.push(...differing.map((name) => [row.line, name, row[name], same[name]]));
    if (!same) differences.push([row.line, 'row', 'there', 'none']);
  }
  for (const row of byLine.values())
    differences.push([row.line, 'row', 'none', `${row.decision} by ${row.by} ${row.flags}`]);
  return differences;
}
