/**
 * Makes the row of one request by the rules A1-A6, from what is known so far. Something missing (a result, a
 * resolution) is flagged only if `over` says that nothing more is expected.
 */

import { isTimeout } from '../../dialects/common/control-channel.ts';
import { hasOtherFields } from '../../dialects/common/fields.ts';
import type { Traits } from '../../dialects/traits.ts';
import { micros } from '../../model/interval.ts';
import { AMBIGUOUS, type Ask } from '../../model/ledger/records.ts';
import { changedArguments, executedArguments } from './changes.ts';
import { listCover } from './cover.ts';
import { ranOf, ranOnceAllowed, wasInterrupted } from './execution.ts';
import type { Grant } from './grants.ts';
import { decideQuestion, describeQuestion, isPlan, planLeft } from './question.ts';
import { argumentsOf, rowOf } from './request.ts';
import { type ApprovalRow, hasRun, type RowDecision } from './row.ts';

type RowPart<K extends keyof ApprovalRow> = Pick<ApprovalRow, K>;

/** The flags of an answer that a row repeats. */
const ANSWER_FLAGS = new Set([
  ...['wrong-request-id', 'no-request-id', 'bad-word', 'bad-shape', 'both', 'client-timeout', 'asks'],
]);

/** What the audit knows about a request besides the ledger. */
export interface AuditCase {
  ask: Ask;
  /** The agent's own configuration denied it, without asking the client. */
  own: boolean;
  /** The standing grant that settled it. */
  grant: Grant | null;
  /** The mode that was on when it was asked. */
  mode: string | null;
  /** Its row was made as if the session had ended. */
  final: boolean;
  /** The arguments of its call, and the text that they were read from: a row is made anew for each frame about it. */
  known: { args: string | null; value: unknown };
}

export function makeCase(ask: Ask, own: boolean, mode: string | null): AuditCase {
  return { ask, own, grant: null, mode, final: false, known: { args: null, value: null } };
}

function knownArguments({ ask: { call }, known: args }: AuditCase): unknown {
  if (call === null) return null;
  if (args.args !== call.args) {
    args.args = call.args;
    args.value = argumentsOf(call);
  }
  return args.value;
}

export function judgeCase(one: AuditCase, traits: Traits, over: boolean): ApprovalRow {
  const { ask } = one;
  const verdict = decide(one);
  if (ask.kind === 'question') verdict.decision = decideQuestion(ask, verdict.decision);
  const yes = isYes(ask, verdict.decision);
  const ran = outcome(ask, yes, verdict.decision);
  const answer = ask.decided ?? ask.first;
  const known = knownArguments(one);
  const row = rowOf(ask);
  row.mode = one.mode;
  const requestedArgs = row.arguments;
  row.arguments = requestedArgs ?? known;
  row.changed_arguments = changedArguments(ask);
  row.executed_arguments = hasRun(ran) ? executedArguments(ask, known) : null;
  Object.assign(row, verdict, ran);
  row.option = answer?.option ?? null;
  row.feedback = answer?.feedback ?? ask.resolved?.feedback ?? null;
  row.answers = answer?.answers ?? null;
  if (verdict.decision === 'allow-always') row.covers = answer?.covers ?? null;
  row.granted = listCover(row.covers);
  if (ask.kind === 'question') describeQuestion(row, ask);
  row.wait = one.own || ask.wait === null ? null : micros(ask.wait);
  row.run = hasRun(ran) ? runOf(ask) : null;
  row.resolved = ask.resolved?.decision ?? null;
  row.resolved_f = ask.resolved?.f ?? null;
  const flags = new Set(ask.flags);
  if (isEdited(ask, row)) flags.add('edited');
  addAskFlags(ask, row, traits, over, flags);
  addAnswerFlags(ask, row, traits, flags);
  addSettledFlags(one, row, flags, traits, over);
  addRunFlags(ask, row, yes, over, flags);
  if (isDisputed(ask, row, yes)) flags.add('disputed');
  if (isPlan(ask)) addPlanFlags(row, over, flags);
  row.flags = [...flags].sort();
  return row;
}

/** The approval of a plan, which is asked for by way of a question. */
function addPlanFlags(row: ApprovalRow, over: boolean, flags: Set<string>): void {
  row.kind = 'approval';
  if (row.feedback !== null) flags.add('feedback');
  if (over && row.decision === 'allow' && row.result === null) flags.add('no-result');
}

/** Whether later frames can add only late answers. */
export function isComplete(one: AuditCase, traits: Traits): boolean {
  const { kind, first, settled, resolved, call } = one.ask;
  if (kind !== 'approval') return first !== null || settled !== null;
  if (!settled || (traits.agentResolvesAsks && !resolved)) return false;
  return (call?.result ?? null) !== null || !isYes(one.ask, decide(one).decision);
}

function decide({ ask, own, grant }: AuditCase): RowPart<'decision' | 'by' | 'answer_f' | 'grant_f'> {
  const answer = ask.decided ?? ask.first;
  if (answer) {
    const isInvalid = answer.decision === null && !answer.flags.includes('asks');
    const by = answer.failed ? 'client-error' : isInvalid ? 'invalid' : 'client';
    const decision = (by === 'client' ? answer.decision : null) ?? 'none';
    return { decision, by, answer_f: answer.f, grant_f: null };
  }
  const { cancel, settled, gone, resolved } = ask;
  if (own) return { decision: 'deny', by: 'agent', answer_f: null, grant_f: null };
  if (grant) return { decision: 'none', by: 'grant', answer_f: grant.answer_f, grant_f: grant.f };
  if (cancel) return { decision: 'cancelled', by: 'client', answer_f: cancel.f, grant_f: null };
  // The agent's log says what was decided, not by whom (rule A10).
  if (!ask.hasClientSide)
    return { decision: resolved?.decision ?? 'unknown', by: 'unknown', answer_f: null, grant_f: null };
  const byAgent = settled !== null && !(gone && gone.f < settled.f);
  return { decision: 'none', by: byAgent ? 'agent' : 'nobody', answer_f: null, grant_f: null };
}

/** The agent's resolution counts if there is one, else the decision (rule A5). Hooks fail open. */
function isYes({ kind, resolved }: Ask, decision: ApprovalRow['decision']): boolean {
  const effective = resolved ? resolved.decision : decision;
  if (kind === 'hook') return effective !== 'deny';
  return effective === 'allow' || effective === 'allow-always';
}

/** Rule A6. For a client call, the client's answer says whether it ran. */
function outcome(ask: Ask, yes: boolean, decision: RowDecision): RowPart<'executed' | 'result' | 'result_f'> {
  const { kind, f, call } = ask;
  const result = call?.result ?? null;
  const resultFields = { result: result ? okOrError(result.ok) : null, result_f: result?.f ?? null };
  if (kind === 'client-call') return clientCallOutcome(ask, resultFields);
  if (isPlan(ask)) return { executed: planLeft(ask), ...resultFields };
  if (kind === 'question') return { executed: result ? 'yes' : 'unknown', ...resultFields };
  if (result && result.f < f) return { executed: 'yes', ...resultFields };
  if (decision === 'unknown') return { executed: call ? ranOf(call) : 'unknown', ...resultFields };
  if (!yes) return { executed: ranAnyway(ask), ...resultFields };
  if (!call) return { executed: 'unknown', ...resultFields };
  // An agent asks again if what was allowed was not enough: the result belongs to its last request.
  const isLast = call.asks.findLast((one) => one.kind === 'approval') === ask;
  return { executed: isLast || !result ? ranOnceAllowed(call, decidingFrame(ask)) : 'yes', ...resultFields };
}

/** The frame that decided. */
const decidingFrame = (ask: Ask): number => (ask.decided ?? ask).f;

function ranAnyway({ call, flags }: Ask): ApprovalRow['executed'] {
  const result = call?.result ?? null;
  // What was denied may have been another call.
  if (result && flags.has(AMBIGUOUS)) return 'unknown';
  return result?.ok ? 'yes' : 'no';
}

function clientCallOutcome(
  ask: Ask,
  resultFields: RowPart<'result' | 'result_f'>,
): RowPart<'executed' | 'result' | 'result_f'> {
  const { decided } = ask;
  if (!decided) return { executed: ask.first ? 'no' : 'unknown', ...resultFields };
  return {
    executed: 'yes',
    result: resultFields.result ?? okOrError(decided.ok),
    result_f: resultFields.result_f ?? decided.f,
  };
}

const okOrError = (ok: boolean): 'ok' | 'error' => (ok ? 'ok' : 'error');

/** Seconds from the decision to the result. */
function runOf({ first, decided, resolved, call }: Ask): number | null {
  const since = decided ?? first ?? resolved;
  const result = call?.result;
  if (!result || !since || since.f >= result.f) return null;
  return call.run === null ? null : micros(call.run);
}

/**
 * What was asked about was changed by the client, or by the agent when it announced the call again (rule A9). An agent may
 * ask in other words than those of the call (opencode: a diff, then the texts), so a field that is gone shows nothing.
 */
function isEdited({ f, call, arguments: requested }: Ask, row: ApprovalRow): boolean {
  const { arguments: asked, changed_arguments: changed, executed_arguments: executed } = row;
  if (changed !== null) return hasOtherFields(asked, changed);
  return executed !== null && call !== null && call.args_f > f && hasOtherFields(requested, executed, false);
}

function addAskFlags(ask: Ask, row: ApprovalRow, traits: Traits, over: boolean, flags: Set<string>): void {
  if (row.resent.length > 0) flags.add('resent');
  if (row.subagent !== null) flags.add('subagent');
  if (ask.background) flags.add('background');
  // The agent's own log does not contain the client's answers.
  if (!ask.hasClientSide) flags.add('unheard');
  if (ask.outside && traits.hasTurns) flags.add('outside-turn');
  if (ask.dead) flags.add('dead-turn');
  if (over && row.kind === 'approval' && !ask.bound) flags.add('unlinked');
}

function addAnswerFlags({ first, decided }: Ask, row: ApprovalRow, traits: Traits, flags: Set<string>): void {
  for (const flag of (decided ?? first)?.flags ?? []) if (ANSWER_FLAGS.has(flag)) flags.add(flag);
  if (first && decided && first !== decided) flags.add('answered-again');
  if (row.kind !== 'approval' || (row.by !== 'client' && row.by !== 'unknown')) return;
  if (row.decision === 'allow-always') flags.add('grant');
  if (decided?.feedback && traits.feedbackIsOptional) flags.add('feedback');
}

function addSettledFlags(one: AuditCase, row: ApprovalRow, flags: Set<string>, traits: Traits, over: boolean): void {
  const { cancel, settled, resolved, turn, gone } = one.ask;
  if (row.by === 'grant') flags.add('swept');
  if (cancel && (row.answer_f ?? 0) >= cancel.f) flags.add('turn-cancelled');
  if (row.by === 'agent' && !one.own && hasTimedOut(one.ask, traits)) flags.add('timed-out');
  else if (row.by === 'agent' && settled?.how === 'turn' && !resolved) flags.add('turn-ended');
  if (row.by === 'nobody' && gone) flags.add(gone.how);
  if (resolved && turn?.answered && turn.answered.f < resolved.f) flags.add('late-resolved');
  if (over && row.kind === 'approval' && !resolved) addUnresolvedFlags(one.ask, row, flags, traits);
}

/** The agent never resolved it, and nothing else shows the outcome. */
function addUnresolvedFlags({ first, turn }: Ask, row: ApprovalRow, flags: Set<string>, traits: Traits): void {
  if (traits.agentResolvesAsks) flags.add('unresolved');
  const isTurnAnswered = (turn?.answered?.f ?? -1) > row.f;
  if (first && row.result === null && !hasRun(row) && !isTurnAnswered) flags.add('no-effect');
}

/** The agent stopped waiting: it says so, or its dialect has a time limit. */
function hasTimedOut({ kind, settled, resolved, call }: Ask, traits: Traits): boolean {
  if (isTimeout(resolved?.feedback ?? null) || isTimeout(call?.result?.text ?? null)) return true;
  if (settled?.how === 'withdrawn' || kind === 'hook') return true;
  return settled?.how === 'result' && traits.asksTimeOut;
}

function addRunFlags(ask: Ask, row: ApprovalRow, yes: boolean, over: boolean, flags: Set<string>): void {
  const { call } = ask;
  const { kind, result, executed } = row;
  if (kind === 'question' || (kind === 'hook' && row.tool_call_id === null)) return;
  if (result === 'error' && executed === 'yes') flags.add('error-result');
  if (call && wasInterrupted(call, decidingFrame(ask), row)) flags.add('interrupted');
  if (kind === 'hook' ? row.decision !== 'deny' : kind !== 'approval') return;
  if (!yes && row.decision !== 'unknown' && hasRun(row) && (row.result_f ?? 0) > row.f)
    flags.add('ran-although-denied');
  if (yes && over && result === null && kind === 'approval') flags.add('no-result');
}

/** The agent says that another one decided, or otherwise, than what crossed the pipe (rule A11). */
function isDisputed({ call, decided }: Ask, { kind, by }: ApprovalRow, yes: boolean): boolean {
  const ruling = call?.result?.ruling;
  if (kind !== 'approval' || by !== 'client' || !decided || !ruling || ruling.by === null) return false;
  return ruling.by !== 'client' || (ruling.decision === 'allow') !== yes;
}
