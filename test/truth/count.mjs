/** Counts what a session holds, from its readings: the columns of a TRUTH.tsv. Replayed frames count nowhere. */

export const COLUMNS = ['client', 'agent', 'stderr', 'turns', 'tools', 'approvals', 'allow', 'always', 'deny', 'other'];
/** Columns that not every table has. */
export const MORE = ['agent_turns', 'questions'];

const ANSWERS = { allow: 'allow', 'allow-always': 'always', deny: 'deny' };

export function count(readings) {
  const counts = Object.fromEntries([...COLUMNS, ...MORE].map((name) => [name, 0]));
  const turns = new Set();
  /** Approvals by the frame that asked first, with the first valid answer before the agent had made up its mind. */
  const approvals = new Map();
  const settled = new Set();
  const named = new Map();
  const ofCalls = new Map();
  for (const { frame, pairing, events } of readings) {
    if (frame.form !== 'event' && frame.from in counts) counts[frame.from] += 1;
    for (const event of events) {
      if (event.flags?.includes('replayed')) continue;
      if (event.takes !== undefined) turns.add(event.takes);
      if (event.kind === 'turn-begin' && event.own) counts.agent_turns += 1;
      if (event.kind === 'tool-call' && !event.restates) counts.tools += 1;
      if (event.kind === 'approval' && !event.flags?.includes('resent')) {
        approvals.set(frame.f, null);
        named.set(event.request, frame.f);
        if (event.call !== null) ofCalls.set(event.call, frame.f);
      }
      // Answers after the result of its call decide nothing (rule A1).
      if (event.kind === 'tool-result') settled.add(ofCalls.get(event.call));
      if (event.kind === 'question' && !event.flags?.includes('resent')) counts.questions += 1;
      if (event.kind === 'approval-resolved') settled.add(named.get(event.request));
      if (event.kind !== 'approval-answer' || event.decision === null) continue;
      const asked = pairing?.exchange?.askedF;
      if (approvals.get(asked) === null && !settled.has(asked)) approvals.set(asked, event.decision);
    }
  }
  counts.turns = turns.size;
  counts.approvals = approvals.size;
  for (const decision of approvals.values()) counts[ANSWERS[decision] ?? 'other'] += 1;
  return counts;
}
