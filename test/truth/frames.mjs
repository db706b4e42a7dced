/** Compares an audit with the rows of an APPROVALS.tsv that names frames. An empty cell is one that cannot be told. */

const COLUMNS = ['turn', 'tool', 'decision', 'by', 'answer_f', 'executed', 'result_f'];

/** What differs, as [frame, column, expected, found]. */
export function compareFrames(expected, rows) {
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
      const cell = String(same[name] ?? '');
      if (row[name] !== '' && row[name] !== cell) differences.push([row.f, name, row[name], cell]);
    }
  }
  for (const { f, decision, by, flags } of found.values()) {
    differences.push([String(f), 'row', 'none', `${decision} by ${by} ${flags.join(',')}`]);
  }
  return differences;
}
