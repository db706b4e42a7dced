/** What became of a list of tasks since the one before. */

export interface Task {
  title: string;
  status: string;
}

export type TaskState = 'done' | 'in_progress' | 'pending' | 'cancelled' | null;

/** Agents write these in many ways; null: none of the known ones. */
export function stateOf(status: string): TaskState {
  const word = status.toLowerCase().replaceAll(/[\s-]/g, '_');
  if (['done', 'completed', 'complete', 'finished'].includes(word)) return 'done';
  if (['in_progress', 'active', 'running', 'doing'].includes(word)) return 'in_progress';
  if (['cancelled', 'canceled', 'skipped', 'abandoned'].includes(word)) return 'cancelled';
  return ['pending', 'todo', 'open', 'not_started', ''].includes(word) ? 'pending' : null;
}

export interface TaskChange {
  /** How many are in this state now and were not. */
  now: { state: TaskState; count: number }[];
  added: number;
  gone: number;
}

/** Tasks are known by their title. Null: nothing changed. */
export function taskChange(before: readonly Task[], after: readonly Task[]): TaskChange | null {
  const old = new Map(before.map(({ title, status }) => [title, stateOf(status)]));
  const left = new Set(old.keys());
  const now = new Map<TaskState, number>();
  let added = 0;
  for (const { title, status } of after) {
    left.delete(title);
    if (!old.has(title)) added++;
    else if (old.get(title) !== stateOf(status)) now.set(stateOf(status), (now.get(stateOf(status)) ?? 0) + 1);
  }
  if (now.size + added + left.size === 0) return null;
  return { now: [...now].map(([state, count]) => ({ state, count })), added, gone: left.size };
}
