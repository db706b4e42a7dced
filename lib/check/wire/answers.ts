/** What the rules about approvals, questions, tools and hooks have in common: how a client answers. */

import { stringOf } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../dialects/read.ts';
import type { Broken } from '../rule.ts';
import type { Answer, Question, Questions } from './questions.ts';
import type { Scene } from './scene.ts';

export type { Answer, Question };

/** Who speaks while the other does cannot know: so long a message may be under way. */
export const CROSSING_SECONDS = 1;

/** `taken`: what the agent makes of an answer that it cannot take. */
export function judged({ frame }: ReadFrame, answer: Answer, taken: string): Broken[] {
  const { f, t } = frame;
  const { role, fault, isError, result } = answer;
  const question = answer.question!;
  const frames = [question.f];
  if (role === 'again')
    return [
      {
        f,
        frames: [question.f, question.answerF!],
        severity: 'warning',
        message: `${question.type} is answered again`,
      },
    ];
  if (question.settledF !== null && question.settledF !== f) {
    if (t - question.settledT < CROSSING_SECONDS) return [];
    const text = `${question.type} is answered when it is already settled`;
    return [{ f, frames: [question.f, question.settledF], severity: 'warning', message: text }];
  }
  if (fault !== null) return [{ f, frames, message: `${question.type}: ${fault}: the agent takes it for ${taken}` }];
  if (isError)
    return [
      { f, frames, severity: 'warning', message: `${question.type} is answered with an error: that is ${taken}` },
    ];
  const named = stringOf(result.request_id) ?? stringOf(result.tool_call_id);
  if (named === null || named === question.payload.id) return [];
  return [{ f, frames, severity: 'warning', message: `${question.type} is answered with the id of something else` }];
}

/**
 * When all is over: what the client never answered. What is asked after it has closed stdin it cannot; where part is
 * not recorded, the answer may be there; an agent that ends by itself did not wait for it.
 */
export function missed(questions: Questions, isOurs: (question: Question) => boolean, scene: Scene): Broken[] {
  const { exit, isShut, isTorn } = scene;
  const leftByAgent = exit !== null && exit.signal === null && !isShut;
  if (isTorn || leftByAgent) return [];
  return [...questions.pending()]
    .filter((question) => isOurs(question) && !question.turn?.cancelF && question.f < (scene.eofF ?? Infinity))
    .map(({ f, type }) => ({
      f,
      frames: scene.eofF === null ? [] : [scene.eofF],
      severity: 'warning',
      message: `${type} was never answered`,
    }));
}
