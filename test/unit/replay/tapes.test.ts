/**
 * Every tape of the suite, and every shared one where they are: a client that sends the recorded lines with ids of its own
 * gets every line of the agent, equal but for ids, and no miss.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Session, sessionInMemory } from '../../../lib/session/session.ts';
import { readLineLog } from '../../../lib/tape/import/line-log.ts';
import { fixtureSessions, metadataFor } from '../../support/fixture-sessions.ts';
import { readWhole } from '../../support/imports.ts';
import { type Replayed, replayed } from '../../support/replaying.ts';

const SHARED = fileURLToPath(new URL('../../../../shared/', import.meta.url));

/** The agent answered these only after the client had gone on, which the replay need not wait for. */
const IN_OTHER_ORDER = ['claude-code-2.1.325/control.jsonl'];

function sharedTapes(folder: string): string[] {
  if (!existsSync(SHARED + folder)) return [];
  return (readdirSync(SHARED + folder, { recursive: true }) as string[])
    .filter((name) => /\.jsonl$/.test(name) && !/\.meta\.jsonl$|session-folders/.test(name))
    .map((name) => `${folder}/${name}`);
}

function open(name: string): Session {
  const path = SHARED + name;
  if (name.startsWith('tapes-others')) {
    const { metadata, frames } = readWhole(path);
    return sessionInMemory(metadata, frames);
  }
  const { command, frames } = readLineLog(path);
  return sessionInMemory(metadataFor(name, [...command]), frames);
}

function verdict({ recorded, got, report }: Replayed, isInOrder: boolean): unknown {
  const { near, missed, departed, never_asked, unsent } = report;
  const lines = (of: string[]) => (isInOrder ? of : of.length);
  return { lines: lines(got), same: lines(recorded), near, missed, departed, never_asked, unsent };
}

function clean({ recorded }: Replayed, isInOrder: boolean): unknown {
  const lines = isInOrder ? recorded : recorded.length;
  return { lines, same: lines, near: [], missed: [], departed: [], never_asked: [], unsent: 0 };
}

describe('a client that does what was recorded', () => {
  it('gets every line of every tape of the suite', async () => {
    const sessions = fixtureSessions();
    expect(sessions.length).toBeGreaterThan(50);
    for (const session of sessions) {
      const run = await replayed(session);
      expect(verdict(run, true), session.id).toEqual(clean(run, true));
    }
  });

  it.runIf(existsSync(SHARED))('gets every line of every shared tape', async () => {
    const names = [...sharedTapes('tapes'), ...sharedTapes('tapes-others')];
    for (const name of names) {
      const isInOrder = !IN_OTHER_ORDER.some((end) => name.endsWith(end));
      const run = await replayed(open(name));
      expect(verdict(run, isInOrder), name).toEqual(clean(run, isInOrder));
    }
  });
});
