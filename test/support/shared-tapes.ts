/** The tapes of real programs beside the project, as far as the suite has no copy of them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { metadataFor } from './fixture-sessions.ts';
import { readWhole } from './imports.ts';
import { othersFolder, sharedTapesFolder } from './shared-folder.ts';
import { FIXTURES } from './stream-lines.ts';

const FOLDERS = { tapes: sharedTapesFolder, 'tapes-others': othersFolder };

/** Whether there are any, and they are read. */
export const hasShared = Object.values(FOLDERS).some((folder) => folder !== null);

const tapesIn = (folder: string) =>
  (readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) => /\.jsonl$/.test(name) && !/\.meta\.jsonl$|session-folders/.test(name),
  );

/** A log, and what lies beside it. */
function contentOf(path: string): string {
  const beside = path.replace(/\.jsonl$/, '.meta.jsonl');
  return `${readFileSync(path, 'latin1')}\0${existsSync(beside) ? readFileSync(beside, 'latin1') : ''}`;
}

/** All of both folders, as `tapes/wire-1.49.0/plain.jsonl`. */
export function sharedTapes(): string[] {
  const known = new Set(tapesIn(FIXTURES).map((name) => contentOf(`${FIXTURES}/${name}`)));
  return Object.entries(FOLDERS).flatMap(([name, folder]) =>
    (folder === null ? [] : tapesIn(folder))
      .filter((tape) => folder === othersFolder || !known.has(contentOf(join(folder!, tape))))
      .map((tape) => `${name}/${tape}`),
  );
}

export function openShared(name: string): Session {
  const [, folder, tape] = /^([^/]+)\/(.*)$/.exec(name) as unknown as [string, keyof typeof FOLDERS, string];
  const path = join(FOLDERS[folder]!, tape);
  if (folder === 'tapes-others') {
    const { metadata, frames } = readWhole(path);
    return sessionInMemory(metadata, frames);
  }
  const { command, frames } = readLineLog(path);
  return sessionInMemory(metadataFor(name, [...command]), frames);
}
