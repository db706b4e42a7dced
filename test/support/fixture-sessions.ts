/** Every tape of test/fixtures/tapes as a session in memory: read once a process. */
import { readdirSync } from 'node:fs';
import type { Metadata } from '../../lib/model/frame.ts';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { readLineLog } from '../../lib/storage/tape/import/line-log.ts';
import { FIXTURES } from './stream-lines.ts';

export function metadataFor(session: string, command: string[] = []): Metadata {
  return {
    ...{ type: 'metadata', wiretape: 1, session, started_at: '2026-11-16T02:29:11.000000Z' },
    ...{ command, cwd: '/', recorder: 'wiretape' },
  };
}

let known: Session[] | null = null;

export function fixtureSessions(): Session[] {
  known ??= (readdirSync(FIXTURES, { recursive: true }) as string[])
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl'))
    .map((name) => {
      const { command, frames } = readLineLog(`${FIXTURES}/${name}`);
      return sessionInMemory(metadataFor(name, [...command]), frames);
    });
  return known;
}
