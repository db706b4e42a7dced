/**
 * Calls that needed an approval and did not have one (rules N1, N2): tools that write or run something, and any tool
 * that needed an approval elsewhere in the session. Calls of other tools wait here until an approval for one is
 * requested.
 */
import type { Call } from '../core/ledger/records.ts';
import { Recent } from '../core/recent.ts';
import type { Standing } from './bypass.ts';
import type { Grants } from './grants.ts';
import { argumentsOf } from './request.ts';
import { type ApprovalRow, makeRow } from './row.ts';

/** Delegation needs no approval: the calls of the other agent do. */
const DELEGATES = new Set(['task', 'agent']);

const TOOLS = 200;
const OF_ONE_TOOL = 500;
/** How many characters of arguments are kept for waiting calls. */
const ROOM = 1 << 24;

export class Unasked {
  readonly #grants: Grants;
  readonly #isResumed: boolean;
  /** Tools for which an approval was requested. */
  readonly #asked = new Recent<string, true>(10_000);
  readonly #waiting = new Recent<string, ApprovalRow[]>(TOOLS);
  #room = ROOM;

  constructor(grants: Grants, command: readonly string[]) {
    this.#grants = grants;
    this.#isResumed = command.some(
      (word, at) => at > 0 && /^(?:--(?:continue|session|resume)(?:=|$)|-[CrS]$)/.test(word),
    );
  }

  /** An approval for this tool is requested. Returns the rows of its earlier calls. */
  asked(tool: string | null): ApprovalRow[] {
    if (tool === null || this.#asked.has(tool)) return [];
    this.#asked.set(tool, true);
    const rows = this.#waiting.get(tool) ?? [];
    this.#waiting.delete(tool);
    return rows;
  }

  /** A call that was not asked about has its result. */
  ended(call: Call, { free, modes }: Standing): ApprovalRow | null {
    const { tool, result } = call;
    if (!result?.ok || call.client_runs || tool === null || DELEGATES.has(tool.toLowerCase())) return null;
    const isKnown = call.writes || this.#asked.has(tool);
    const grant = isKnown ? this.#grants.covering(tool, call.action) : null;
    if (!grant && free) return null;
    const row = this.#row(call);
    row.executed = 'yes';
    row.executed_arguments = row.arguments;
    if (grant) {
      Object.assign(row, { by: 'grant', answer_f: grant.answer_f, grant_f: grant.f, flags: ['under-grant'] });
      return row;
    }
    if (modes.length > 0 || this.#isResumed) row.flags = [...modes, ...(this.#isResumed ? ['resumed'] : [])].sort();
    if (isKnown) return row;
    this.#wait(tool, row, call);
    return null;
  }

  /** The agent's own rules refused it. */
  denied(call: Call, { modes }: Standing): ApprovalRow | null {
    if (isAskedAbout(call) || call.client_runs || DELEGATES.has((call.tool ?? '').toLowerCase())) return null;
    return Object.assign(this.#row(call), { executed: 'no', flags: [...modes, 'rule-denied'].sort() });
  }

  #row(call: Call): ApprovalRow {
    const { result } = call;
    const row = makeRow('approval', call.f, call.n, call.t);
    row.turn = call.turn?.n ?? null;
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

/** An approval was requested for the call. */
export function isAskedAbout({ asks }: Call): boolean {
  return asks.some(({ kind }) => kind === 'approval');
}
