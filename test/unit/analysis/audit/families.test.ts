/**
 * Agents of each family were asked for the same ten things, and what the audit has to say was read by eye from the lines of
 * the tapes (test/fixtures/families/ROWS.tsv). Every approval of these tapes is in the table, cell by cell.
 */
import { describe, expect, it } from 'vitest';
import { hasRun } from '../../../../lib/analysis/audit/row.ts';
import { auditTape } from '../../../support/audit.ts';
import { type Cells, COLUMNS, cellsOf, type Pinned, readFamilies, tapePath } from '../../../support/families.ts';
import { buildTape, itemsOf } from '../../../support/timeline.ts';

const FAMILIES = [
  ...['kimi-wire', 'kimi-wire-legacy', 'kimi-print', 'kimi-acp', 'qwen-stream-json', 'qwen-acp'],
  ...['claude-code', 'claude-code-cli', 'claude-agent-acp', 'claude-code-acp', 'codex-app-server'],
  ...['codex-exec', 'codex-sdk', 'codex-mcp-server', 'codex-acp-0.16', 'codex-acp-2', 'gemini-acp'],
  ...['gemini-stream-json', 'opencode-acp', 'opencode-run-json', 'copilot-acp', 'copilot-json'],
  ...['copilot-sdk', 'vibe-acp', 'vibe-json', 'vibe-streaming', 'cline-acp', 'cline-json', 'pi-rpc'],
  ...['pi-json', 'hermes-acp', 'letta', 'cn-json', 'mcp'],
];
const THINGS = ['run', 'write', 'edit', 'deny', 'session', 'cancel', 'hook', 'one-shot', 'subagent', 'error'];

const table = readFamilies();
const tapes = [...new Set(table.flatMap(({ tape }) => tape ?? []))];

const keyOf = ({ f, kind, tool, asked }: Cells) => [f, kind, tool, asked].join(' ');

/** A `?` is a cell that the lines do not tell. */
const known = (cells: Cells, pinned: Cells): Cells => ({
  ...cells,
  ...Object.fromEntries(COLUMNS.filter((name) => pinned[name] === '?').map((name) => [name, '?'])),
});

describe('the table', () => {
  it('has every family of agents', () => {
    expect([...new Set(table.map(({ family }) => family))]).toEqual(FAMILIES);
  });

  it.each(FAMILIES)('says of %s what came of each of the ten things, or why there is no such thing', (family) => {
    const lines = table.filter((line) => line.family === family);
    const things = new Set(lines.map(({ thing }) => thing));
    expect(THINGS.filter((thing) => !things.has(thing))).toEqual([]);
    expect([...things].filter((thing) => ![...THINGS, 'also'].includes(thing))).toEqual([]);
    // A thing that cannot be asked for has one line and a reason; another that is seen elsewhere names a line that is there.
    for (const { thing, tape, cells, note } of lines) {
      if (tape === null)
        expect([note.length >= 7, lines.filter((one) => one.thing === thing).length]).toEqual([true, 1]);
      else if (cells === null) expect(isSaid(note, tape, lines)).toBe(true);
    }
  });
});

function isSaid(note: string, tape: string, lines: Pinned[]): boolean {
  if (note === 'no rows') return !lines.some((line) => line.tape === tape && line.cells !== null);
  const thing = /^as ([\w-]+)$/.exec(note)?.[1];
  return lines.some((line) => line.thing === thing && line.tape === tape && line.cells !== null);
}

describe('the audit', () => {
  it.each(tapes)('%s', (tape) => {
    const pinned = table.flatMap((line) => (line.tape === tape && line.cells ? [line.cells] : []));
    const others = new Set(pinned.filter(({ kind }) => kind !== 'approval').map(({ f, kind }) => `${f} ${kind}`));
    const found = auditTape(tapePath(tape))
      .rows.map(cellsOf)
      .filter(({ f, kind }) => kind === 'approval' || others.has(`${f} ${kind}`));
    const expected = [...pinned].sort((a, b) => Number(a.f) - Number(b.f) || keyOf(a).localeCompare(keyOf(b)));
    const rows = [...found].sort((a, b) => Number(a.f) - Number(b.f) || keyOf(a).localeCompare(keyOf(b)));
    expect(rows.map((row, i) => (expected[i] ? known(row, expected[i]) : row))).toEqual(expected);
  });
});

describe('the timeline', () => {
  it.each(tapes)('says of no call that it ran if the audit does not know: %s', (tape) => {
    const { rows } = auditTape(tapePath(tape));
    const ran = new Set(rows.filter(hasRun).map(({ tool_call_id }) => tool_call_id));
    const unknown = new Set(rows.map(({ tool_call_id }) => tool_call_id).filter((id) => id !== null && !ran.has(id)));
    for (const { call } of itemsOf(buildTape(tapePath(tape))))
      if (call?.id && unknown.has(call.id)) expect(call.run, call.id).toBeNull();
  });
});
