/**
 * Which files the sessions of a store were imported from, to warn about importing a file twice. Only to warn: a file may
 * have grown since.
 */
import { readMetadata } from '../tape/read.ts';
import { attempt } from './home.ts';
import { listIds, placeOf } from './sessions.ts';

/** Sessions by the path of the imported file, the oldest first. Reads the first line of every tape. */
export function importsByPath(home: string): Map<string, string[]> {
  const sessions = new Map<string, string[]>();
  for (const id of listIds(home)) {
    const path = sourceOf(placeOf(home, id).tape);
    if (path === null) continue;
    const before = sessions.get(path);
    if (before) before.push(id);
    else sessions.set(path, [id]);
  }
  return sessions;
}

function sourceOf(tape: string): string | null {
  // The origin of a session that cannot be read is unknown.
  const metadata = attempt(() => readMetadata(tape), null);
  return metadata?.source === 'import' && typeof metadata.source_path === 'string' ? metadata.source_path : null;
}
