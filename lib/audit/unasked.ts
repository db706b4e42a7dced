/**
 * Calls that should have been asked about (rules N1, N2): tools that write or run something, and any tool that was asked
 * about elsewhere in the session. Those of tools nobody knows wait here until somebody is asked about one.
 */
import { Recent } from '../core/timeline/recent.ts';
import { argumentsOf, type Call } from './case.ts';
import type { Grants } from './grants.ts';
import { type ApprovalRow, makeRow } from './row.ts';

/** Delegation is none: what the other agent does is asked about. */
const DELEGATES = new Set(['task', 'agent']);

const TOOLS = 200;
const OF_ONE_TOOL = 500;
/** Characters of arguments that are kept of calls that wait. */
const ROOM = 1 << 24;

export class Unasked {
  readonly #grants: Grants;
  readonly #isResumed: boolean;
  /** Tools that somebody was asked about. */
  readonly #asked = new Recent<string, true>(10_000);
  readonly #waiting = new Recent<string, ApprovalRow[]>(TOOLS);
  #room = ROOM;

  constructor(grants: Grants, command: readonly string[]) {
    this.#grants = grants;
    this.#isResumed = command.some(
      (word, at) => at > 0 && /^(?:--(?:continue|session|resume)(?:=|$)|-[CrS]$)/.test(word),
    );
  }

  /** Somebody is asked about this tool: rows of its earlier calls. */
  asked(tool: string | null): ApprovalRow[] {
    if (tool === null || this.#asked.has(tool)) return [];
    this.#asked.set(tool, true);
    const rows = this.#waiting.get(tool) ?? [];
    this.#waiting.delete(tool);
    return rows;
  }

  /** A call has its result, and nobody was asked about it. */
  ended(call: Call): ApprovalRow | null {
    const { tool, result } = call;
    if (!result?.ok || call.clientRuns || tool === null || DELEGATES.has(tool.toLowerCase())) return null;
    const isKnown = call.writes || this.#asked.has(tool);
    const grant = isKnown ? this.#grants.covering(tool, call.action) : null;
    if (!grant && call.free) return null;
    const row = this.#row(call);
    row.executed = 'yes';
    row.executed_arguments = row.arguments;
    if (grant) {
      grant.covered++;
      Object.assign(row, { by: 'grant', answer_f: grant.answer_f, grant_f: grant.f, flags: ['under-grant'] });
      return row;
    }
    if (call.modes.length > 0 || this.#isResumed)
      row.flags = [...call.modes, ...(this.#isResumed ? ['resumed'] : [])].sort();
    if (isKnown) return row;
    this.#wait(tool, row, call);
    return null;
  }

  /** The agent's own rules refused it. */
  denied(call: Call): ApprovalRow | null {
    if (call.asked || call.clientRuns || DELEGATES.has((call.tool ?? '').toLowerCase())) return null;
    return Object.assign(this.#row(call), { executed: 'no', flags: [...call.modes, 'rule-denied'].sort() });
  }

  #row(call: Call): ApprovalRow {
    const { result } = call;
    const row = makeRow('approval', call.f, call.n, call.t);
    row.turn = call.turn;
    row.subagent = call.subagent;
    row.tool = call.tool;
    row.tool_call_id = call.id;
    row.action = call.action;
    row.arguments = argumentsOf(call);
    row.decision = 'unasked';
    row.by = 'agent';
    row.result = result ? (result.ok ? 'ok' : 'error') : null;
    row.result_f = result?.f ?? null;
    return row;
  }

  #wait(tool: string, row: ApprovalRow, { args }: Call): void {
    this.#room -= args?.length ?? 0;
    if (this.#room < 0) Object.assign(row, { arguments: null, executed_arguments: null });
    const rows = this.#waiting.get(tool);
    if (!rows) this.#waiting.set(tool, [row]);
    else if (rows.push(row) > OF_ONE_TOOL) rows.shift();
  }

  get retained(): number {
    let count = this.#asked.size;
    for (const rows of this.#waiting.values()) count += rows.length;
    return count;
  }
}
