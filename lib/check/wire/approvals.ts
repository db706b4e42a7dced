/** R14, R15 and R35: approvals are asked, answered and resolved once. */
import { toJson } from '../../core/message.ts';
import { objectOf, stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import { decisionOf } from '../../dialects/wire/words.ts';
import type { Broken, Rule } from '../rule.ts';
import { CROSSING_SECONDS, judged, missed, type Question } from './answers.ts';
import { Questions } from './questions.ts';
import { BYPASS, type Prompt, Scene } from './scene.ts';

const BOTH = ['wire', 'wire-legacy'];
export const isApproval = ({ type }: Question) => type === 'ApprovalRequest' || type === 'approval';

export const R14: Rule = {
  id: 'R14',
  dialects: BOTH,
  severity: 'error',
  fault: 'client',
  title: 'an approval is answered once, with its request_id and one of three words; the agent resolves it once',
  ref: 'kimi-cli wire-mode.md, ApprovalRequest; wire/server.py',
  needsClient: true,
  open(session) {
    const scene = session.share(Scene);
    const questions = session.share(Questions);
    const owed = new Set<Question>();
    /** Their turn is over. The resolution may still be under way: it does not wait for the answer to the prompt. */
    const late = new Set<Question>();
    return {
      take(read) {
        const { answer, resolved, asked } = questions;
        if (asked && isApproval(asked) && !asked.isReplayed && !scene.isLegacy) owed.add(asked);
        if (scene.answered) move(owed, late, scene.answered);
        if (answer?.question && isApproval(answer.question) && !answer.question.isReplayed)
          return judged(read, answer, 'a reject');
        if (resolved) return resolution(read, resolved);
        return scene.answered ? unresolved(late, (question) => question.turn !== scene.answered) : [];
      },
      end: () => [
        ...missed(questions, isApproval, scene),
        ...unresolved(late, ({ settledT }) => scene.t - settledT > CROSSING_SECONDS),
      ],
    };
  },
};

/** The agent says what became of it: once, and not yes where the client said no. */
function resolution(
  { frame, message }: ReadFrame,
  { question, isFirst }: NonNullable<Questions['resolved']>,
): Broken[] {
  const { f } = frame;
  const told = (text: string, frames: number[]): Broken => ({ f, frames, fault: 'agent', message: text });
  if (!question) return [told('ApprovalResponse for a request that nobody made', [])];
  if (!isFirst) return [told('a second ApprovalResponse for the same request', [question.f, question.resolvedF!])];
  const { response } = objectOf(objectOf(message.body).payload);
  const { answerF, result, fault, isError, isRetried } = question;
  const isGone = answerF === null && decisionOf(response) === 'deny' && isOpen(question);
  if (isGone)
    return [
      { f: question.f, frames: [f], severity: 'warning', message: 'the approval was not answered in time: a reject' },
    ];
  // Agents before 0.79 wait for a better answer.
  const isNo = answerF !== null && !isRetried && (fault !== null || isError || decisionOf(result?.response) === 'deny');
  // The id of the envelope counts, so a wrong request_id is no fault.
  if (!isNo || decisionOf(response) === 'deny' || decisionOf(response) === null) return [];
  return [told('the agent takes for a yes what was none', [question.f, answerF!])];
}

/** Its turn goes on, and nobody has cancelled it. */
const isOpen = ({ turn }: Question) =>
  turn !== null && turn.answerF === null && turn.cancelF === null && turn.turnEnds === 0;

/** Those that were answered in a turn that is finished. A cancelled one may be forgotten. */
function move(owed: Set<Question>, late: Set<Question>, turn: Prompt): void {
  for (const question of owed) {
    if (question.turn !== turn && question.resolvedF === null) continue;
    owed.delete(question);
    if (question.resolvedF === null && question.answerF !== null && turn.status === 'finished') late.add(question);
  }
}

/** Decisions that the agent never spoke of, of those that are to be judged now. */
function unresolved(late: Set<Question>, isDue: (question: Question) => boolean): Broken[] {
  const found: Broken[] = [];
  for (const question of late) {
    if (question.resolvedF === null && !isDue(question)) continue;
    late.delete(question);
    if (question.resolvedF !== null) continue;
    const text = 'the approval was answered, but the turn ended without its ApprovalResponse';
    found.push({ f: question.f, frames: [question.answerF!], fault: 'agent', message: text });
  }
  return found;
}

export const R15: Rule = {
  id: 'R15',
  dialects: BOTH,
  severity: 'error',
  fault: 'agent',
  title: 'what was approved for the session is not asked again; with --yolo nothing is asked',
  ref: 'kimi-cli wire-mode.md, ApprovalRequest; soul/approval.py',
  needsClient: true,
  open(session) {
    const questions = session.share(Questions);
    const bypass = session.command.find((word) => BYPASS.has(word));
    /** By what is done, where it was granted. */
    const granted = new Map<string, number>();
    return {
      take({ frame }) {
        const { asked, answer } = questions;
        if (answer?.role === 'first' && answer.question && isApproval(answer.question) && answer.fault === null) {
          const action = stringOf(answer.question.payload.action);
          const inTime = answer.question.settledF === null || answer.question.settledF === frame.f;
          if (action !== null && inTime && answer.result.response === 'approve_for_session')
            granted.set(action, frame.f);
        }
        if (!asked || asked.isReplayed || !isApproval(asked)) return [];
        if (bypass !== undefined)
          return [{ f: frame.f, message: `an approval is asked for, although started with ${bypass}` }];
        const action = stringOf(asked.payload.action);
        const grant = action === null ? undefined : granted.get(action);
        if (grant === undefined) return [];
        return [
          {
            f: frame.f,
            frames: [grant],
            message: `${toJson(action)} is asked again, although approved for the session`,
          },
        ];
      },
    };
  },
};

export const R35: Rule = {
  id: 'R35',
  dialects: ['wire-legacy'],
  severity: 'warning',
  fault: 'agent',
  title: 'agents up to 0.58 read nothing while a run is open: answers to approvals and `interrupt` come too late',
  ref: 'kimi-cli 0.58 ui/wire/__init__.py',
  needsClient: true,
  open(session) {
    const scene = session.share(Scene);
    const questions = session.share(Questions);
    let stuck: Question | null = null;
    return {
      take({ frame, message }) {
        const { asked } = questions;
        if (asked && isApproval(asked)) stuck ??= asked;
        if (stuck && scene.answered === stuck.turn) stuck = null;
        if (frame.from !== 'client' || message.method !== 'interrupt' || !scene.turn) return [];
        const text = 'interrupt while a run is open: this agent reads it when the run is over';
        return [{ f: frame.f, frames: [scene.turn.f], message: text }];
      },
      end() {
        if (!stuck) return [];
        const frames = stuck.answerF === null ? [] : [stuck.answerF];
        return [{ f: stuck.f, frames, message: 'the run stops at an approval: this agent cannot read the answer' }];
      },
    };
  },
};
