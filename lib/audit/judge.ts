/**
 * Makes the row of what is known of one request, by the rules A1-A6. A row is as the session stands: what never came (a
 * result, the agent's word) is flagged only when `over` says that nothing more is awaited.
 */
import type { Decision } from '../core/event.ts';
import { isObject } from '../core/message.ts';
import { timedOut } from '../dialects/control-channel.ts';
import { isSame } from '../dialects/fields.ts';
import { argumentsOf, type Case } from './case.ts';
import type { ApprovalRow } from './row.ts';

type Part<K extends keyof ApprovalRow> = Pick<ApprovalRow, K>;

/** What is wrong or special with an answer, of all that a dialect flags. */
const OF_ANSWERS = new Set([
  ...['wrong-request-id', 'no-request-id', 'bad-word', 'bad-shape', 'both', 'edited', 'client-timeout'],
]);

export function judge(one: Case, dialect: string, over: boolean): ApprovalRow {
  const verdict = decide(one);
  const yes = isYes(one, verdict.decision);
  const ran = outcome(one, yes);
  const { asked, call } = one;
  const answer = one.decided ?? one.first;
  const known = call ? argumentsOf(call) : null;
  const wanted = asked.arguments ?? known;
  const executed = ran.executed === 'yes' ? (one.decided?.edited ?? known ?? asked.arguments) : null;
  const isEdited = one.decided?.edited !== undefined || (ran.executed === 'yes' && differs(one, executed));
  const row: ApprovalRow = { ...asked };
  row.turn = one.turn?.n ?? null;
  row.tool = call?.tool ?? asked.tool;
  row.subagent ??= call?.subagent ?? null;
  row.arguments = wanted;
  row.executed_arguments = executed;
  Object.assign(row, verdict, ran);
  row.option = answer?.option ?? null;
  row.feedback = answer?.feedback ?? one.resolved?.feedback ?? null;
  row.answers = answer?.answers ?? null;
  row.wait = waited(one);
  row.run = ran.executed === 'yes' ? runOf(one) : null;
  row.resolved = one.resolved?.decision ?? null;
  row.resolved_f = one.resolved?.f ?? null;
  row.resent = [...asked.resent];
  const flags = new Set(one.flags);
  if (isEdited) flags.add('edited');
  askedFlags(one, row, over, flags);
  answeredFlags(one, row, dialect, flags);
  settledFlags(one, row, flags, dialect, over);
  ranFlags(row, yes, over, flags);
  row.flags = [...flags].sort();
  return row;
}

/** Whether later frames can tell nothing new of it but late answers. */
export function isComplete(one: Case, dialect: string): boolean {
  if (one.asked.kind !== 'approval') return one.first !== null || one.settled !== null;
  if (!one.settled || (dialect === 'wire' && !one.resolved)) return false;
  return (one.call?.result ?? null) !== null || !isYes(one, decide(one).decision);
}

function decide(one: Case): Part<'decision' | 'by' | 'answer_f' | 'grant_f'> {
  const answer = one.decided ?? one.first;
  if (answer) {
    const by = answer.failed ? 'client-error' : answer.decision === null ? 'invalid' : 'client';
    const decision = by === 'client' ? answer.decision! : 'none';
    return { decision, by, answer_f: answer.f, grant_f: null };
  }
  const { grant, cancel, settled, gone } = one;
  if (one.own) return { decision: 'deny', by: 'agent', answer_f: null, grant_f: null };
  if (grant) return { decision: 'none', by: 'grant', answer_f: grant.answer_f, grant_f: grant.f };
  if (cancel) return { decision: 'cancelled', by: 'client', answer_f: cancel.f, grant_f: null };
  const byAgent = settled !== null && !(gone && gone.f < settled.f);
  return { decision: 'none', by: byAgent ? 'agent' : 'nobody', answer_f: null, grant_f: null };
}

/** The effective verdict is the agent's word if there is one, else the decision (rule A5). Hooks fail open. */
function isYes(one: Case, decision: ApprovalRow['decision']): boolean {
  const effective: Decision | 'none' | 'unasked' | null = one.resolved ? one.resolved.decision : decision;
  if (one.asked.kind === 'hook') return effective !== 'deny';
  return effective === 'allow' || effective === 'allow-always';
}

/** Rule A6. What the client does itself, it says itself. */
function outcome(one: Case, yes: boolean): Part<'executed' | 'result' | 'result_f'> {
  const { kind, f } = one.asked;
  const result = one.call?.result ?? null;
  const told = { result: result ? word(result.ok) : null, result_f: result?.f ?? null };
  if (kind === 'client-call') return clientRan(one, told);
  if (kind === 'question') return { executed: result ? 'yes' : 'unknown', ...told };
  if (result && result.f < f) return { executed: 'yes', ...told };
  if (!yes) return { executed: result?.ok ? 'yes' : 'no', ...told };
  const runs = (one.call?.ran ?? -1) > (one.decided ?? one.asked).f;
  return { executed: result || runs ? 'yes' : 'unknown', ...told };
}

function clientRan(one: Case, told: Part<'result' | 'result_f'>): Part<'executed' | 'result' | 'result_f'> {
  const { decided } = one;
  if (!decided) return { executed: one.first ? 'no' : 'unknown', ...told };
  return { executed: 'yes', result: told.result ?? word(decided.ok), result_f: told.result_f ?? decided.f };
}

const word = (ok: boolean): 'ok' | 'error' => (ok ? 'ok' : 'error');

/** Seconds to the deciding answer; else to whatever took its place first (rule W1). A killed recorder saw no end. */
function waited(one: Case): number | null {
  const answer = one.decided ?? one.first;
  const gone = one.gone?.isLost ? null : one.gone;
  const ends = answer ? [answer] : [one.cancel, one.settled, gone].filter((end) => end !== null);
  return ends.length === 0 || one.own ? null : seconds(one.asked.t, Math.min(...ends.map(({ t }) => t)));
}

/** Seconds from what set it going to its result. */
function runOf(one: Case): number | null {
  const since = one.decided ?? one.first ?? one.resolved;
  const { result } = one.call ?? {};
  return result && since && since.f < result.f ? seconds(since.t, result.t) : null;
}

/** In whole microseconds, as times are told. */
const seconds = (from: number, to: number) => Math.max(0, Math.round((to - from) * 1e6) / 1e6);

/** The call was told again with other arguments than those that were asked about. */
function differs({ asked, call }: Case, executed: unknown): boolean {
  if (!call || call.argsF <= asked.f || !isObject(asked.arguments) || !isObject(executed)) return false;
  return !isSame(asked.arguments, executed);
}

function askedFlags(one: Case, row: ApprovalRow, over: boolean, flags: Set<string>): void {
  if (row.resent.length > 0) flags.add('resent');
  if (row.subagent !== null) flags.add('subagent');
  if (one.outside) flags.add('outside-turn');
  if (one.dead) flags.add('dead-turn');
  if (over && row.kind === 'approval' && !one.call?.announced) flags.add('unlinked');
}

function answeredFlags({ first, decided }: Case, row: ApprovalRow, dialect: string, flags: Set<string>): void {
  for (const flag of (decided ?? first)?.flags ?? []) if (OF_ANSWERS.has(flag)) flags.add(flag);
  if (first && decided && first !== decided) flags.add('answered-again');
  if (row.kind !== 'approval' || row.by !== 'client') return;
  if (row.decision === 'allow-always') flags.add('grant');
  // Elsewhere a deny always comes with words.
  if (decided?.feedback && dialect.startsWith('wire')) flags.add('feedback');
}

function settledFlags(one: Case, row: ApprovalRow, flags: Set<string>, dialect: string, over: boolean): void {
  const { cancel, settled, resolved, turn } = one;
  if (row.by === 'grant') flags.add('swept');
  if (cancel && (row.answer_f ?? 0) >= cancel.f) flags.add('turn-cancelled');
  if (row.by === 'agent' && !one.own && ranOut(one, dialect)) flags.add('timed-out');
  else if (row.by === 'agent' && settled?.how === 'turn' && !resolved) flags.add('turn-ended');
  if (row.by === 'nobody' && one.gone) flags.add(one.gone.how);
  if (resolved && turn?.answer && turn.answer.f < resolved.f) flags.add('late-resolved');
  if (over && row.kind === 'approval' && !resolved) silentFlags(one, row, flags, dialect);
}

/** The agent never said what it made of it, and nothing else tells. */
function silentFlags({ first, turn }: Case, row: ApprovalRow, flags: Set<string>, dialect: string): void {
  if (dialect === 'wire') flags.add('unresolved');
  const isTurnAnswered = (turn?.answer?.f ?? -1) > row.f;
  if (first && row.result === null && row.executed !== 'yes' && !isTurnAnswered) flags.add('no-effect');
}

/** The agent did not wait any longer: it says so, or its dialect has such a limit. */
function ranOut({ asked, settled, resolved, call }: Case, dialect: string): boolean {
  if (timedOut(resolved?.feedback ?? null) || timedOut(call?.result?.text ?? null)) return true;
  if (settled?.how === 'withdrawn' || asked.kind === 'hook') return true;
  return settled?.how === 'result' && (dialect === 'stream-json' || dialect === 'qwen-rfc');
}

function ranFlags(row: ApprovalRow, yes: boolean, over: boolean, flags: Set<string>): void {
  const { kind, result, executed } = row;
  if (kind === 'question' || (kind === 'hook' && row.tool_call_id === null)) return;
  if (result === 'error' && executed === 'yes') flags.add('error-result');
  if (kind === 'hook' ? row.decision !== 'deny' : kind !== 'approval') return;
  if (!yes && executed === 'yes' && (row.result_f ?? 0) > row.f) flags.add('ran-although-denied');
  if (yes && over && result === null && kind === 'approval') flags.add('no-result');
}
