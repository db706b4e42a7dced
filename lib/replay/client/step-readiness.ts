/** Whether the moment of a step has come. */
import { type ConversationProgress, OUTSIDE_TURNS } from './conversation-progress.ts';
import { type DriveStep, hasEnded, isMet } from './drive-step.ts';

/** Everything that it follows from has come. Without that it is not taken. */
export function hasMetNeeds({ needs }: DriveStep): boolean {
  for (let last = needs.at(-1); last && isMet(last); last = needs.at(-1)) needs.pop();
  return needs.length === 0;
}

/** What is about a turn comes too late when the turn has ended. */
export function isObsolete({ kind, turn }: DriveStep): boolean {
  return (kind === 'cancel' || kind === 'steer') && turn !== null && hasEnded(turn);
}

/** The agent has reached the point where the step was taken, and got the answers that it had got by then. */
export function hasReachedPoint({ point, asks }: DriveStep, course: ConversationProgress): boolean {
  if (asks.some(({ state }) => state !== 'answered')) return false;
  const turn = point === null ? null : point.turn === null ? OUTSIDE_TURNS : point.turn.liveF;
  if (point === null || turn === null) return true;
  // A turn that has ended reaches no further point.
  if (point.turn !== null && hasEnded(point.turn)) return true;
  return course.hasReached({ ...point, turn }, turn);
}
