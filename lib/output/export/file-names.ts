/** Names of files for sessions. An id may come from a stranger's tape, so nothing of it can lead out of a folder. */
import { basename } from 'node:path';

const MAX_NAME_CHARS = 100;

export function safeName(id: string): string {
  const plain = basename(id)
    .replace(/\.(?:jsonl|html?)(@\d)?$/i, '$1')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, MAX_NAME_CHARS);
  return plain === '' ? 'session' : plain;
}

/** Different names for all of them, in their order. */
export function fileNames(ids: readonly string[], ending: string): string[] {
  const seen = new Map<string, number>();
  return ids.map((id) => {
    const name = safeName(id);
    // Names that differ only in case are one file on some systems.
    const count = (seen.get(name.toLowerCase()) ?? 0) + 1;
    seen.set(name.toLowerCase(), count);
    return `${name}${count > 1 ? `-${count}` : ''}.${ending}`;
  });
}
