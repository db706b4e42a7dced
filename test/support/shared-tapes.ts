/** The tapes of real programs beside the project, where they are. */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { readLineLog } from '../../lib/tape/import/line-log.ts';
import { metadataFor } from './fixture-sessions.ts';
import { readWhole } from './imports.ts';

export const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));

export function sharedTapes(folder: string): string[] {
  if (!existsSync(SHARED + folder)) return [];
  return (readdirSync(SHARED + folder, { recursive: true }) as string[])
    .filter((name) => /\.jsonl$/.test(name) && !/\.meta\.jsonl$|session-folders/.test(name))
    .map((name) => `${folder}/${name}`);
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
