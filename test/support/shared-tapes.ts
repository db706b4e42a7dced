/** The tapes of real programs beside the project, where they are, and as far as the suite has no copy of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { metadataFor } from './fixture-sessions.ts';
import { readWhole } from './imports.ts';
import { FIXTURES } from './stream-lines.ts';

export const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));

const tapesIn = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) => /\.jsonl$/.test(name) && !/\.meta\.jsonl$|session-folders/.test(name),
  );

/** A log, and what lies beside it. */
function contentOf(path: string): string {
  const beside = path.replace(/\.jsonl$/, '.meta.jsonl');
  return `${readFileSync(path, 'latin1')}\0${existsSync(beside) ? readFileSync(beside, 'latin1') : ''}`;
}

export function sharedTapes(folder: string): string[] {
  if (!existsSync(SHARED + folder)) return [];
  const known = new Set(tapesIn(FIXTURES).map((name) => contentOf(`${FIXTURES}/${name}`)));
  return tapesIn(SHARED + folder)
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.startsWith('tapes-others') || !known.has(contentOf(SHARED + name)));
}

export function openShared(name: string): Session {
  const path = SHARED + name;
  if (name.startsWith('tapes-others')) {
    const { metadata, frames } = readWhole(path);
    return sessionInMemory(metadata, frames);
  }
  const { command, frames } = readLineLog(path);
  return sessionInMemory(metadataFor(name, [...command]), frames);
}
