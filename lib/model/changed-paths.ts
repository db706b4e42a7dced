/** The files of a patch, as Codex has them in the arguments of a call: a list of changes, or an object by path. */
import { isObject } from './message.ts';

export function changedPaths(changes: unknown): string[] {
  if (isObject(changes)) return Object.keys(changes);
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change) => (isObject(change) && typeof change.path === 'string' ? [change.path] : []));
}
