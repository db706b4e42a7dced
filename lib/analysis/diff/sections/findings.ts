/** What `check` finds in one session and not in the other, by rule, severity and whose fault it is. */

import type { Finding, SessionToCheck } from '../../../dialects/rules/rule.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import type { Observer } from '../../../session/pass.ts';
import { Checker } from '../../check/checker.ts';
import type { NormaliseText } from '../hash.ts';
import type { Change, DiffEntry } from '../result.ts';
import { makeSectionEntry } from './section.ts';

export interface BrokenRule {
  rule: string;
  count: number;
  f: number;
  severity: string;
  fault: string;
  message: string;
}

export class BrokenRules implements Observer {
  readonly #checker: Checker;
  readonly #isRunning: boolean;
  readonly #isTimed: boolean;
  readonly #broken = new Map<string, BrokenRule>();

  /** `isTimed`: also what is found only because of when lines came. */
  constructor(session: SessionToCheck, { isRunning, isTimed }: { isRunning: boolean; isTimed: boolean }) {
    this.#checker = new Checker(session);
    this.#isRunning = isRunning;
    this.#isTimed = isTimed;
  }

  take(read: ReadFrame): void {
    for (const finding of this.#checker.take(read)) this.#add(finding);
  }

  end(): ReadonlyMap<string, BrokenRule> {
    // What is missing may still come.
    if (!this.#isRunning) for (const finding of this.#checker.end()) this.#add(finding);
    for (const [key, broken] of this.#broken) if (!this.#checker.isHeldTo(broken)) this.#broken.delete(key);
    return this.#broken;
  }

  #add({ rule, f, severity, fault, message, timed }: Finding): void {
    if (timed && !this.#isTimed) return;
    const key = `${rule} ${severity} ${fault}`;
    const known = this.#broken.get(key);
    if (known) known.count++;
    else this.#broken.set(key, { rule, count: 1, f, severity, fault, message });
  }
}

type BrokenRuleMap = ReadonlyMap<string, BrokenRule>;

/** `normalisers`: how texts of each side are read. */
export function diffFindings(
  sessions: { a: string; b: string },
  a: BrokenRuleMap,
  b: BrokenRuleMap,
  normalisers: { a: NormaliseText; b: NormaliseText },
): DiffEntry[] {
  return [...new Set([...a.keys(), ...b.keys()])].sort().flatMap((key): DiffEntry[] => {
    const [before, after] = [a.get(key), b.get(key)];
    if (before?.count === after?.count) return [];
    const { rule, severity, fault, message } = (after ?? before)!;
    const shownMessage = (after ? normalisers.b : normalisers.a)(message).replace(/<(?:id|uuid)>/g, '…');
    const fields = { kind: 'findings' as const, name: rule, what: `${severity} ${rule} (${fault}): ${shownMessage}` };
    const op = before ? (after ? 'changed' : 'removed') : 'added';
    const changes: Change[] = [{ op, path: '/count', a: before?.count ?? null, b: after?.count ?? null }];
    return [
      makeSectionEntry('findings', sessions, op, { ...fields, a: before?.f ?? null, b: after?.f ?? null, changes }),
    ];
  });
}
