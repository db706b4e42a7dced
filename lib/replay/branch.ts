/**
 * What the agent did when the same request was answered in another way: elsewhere on the tape, or on another one. The rest
 * of that turn stands in for the rest of the turn that the live client departed from.
 */

import { isSame } from '../dialects/common/fields.ts';
import type { Event } from '../model/event.ts';
import { Pass } from '../session/pass.ts';
import type { Session } from '../session/session.ts';
import { Script } from './script.ts';
import type { AgentStep, ClientStep } from './script-step.ts';

export interface TapeBranch {
  session: Session;
  /** The frame of the answer. */
  f: number;
  /** The recorded request and prompt, from which the ids are learned. */
  ask: AgentStep;
  prompt: ClientStep | null;
  /** The rest of the turn. */
  steps: (ClientStep | AgentStep)[];
}

/** A turn with more lines is not taken: it must be held in memory. */
const MAX_BRANCH_STEPS = 100_000;

/** `answer`: what the live client answered. */
export function findBranch(sessions: readonly Session[], ask: AgentStep, answer: Event): TapeBranch | null {
  for (const session of sessions) {
    const f = findAnswer(session, ask, answer);
    const branch = f === null ? null : readBranch(session, f);
    if (branch) return branch;
  }
  return null;
}

/** The frame in which the same request got the same answer. */
function findAnswer(session: Session, ask: AgentStep, answer: Event): number | null {
  const question = ask.events.find(({ kind }) => kind === 'approval' || kind === 'question');
  if (!question) return null;
  const pass = new Pass(session);
  for (const { frame, events, ledger } of pass) {
    if (frame.from !== 'client') continue;
    const given = events.findIndex((event) => isSameAnswer(event, answer));
    const asked = given < 0 ? null : ledger.notes[given]!.ask;
    if (asked && isSameQuestion(asked, question)) {
      pass.close();
      return frame.f;
    }
  }
  return null;
}

function isSameAnswer(one: Event, other: Event): boolean {
  if (one.kind === 'approval-answer' && other.kind === 'approval-answer') {
    return one.decision !== null && one.decision === other.decision;
  }
  return one.kind === 'question-answer' && other.kind === 'question-answer' && isSame(one.answers, other.answers);
}

interface RecordedQuestion {
  tool: string | null;
  action: string | null;
  description: string | null;
  arguments: unknown;
  questions: unknown;
}

function isSameQuestion(asked: RecordedQuestion, event: Event): boolean {
  if (event.kind === 'question') return isSame(asked.questions, event.questions);
  if (event.kind !== 'approval' || asked.tool !== (event.tool ?? null)) return false;
  return asked.description === event.description && isSame(asked.arguments ?? null, event.arguments ?? null);
}

function readBranch(session: Session, f: number): TapeBranch | null {
  const script = new Script(session);
  try {
    const prompts = new Map<number, ClientStep>();
    const ask = readUntil(script, f, prompts);
    const steps = ask ? restOfTurn(script, ask.group) : null;
    return ask && steps && { session, f, ask, prompt: prompts.get(ask.prompt ?? 0) ?? null, steps };
  } finally {
    script.close();
  }
}

/** Reads up to the frame, as if all lines of the client had come. Returns the request that it answered last. */
function readUntil(script: Script, f: number, prompts: Map<number, ClientStep>): AgentStep | null {
  for (let step = script.next(); step !== null; step = script.next()) {
    if (step.is === 'say') continue;
    script.settle(step, 'came');
    if (step.isPrompt) prompts.set(step.f, step);
    if (step.f === f) return step.ask;
  }
  return null;
}

/** The rest of the turn; null if it is too long. */
function restOfTurn(script: Script, group: string): (ClientStep | AgentStep)[] | null {
  const steps: (ClientStep | AgentStep)[] = [];
  for (let step = script.next(); step !== null && steps.length <= MAX_BRANCH_STEPS; step = script.next()) {
    if (step.group !== group) continue;
    steps.push(step);
    if (step.is === 'say' && step.ends !== null) return steps;
  }
  return steps.length > MAX_BRANCH_STEPS ? null : steps;
}
