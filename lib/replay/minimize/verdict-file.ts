/**
 * The sets of frames that were tried, with their verdicts, in a file, so that an interrupted search can continue. It is
 * for one session and one test: another session or test has other answers.
 */
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { Failure } from '../../model/failure.ts';
import { fileAt } from '../../storage/files/destination.ts';
import { writeFileAt } from '../../storage/files/output.ts';

export type TrialVerdict = 'fails' | 'passes' | 'unknown';
const VERDICTS: readonly string[] = ['fails', 'passes', 'unknown'];

export interface VerdictFileHeader {
  /** The digest of the tape. */
  tape: string;
  test: string;
}

export class VerdictFile {
  readonly #path: string;
  readonly #known = new Map<string, TrialVerdict>();

  /** Reads the file, or creates it. */
  constructor(path: string, about: VerdictFileHeader) {
    const place = fileAt(path, true);
    this.#path = place.path;
    const head = JSON.stringify({ type: 'minimize', ...about });
    if (!place.before) {
      writeFileAt(path, [`${head}\n`]);
      return;
    }
    const [first, ...lines] = readFileSync(this.#path, 'utf8').split('\n');
    if (first !== head)
      throw new Failure(`${path} belongs to another session or test`, 'remove it, or choose another -o');
    for (const line of lines) {
      const [verdict, key] = line.split(' ');
      // The last line may be incomplete.
      if (key?.length === KEY_LENGTH && VERDICTS.includes(verdict!)) this.#known.set(key, verdict as TrialVerdict);
    }
  }

  /** How many answers are known. */
  get size(): number {
    return this.#known.size;
  }

  get(key: string): TrialVerdict | undefined {
    return this.#known.get(key);
  }

  set(key: string, verdict: TrialVerdict): void {
    this.#known.set(key, verdict);
    appendFileSync(this.#path, `${verdict} ${key}\n`);
  }

  /** Removes the file: the search is over. */
  remove(): void {
    rmSync(this.#path, { force: true });
  }
}

/** The length of a key. */
export const KEY_LENGTH = 32;
