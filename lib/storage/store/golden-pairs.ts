/** Suites of expected sessions: a folder of tapes, each with the name of the session that it is compared with. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../model/failure.ts';
import { fileAt } from '../files/destination.ts';
import { copyTo } from '../files/output.ts';
import { findSession, type SessionPlace } from './sessions.ts';

export interface GoldenPair {
  name: string;
  /** Null: there is no expected tape yet. */
  expected: SessionPlace | null;
  /** Null: there is no session of that name. */
  actual: SessionPlace | null;
  /** Where the expected tape is, or would be. */
  path: string;
}

const TAPE_SUFFIX = /\.jsonl$/;

/**
 * The tapes of a folder, each with the newest session of its name in the store, or with the tape of the same name in
 * another folder.
 */
export function goldenPairs(home: string, folder: string, actual: string | null): GoldenPair[] {
  const expected = tapesIn(folder);
  const others = actual === null ? null : tapesIn(actual);
  const names = [...new Set([...expected, ...(others ?? [])])].sort();
  if (names.length === 0)
    throw new Failure(`no tapes in ${folder}`, 'put one there: wiretape diff --accept --golden DIR RUNS');
  return names.map((file) => {
    const name = file.replace(TAPE_SUFFIX, '');
    const path = join(folder, file);
    const there = others?.includes(file) ? tapePlace(join(actual!, file)) : null;
    return {
      name,
      path,
      expected: expected.includes(file) ? tapePlace(path) : null,
      actual: others ? there : sessionNamed(home, name),
    };
  });
}

function tapesIn(folder: string): string[] {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Failure(`${folder} is not a folder`);
  return readdirSync(folder).filter((name) => TAPE_SUFFIX.test(name));
}

const tapePlace = (tape: string): SessionPlace => ({ ours: false, dir: null, tape, id: basename(tape) });

/** A path is not a name. */
function sessionNamed(home: string, name: string): SessionPlace | null {
  const found = findSession(home, name);
  return found.is === 'found' && found.place.dir !== null ? found.place : null;
}

/** Copies a tape to the place of an expected one. A concurrent reader gets either the old one or the new one. */
export function copyTape(tape: string, path: string): void {
  const { before } = fileAt(path, true);
  copyTo(path, tape, { force: true, mode: before ? before.mode & 0o777 : 0o644 });
}
