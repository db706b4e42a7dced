/**
 * Calls that nobody was asked about (rules N1, N2): tools that write or run something, and any tool that needed an approval
 * elsewhere in the session. Each that ran has one row, which says why nobody was asked: a mode, a hook, a standing grant, or
 * the agent itself. Calls of other tools wait here until an approval for one is requested.
 */

import { isResumed } from '../../dialects/common/conversation.ts';
import { hasOtherFields } from '../../dialects/common/fields.ts';
import type { Traits } from '../../dialects/traits.ts';
import { micros } from '../../model/interval.ts';
import { AMBIGUOUS, type Ask, type Call, isStopped } from '../../model/ledger/records.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ModeStanding } from './bypass.ts';
import { changedByHook } from './changes.ts';
import { ranOf, wasInterrupted } from './execution.ts';
import type { Grant, Grants } from './grants.ts';
import { argumentsOf } from './request.ts';
import { type ApprovalRow, hasRun, makeRow } from './row.ts';

/** Delegation needs no approval: the calls of the other agent do. */
const DELEGATING_TOOLS = new Set(['task', 'agent']);

const MAX_WAITING_TOOLS = 200;
const MAX_CALLS_PER_TOOL = 500;
/** How many characters of arguments are kept for waiting calls. */
const MAX_WAITING_ARGS_CHARS = 1 << 24;

export class UnaskedCalls {
  readonly #grants: Grants;
  /** An earlier conversation goes on, whose grants may still count. */
  isResumed: boolean;
  /** Tools for which an approval was requested. */
  readonly #askedTools = new LimitedMap<string, true>(10_000);
  readonly #waiting = new LimitedMap<string, ApprovalRow[]>(MAX_WAITING_TOOLS);
  #charsLeft = MAX_WAITING_ARGS_CHARS;

  constructor(grants: Grants, command: readonly string[], traits: Traits) {
    this.#grants = grants;
    this.isResumed = isResumed(traits.conversations, command);
  }

  /** An approval for this tool is requested. Returns the rows of its earlier calls. */
  addAskedTool(tool: string | null): ApprovalRow[] {
    if (tool === null || this.#askedTools.has(tool)) return [];
    this.#askedTools.set(tool, true);
    const rows = this.#waiting.get(tool) ?? [];
    this.#waiting.delete(tool);
    return rows;
  }

  /**
   * A call that was not asked about has its result, or is over without one. `hasClientSide`: the tape would have a request if there
   * had been one.
   */
  addEnded(call: Call, standing: ModeStanding, hasClientSide: boolean): ApprovalRow | null {
    const { tool, result } = call;
    if (call.client_runs || tool === null || isDelegation(tool)) return null;
    // Agents say that of a call that the client stopped, too.
    if (result?.ruling?.decision === 'deny' && !isStopped(call)) return this.addDenied(call, standing);
    const executed = ranOf(call);
    // Nobody knows whether a tool that only reads would have needed an approval.
    if (executed === 'no' || (executed === 'unknown' && !call.writes)) return null;
    const isKnown = call.writes || this.#askedTools.has(tool);
    const changed = changedByHook(call);
    const grant = isKnown ? this.#grants.findCovering(tool, call.action, () => changed ?? argumentsOf(call)) : null;
    const isFree = standing.free || grant !== null || permitOf(call) !== undefined;
    // Without a result or another sign, it may have been about to be asked about.
    if (!result && executed === 'unknown' && !isFree) return null;
    const row = this.#row(call, standing);
    row.executed = executed;
    row.changed_arguments = changed;
    if (hasRun(row)) {
      row.executed_arguments = changed ?? row.arguments;
      row.run = result && call.run !== null ? micros(call.run) : null;
    }
    const flags = this.#explain(row, call, standing, hasClientSide, grant);
    flags.push(...runFlags(call, row));
    if (call.isAmbiguous) {
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
  #explain(
    row: ApprovalRow,
    call: Call,
    { free, modes }: ModeStanding,
    hasClientSide: boolean,
    grant: Grant | null,
  ): string[] {
    const ruling = call.result?.ruling ?? null;
    const hook = permitOf(call);
    if (grant) Object.assign(row, { by: 'grant', answer_f: grant.answer_f, grant_f: grant.f });
    else if (free || ruling?.by === 'mode') row.by = 'mode';
    else if (hook || ruling?.by === 'hook') Object.assign(row, { by: 'hook', answer_f: hook?.decided?.f ?? null });
    else if (!hasClientSide && ruling === null) row.by = 'unknown';
    const flags: string[] = grant ? ['under-grant'] : [];
    if (!hasClientSide) flags.push('unheard');
    if (!hasClientSide && (row.by === 'unknown' || row.by === 'grant')) row.decision = 'unknown';
    if (row.by === 'agent' || row.by === 'unknown') flags.push(...modes, ...(this.isResumed ? ['resumed'] : []));
    // The agent says that the client was asked, and the tape has no request.
    if (hasClientSide && ruling?.by === 'client') flags.push('disputed');
    return flags;
  }

  /** The agent's own rules, or a hook, refused it. */
  addDenied(call: Call, standing: ModeStanding): ApprovalRow | null {
    if (isAskedAbout(call) || call.client_runs || isDelegation(call.tool ?? '')) return null;
    const row = this.#row(call, standing);
    const hook = call.asks.find(({ kind, decided }) => kind === 'hook' && decided?.decision === 'deny');
    if (hook || call.result?.ruling?.by === 'hook')
      Object.assign(row, { by: 'hook', answer_f: hook?.decided?.f ?? null });
    return Object.assign(row, { executed: 'no', flags: [...standing.modes, 'rule-denied'].sort() });
  }

  #row(call: Call, { mode }: ModeStanding): ApprovalRow {
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
    this.#charsLeft -= args?.length ?? 0;
    if (this.#charsLeft < 0) Object.assign(row, { arguments: null, executed_arguments: null, changed_arguments: null });
    const rows = this.#waiting.get(tool);
    if (!rows) this.#waiting.set(tool, [row]);
    else if (rows.push(row) > MAX_CALLS_PER_TOOL) rows.shift();
  }

  get retained(): number {
    let count = this.#askedTools.size;
    for (const rows of this.#waiting.values()) count += rows.length;
    return count;
  }
}

const isDelegation = (tool: string): boolean => DELEGATING_TOOLS.has(tool.toLowerCase());

/** How it ran, and whether with other arguments than were announced. */
function runFlags(call: Call, row: ApprovalRow): string[] {
  const flags = hasOtherFields(row.arguments, row.changed_arguments) ? ['edited'] : [];
  if (row.result === 'error' && row.executed === 'yes') flags.push('error-result');
  if (wasInterrupted(call, call.f, row)) flags.push('interrupted');
  if (!call.result) flags.push('no-result');
  return flags;
}

/** The request to a hook whose answer let the call run without an approval. */
const permitOf = ({ asks }: Call): Ask | undefined => asks.find(({ decided }) => decided?.permits);

/** An approval was requested for the call. */
export function isAskedAbout({ asks }: Call): boolean {
  return asks.some(({ kind }) => kind === 'approval');
}
