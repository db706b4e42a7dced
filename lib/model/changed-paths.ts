/**
 * The files of a patch, as Codex has them in the arguments of a call: a list of changes, or an object by path. A file that is
 * moved has two paths: `move_path` is the new one, in the change or in its kind.
 */
import { isObject } from './message.ts';

export function changedPaths(changes: unknown): string[] {
  if (isObject(changes)) return Object.entries(changes).flatMap(([path, change]) => [path, ...movedTo(change)]);
  if (!Array.isArray(changes)) return [];
  return changes.flatMap((change) =>
    isObject(change) && typeof change.path === 'string' ? [change.path, ...movedTo(change)] : [],
  );
}

/** `{"move_path": …}`, `{"update": {"move_path": …}}` or `{"kind": {"move_path": …}}`. */
function movedTo(change: unknown): string[] {
  if (!isObject(change)) return [];
  const places = [change, change.update, change.kind];
  const paths = places.flatMap((place) => (isObject(place) ? [place.move_path, place.movePath] : []));
  return paths.filter((path) => typeof path === 'string' && path !== '') as string[];
}
