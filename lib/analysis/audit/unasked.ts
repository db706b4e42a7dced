/**
 * Calls that nobody was asked about (rules N1, N2): tools that write or run something, and any tool that needed an approval
 * elsewhere in the session. Each that ran has one row, which says why nobody was asked: a mode, a hook, a standing grant, or
 * the agent itself. Calls of other tools wait here until an approval for one is requested.
 */

import { isResumed } from '../../dialects/common/conversation.ts';
import type { Traits } from '../../dialects/traits.ts';
import { AMBIGUOUS, type Call, isStopped } from '../../model/ledger/records.ts';
import { Recent } from '../../model/recent.ts';
import type { Standing } from './bypass.ts';
import type { Grant, Grants } from './grants.ts';
import { ranOf, wasInterrupted } from './ran.ts';
import { argumentsOf } from './request.ts';
import { type ApprovalRow, hasRun, makeRow } from './row.ts';

/** Delegation needs no approval: the calls of the other agent do. */
const DELEGATES = new Set(['task', 'agent']);

const TOOLS = 200;
const OF_ONE_TOOL = 500;
/** How many characters of arguments are kept for waiting calls. */
const ROOM = 1 << 24;

export class Unasked {
  readonly #grants: Grants;
  /** An earlier conversation goes on, whose grants may still count. */
  isResumed: boolean;
  /** Tools for which an approval was requested. */
  readonly #asked = new Recent<string, true>(10_000);
  readonly #waiting = new Recent<string, ApprovalRow[]>(TOOLS);
  #room = ROOM;

  constructor(grants: Grants, command: readonly string[], traits: Traits) {
    this.#grants = grants;
    this.isResumed = isResumed(traits.conversations, command);
  }

  /** An approval for this tool is requested. Returns the rows of its earlier calls. */
  asked(tool: string | null): ApprovalRow[] {
    if (tool === null || this.#asked.has(tool)) return [];
    this.#asked.set(tool, true);
    const rows = this.#waiting.get(tool) ?? [];
    this.#waiting.delete(tool);
    return rows;
  }

  /**
   * A call that was not asked about has its result, or is over without one. `heard`: the tape would have a request if there
   * had been one.
   */
  ended(call: Call, standing: Standing, heard: boolean): ApprovalRow | null {
    const { tool, result } = call;
    if (call.client_runs || tool === null || isDelegation(tool)) return null;
    // Agents say that of a call that the client stopped, too.
    if (result?.ruling?.decision === 'deny' && !isStopped(call)) return this.denied(call, standing);
    const executed = ranOf(call);
    // Nobody knows whether a tool that only reads would have needed an approval.
    if (executed === 'no' || (executed === 'unknown' && !call.writes)) return null;
    const isKnown = call.writes || this.#asked.has(tool);
    const grant = isKnown ? this.#grants.covering(tool, call.action, () => argumentsOf(call)) : null;
    // Without a result or another sign, it may have been about to be asked about.
    if (!result && executed === 'unknown' && !standing.free && !grant) return null;
    const row = this.#row(call, standing);
    row.executed = executed;
    if (hasRun(row)) row.executed_arguments = row.arguments;
    const flags = this.#explain(row, call, standing, heard, grant);
    if (row.result === 'error' && executed === 'yes') flags.push('error-result');
    if (wasInterrupted(call, call.f, row)) flags.push('interrupted');
    if (!result) flags.push('no-result');
    if (call.doubtful) {
      // Something was asked, and nobody can tell whether about this call.
      Object.assign(row, { decision: 'unknown', by: 'unknown' });
      flags.push(AMBIGUOUS);
    }
    row.flags = flags.sort();
    if (isKnown) return row;
    this.#wait(tool, row, call);
    return null;
  }

  /** Says why nobody was asked, as far as that can be known (rules N2, A10 and A11). Returns flags. */
  #explain(row: ApprovalRow, call: Call, { free, modes }: Standing, heard: boolean, grant: Grant | null): string[] {
    const ruling = call.result?.ruling ?? null;
    const hook = call.asks.find(({ decided }) => decided?.permits);
    if (grant) Object.assign(row, { by: 'grant', answer_f: grant.answer_f, grant_f: grant.f });
    else if (free || ruling?.by === 'mode') row.by = 'mode';
    else if (hook || ruling?.by === 'hook') Object.assign(row, { by: 'hook', answer_f: hook?.decided?.f ?? null });
    else if (!heard && ruling === null) row.by = 'unknown';
    const flags: string[] = grant ? ['under-grant'] : [];
    if (!heard) flags.push('unheard');
    if (!heard && (row.by === 'unknown' || row.by === 'grant')) row.decision = 'unknown';
    if (row.by === 'agent' || row.by === 'unknown') flags.push(...modes, ...(this.isResumed ? ['resumed'] : []));
    // The agent says that the client was asked, and the tape has no request.
    if (heard && ruling?.by === 'client') flags.push('disputed');
    return flags;
  }

  /** The agent's own rules, or a hook, refused it. */
  denied(call: Call, standing: Standing): ApprovalRow | null {
    if (isAskedAbout(call) || call.client_runs || isDelegation(call.tool ?? '')) return null;
    const row = this.#row(call, standing);
    const hook = call.asks.find(({ kind, decided }) => kind === 'hook' && decided?.decision === 'deny');
    if (hook || call.result?.ruling?.by === 'hook')
      Object.assign(row, { by: 'hook', answer_f: hook?.decided?.f ?? null });
    return Object.assign(row, { executed: 'no', flags: [...standing.modes, 'rule-denied'].sort() });
  }

  #row(call: Call, { mode }: Standing): ApprovalRow {
    const { result } = call;
    const row = makeRow('approval', call.f, call.n, call.t);
    row.turn = call.turn?.n ?? null;
    row.subagent = call.subagent;
    row.tool = call.tool;
    row.tool_call_id = call.id;
    row.action = call.action;
    row.subject = call.subject;
    row.arguments = argumentsOf(call);
    row.decision = 'unasked';
    row.by = 'agent';
    row.mode = mode;
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

const isDelegation = (tool: string): boolean => DELEGATES.has(tool.toLowerCase());

/** An approval was requested for the call. */
export function isAskedAbout({ asks }: Call): boolean {
  return asks.some(({ kind }) => kind === 'approval');
}
