/** Compares an audit with the rows of an APPROVALS.tsv that names frames. An empty cell is one that cannot be told. */

const COLUMNS = ['turn', 'tool', 'decision', 'by', 'answer_f', 'executed', 'result_f'];

/**
 * Where the table lacks a row, as `tape frame`: an entry of vibe's list spans many lines, so it names no frame for the command
 * that ran (the same run with `--output streaming` has its row).
 */
const LACKING = new Set(['mistral-vibe-3.0.3-json/shell 99']);

/** The tables know no `partly`: they say `yes` of a call that was begun, whatever became of it. */
export const begun = (executed) => (executed === 'partly' ? 'yes' : executed);

/** What differs, as [frame, column, expected, found]. */
export function compareFrames(tape, expected, rows) {
  const differences = [];
  const found = new Map(
    rows.filter(({ kind }) => kind === 'approval').map((row) => [`${row.f} ${row.tool_call_id ?? ''}`, row]),
  );
  for (const row of expected) {
    const key = `${row.f} ${row.tool_call_id}`;
    const same = found.get(key);
    found.delete(key);
    if (!same) differences.push([row.f, 'row', 'there', 'none']);
    for (const name of same ? COLUMNS : []) {
      const cell = name === 'executed' ? begun(same.executed) : String(same[name] ?? '');
      if (row[name] !== '' && row[name] !== cell) differences.push([row.f, name, row[name], cell]);
    }
  }
  for (const { f, decision, by, flags } of found.values()) {
    if (LACKING.has(`${tape} ${f}`)) continue;
    differences.push([String(f), 'row', 'none', `${decision} by ${by} ${flags.join(',')}`]);
  }
  return differences;
}
