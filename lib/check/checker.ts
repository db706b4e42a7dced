/**
 * Runs the rules of a session's dialect over its frames, in one pass. Of an import whose client is never heard, rules
 * that need the client's side are not applied: their findings are held back until the client says something.
 */
import type { ReadFrame } from '../dialects/read.ts';
import { RULES } from './index.ts';
import type { Broken, CheckedSession, Finding, Rule, RuleReader, SessionToCheck, Watcher } from './rule.ts';

export class Checker {
  readonly #open: { rule: Rule; reader: RuleReader }[];
  readonly #watchers = new Map<unknown, Watcher>();
  #isClientHeard: boolean;
  #held: Finding[] = [];

  constructor(session: SessionToCheck, rules: readonly Rule[] = RULES) {
    this.#isClientHeard = session.source !== 'import';
    const share = <W extends Watcher>(kind: new (session: CheckedSession) => W): W => {
      const known = this.#watchers.get(kind) as W | undefined;
      // One that asks for others comes behind them.
      const watcher = known ?? new kind(checked);
      this.#watchers.set(kind, watcher);
      return watcher;
    };
    const checked = { ...session, share };
    this.#open = rules
      .filter(({ dialects }) => dialects === null || dialects.includes(session.dialect))
      .map((rule) => ({ rule, reader: rule.open(checked) }));
  }

  take(read: ReadFrame): Finding[] {
    for (const watcher of this.#watchers.values()) watcher.take(read);
    if (read.frame.from === 'client' && read.frame.form !== 'event') this.#isClientHeard = true;
    return this.#release(this.#open.flatMap(({ rule, reader }) => told(rule, reader.take(read))));
  }

  /** What never came, when the session has ended. */
  end(): Finding[] {
    return this.#release(this.#open.flatMap(({ rule, reader }) => told(rule, reader.end?.() ?? [])));
  }

  /** Rules that could not be judged so far, because the client's side is not there. */
  get notApplied(): Rule[] {
    return this.#isClientHeard ? [] : this.#open.map(({ rule }) => rule).filter(({ needsClient }) => needsClient);
  }

  #release(found: Told[]): Finding[] {
    if (this.#isClientHeard) {
      const held = this.#held;
      this.#held = [];
      return [...held, ...found.map(({ finding }) => finding)];
    }
    this.#held.push(...found.filter(({ needsClient }) => needsClient).map(({ finding }) => finding));
    return found.filter(({ needsClient }) => !needsClient).map(({ finding }) => finding);
  }
}

interface Told {
  finding: Finding;
  needsClient: boolean;
}

function told({ id, severity, fault, ref, ...rule }: Rule, broken: Broken[]): Told[] {
  const needsClient = rule.needsClient === true;
  return broken.map((one) => ({ finding: { rule: id, severity, fault, ref, frames: [], ...one }, needsClient }));
}
