/** A suite of expected sessions: each tape of a folder against the session, or the tape of another folder, of its name. */
import { junit, type PairResult } from '../../../analysis/diff/junit.ts';
import { Exit, Failure } from '../../../model/failure.ts';
import type { DiffStyle } from '../../../output/terminal/diff-entry.ts';
import { goldenLine, goldenSum } from '../../../output/terminal/diff-golden.ts';
import { type Io, writeAll } from '../../../output/terminal/io.ts';
import { copyTape, type GoldenPair, goldenPairs } from '../../../storage/store/golden-pairs.ts';
import { storeHome } from '../../../storage/store/home.ts';
import { openPlace } from '../../../storage/store/open.ts';
import type { SessionPlace } from '../../../storage/store/sessions.ts';
import { diffOf, type SessionCompareOptions } from './pair.ts';

export interface GoldenOptions extends SessionCompareOptions {
  accept?: boolean;
  json?: boolean;
  junit?: boolean;
  style: DiffStyle;
}

/** `other`: the other folder; null: sessions by name. */
export async function compareGolden(
  io: Io,
  folder: string,
  other: string | null,
  options: GoldenOptions,
): Promise<number> {
  const pairs = goldenPairs(storeHome(io.env), folder, other);
  const results: PairResult[] = [];
  for (const [done, one] of pairs.entries()) {
    io.progress('comparing tapes', done, pairs.length);
    const result = await goldenResult(one, options);
    results.push(result);
    const isNew = one.actual !== null && (one.expected === null || result.diff?.same === false);
    const accepted = options.accept === true && isNew;
    if (accepted) acceptTape(one.actual!, one.path);
    if (options.json) await io.json(goldenRow(one, result, accepted));
    else if (!options.junit) await io.write(goldenLine(result, accepted, pairs, options.style));
  }
  io.progress('', 0, 0);
  if (options.junit) await writeAll(io, junit(results));
  else if (!options.json) await io.write(goldenSum(results));
  if (results.some(({ unreadable }) => unreadable)) return Exit.failed;
  return options.accept || results.every(({ diff }) => diff?.same) ? Exit.ok : Exit.no;
}

async function goldenResult({ name, expected, actual }: GoldenPair, options: GoldenOptions): Promise<PairResult> {
  if (!actual) return { name, diff: null, trouble: 'no session of that name' };
  if (!expected) return { name, diff: null, trouble: 'no expected tape' };
  try {
    return { name, diff: await diffOf(expected, actual, options), trouble: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { name, diff: null, trouble: `cannot be compared: ${error.message}`, unreadable: true };
  }
}

function goldenRow({ name, path, actual }: GoldenPair, { diff, trouble }: PairResult, accepted: boolean) {
  const op = diff ? (diff.same ? 'same' : 'changed') : null;
  return {
    name,
    op,
    expected: path,
    actual: actual?.tape ?? null,
    counts: diff?.counts ?? null,
    tolerance: diff?.tolerance ?? null,
    message: trouble,
    accepted,
  };
}

/** Replaces the expected tape. A session that is still running is refused. */
export function acceptTape(place: SessionPlace, path: string): void {
  const session = openPlace(place);
  try {
    if (session.running) throw new Failure(`session ${place.id} is still running`, 'accept it when it has ended');
    copyTape(session.tape, path);
  } finally {
    session.close();
  }
}
