/**
 * What `check` finds wrong with the lines of a session. A client's mistake explains why the agent does not answer, or did
 * something that the client did not intend. What only the end of a session shows is not a mistake of one line.
 */

import type { Finding } from '../../dialects/rules/rule.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Checker } from '../check/checker.ts';
import { rulesNamed } from '../check/rules.ts';
import { isCertain } from '../check/unread.ts';

/** How many frames with mistakes are remembered. */
const MAX_FRAMES_WITH_MISTAKES = 1000;

export class ClientMistakes {
  readonly #session: { command: readonly string[]; dialect: string; source: string };
  readonly #isUnread: () => boolean;
  #checker: Checker | null = null;
  readonly #byFrame = new LimitedMap<number, { t: number; findings: Finding[] }>(MAX_FRAMES_WITH_MISTAKES);

  /** `isUnread`: too little is understood of the session, so that only some rules count. */
  constructor(session: { command: readonly string[]; dialect: string; source?: string }, isUnread: () => boolean) {
    this.#session = { source: 'record', ...session };
    this.#isUnread = isUnread;
  }

  take(read: ReadFrame): void {
    this.#checker ??= new Checker(this.#session);
    this.add(read, this.#checker.take(read));
  }

  /** The same, if another checker runs over the session. */
  add(read: ReadFrame, found: readonly Finding[]): void {
    for (const finding of found) {
      const { f, fault, severity } = finding;
      if (fault !== 'client' || severity === 'info') continue;
      const known = this.#byFrame.get(f);
      if (known) known.findings.push(finding);
      else this.#byFrame.set(f, { t: read.frame.t, findings: [finding] });
    }
  }

  /** The gravest mistake in this line of the client; null if there is none. */
  findAt(f: number): Finding | null {
    const found = this.#countedFindings(f);
    return found.find(({ severity }) => severity === 'error') ?? found[0] ?? null;
  }

  /** When it showed, in seconds since the start. */
  timeOf(f: number): number {
    return this.#byFrame.get(f)?.t ?? 0;
  }

  /** Frames with mistakes, in the order in which they were found. */
  get frames(): number[] {
    const all = [...this.#byFrame.keys()];
    return this.#isUnread() ? all.filter((f) => this.#countedFindings(f).length > 0) : all;
  }

  #countedFindings(f: number): Finding[] {
    const found = this.#byFrame.get(f)?.findings ?? [];
    if (found.length === 0 || !this.#isUnread()) return found;
    const { dialect } = this.#session;
    return found.filter(({ rule }) => rulesNamed(rule).some((one) => isCertain(one, dialect)));
  }
}
