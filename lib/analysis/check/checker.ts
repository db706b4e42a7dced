/**
 * Runs the rules of a session's dialect over its frames, in one pass, and the rules that read messages over the parts of a
 * batch. In an import without lines of the client, rules that need the client's side are not applied: their findings are
 * held back until the client sends a line.
 */

import { dialectNamed, traitsIn } from '../../dialects/index.ts';
import {
  type CheckedSession,
  type Finding,
  isPlainNotification,
  isStreamedPiece,
  type Rule,
  type RuleReader,
  refOf,
  type SessionToCheck,
  type Severity,
  type SharedObserver,
  type Violation,
} from '../../dialects/rules/rule.ts';
import { isTooLargeToRead } from '../../model/json/too-large.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import { type ReadShare, Understanding } from '../../session/understanding.ts';
import { BatchReader } from './batch-reader.ts';
import { CarriedSessions, carriedRules } from './carried-sessions.ts';
import { RULES } from './rules.ts';
import { isCertain } from './unread.ts';

interface OpenRule {
  rule: Rule;
  reader: RuleReader;
  /** Bound: looking it up in readers of many classes takes longer than most of them run. */
  take: RuleReader['take'];
}

/** Consecutive rules that select from the hits of one watcher; rules without a watcher have rows of their own. */
interface RuleRow {
  from: RuleReader['from'];
  open: OpenRule[];
}

/** The watchers and rules that look at a frame. */
interface FrameRules {
  watching: readonly SharedObserver['take'][];
  rows: readonly RuleRow[];
}

export class Checker {
  readonly #dialect: string;
  readonly #understanding = new Understanding();
  /** Rules that are certain in any protocol. */
  readonly #certainIds: ReadonlySet<string>;
  readonly #open: OpenRule[];
  readonly #forAll: FrameRules;
  /** Of these, those that look at notifications of the agent. */
  readonly #forNews: FrameRules;
  /** Of these, those that look at pieces of streamed texts. */
  readonly #forPieces: FrameRules;
  /** The shared watchers, by class. */
  readonly #watchers = new Map<unknown, SharedObserver>();
  /** Of these, those that read the parts of a batch. */
  readonly #readers = new Set<SharedObserver>();
  readonly #messages: BatchReader | null;
  readonly #carried: CarriedSessions | null;
  readonly #carriedRules: readonly Rule[];
  #isClientHeard: boolean;
  readonly #held: Finding[] = [];
  /** Findings of the current frame; the same list as long as it is empty. */
  #found: Finding[] = [];
  /** A line was too large to read. Later findings may follow from what it said, so none of them is a certain error. */
  #isUnsure = false;
  #ledger: Ledger | null = null;

  constructor(session: SessionToCheck, rules: readonly Rule[] = RULES) {
    this.#dialect = session.dialect;
    const traits = traitsIn(session);
    this.#certainIds = new Set(rules.filter((rule) => isCertain(rule, session.dialect)).map(({ id }) => id));
    this.#isClientHeard = session.source !== 'import';
    const share = <W extends SharedObserver>(kind: new (session: CheckedSession) => W): W => {
      const known = this.#watchers.get(kind) as W | undefined;
      // A watcher that needs others comes after them.
      const watcher = known ?? new kind(checked);
      this.#watchers.set(kind, watcher);
      return watcher;
    };
    const checked = { ...session, traits, share };
    this.#open = rules
      .filter(({ dialects }) => dialects === null || dialects.includes(session.dialect))
      .map((rule) => {
        const before = new Set(this.#watchers.values());
        const opened = rule.open(checked);
        if (rule.readsParts)
          for (const watcher of this.#watchers.values()) if (!before.has(watcher)) this.#readers.add(watcher);
        if (typeof opened === 'function') return { rule, reader: { take: opened }, take: opened };
        return { rule, reader: opened, take: opened.take.bind(opened) };
      });
    const watchers = [...this.#watchers.values()];
    const watching = bindAll(watchers);
    const ofNews = this.#open.filter(({ rule }) => !rule.skipsPlainNotifications);
    const ofPieces = ofNews.filter(({ rule }) => !rule.skipsStreamedPieces);
    this.#forAll = { watching, rows: groupInRows(this.#open) };
    this.#forNews = { watching, rows: groupInRows(ofNews) };
    this.#forPieces = { watching, rows: groupInRows(ofPieces) };
    this.#messages = traits.jsonRpc ? new BatchReader() : null;
    const carried = dialectNamed(session.dialect)?.conformance?.carries;
    this.#carriedRules = carried ? carriedRules(carried, rules) : [];
    this.#carried =
      carried && this.#carriedRules.length > 0
        ? new CarriedSessions(carried, () => {
            const inside = { ...session, dialect: carried.dialect, source: 'record' };
            const checker = new Checker(inside, this.#carriedRules);
            return (read) => checker.#take(read);
          })
        : null;
  }

  take(read: ReadFrame): readonly Finding[] {
    this.#understanding.take(read);
    if (!this.#messages) return this.#take(read);
    const { line, parts } = this.#messages.read(read);
    const found = this.#take(line);
    for (const part of parts) {
      for (const watcher of this.#readers) watcher.take(part);
      for (const { rule, take } of this.#open) if (rule.readsParts) this.#add(found, rule, take(part));
    }
    return found;
  }

  #take(read: ReadFrame): Finding[] {
    this.#ledger = read.ledger;
    const { watching, rows } = this.#rulesFor(read);
    for (let n = 0; n < watching.length; n++) watching[n]!(read);
    if (read.frame.from === 'client' && read.frame.form !== 'event') this.#isClientHeard = true;
    if (this.#found.length > 0) this.#found = [];
    const found = this.#found;
    if (this.#held.length > 0 && this.#isClientHeard) found.push(...this.#held.splice(0));
    this.#judge(read, rows, found);
    if (this.#carried && this.#isClientHeard) {
      for (const finding of this.#carried.take(read))
        found.push({ ...finding, severity: this.#severityOf(finding.severity) });
    }
    if (read.value === undefined && read.frame.from !== 'stderr' && isTooLargeToRead(read.events))
      this.#isUnsure = true;
    return found;
  }

  #rulesFor(read: ReadFrame): FrameRules {
    if (!isPlainNotification(read)) return this.#forAll;
    return isStreamedPiece(read) ? this.#forPieces : this.#forNews;
  }

  #judge(read: ReadFrame, rows: readonly RuleRow[], found: Finding[]): void {
    // Almost always there is nothing: a long session has a million frames, and each meets dozens of rules. Iterators would
    // take longer than most rules until V8 has compiled this.
    for (let n = 0; n < rows.length; n++) {
      const { from, open } = rows[n]!;
      if (from && from.hits.length === 0) continue;
      for (let m = 0; m < open.length; m++) {
        const { rule, take } = open[m]!;
        const broken = take(read);
        if (broken.length > 0) this.#add(found, rule, broken);
      }
    }
  }

  #severityOf(severity: Severity): Severity {
    return this.#isUnsure && severity === 'error' ? 'warning' : severity;
  }

  /** What is missing when the session has ended. */
  end(): Finding[] {
    const found: Finding[] = [];
    const ledger = this.#ledger;
    if (ledger) for (const { rule, reader } of this.#open) this.#add(found, rule, reader.end?.(ledger) ?? []);
    return found;
  }

  /** How much of what the agent said was understood, so far. */
  get read(): ReadShare {
    return this.#understanding.in(this.#dialect);
  }

  /** Whether the session is held to the rule of a finding; known for sure when it was read to its end. */
  isHeldTo({ rule }: Pick<Finding, 'rule'>): boolean {
    return this.#certainIds.has(rule) || this.read.enough;
  }

  /** Rules that the session is held to. */
  get applied(): Rule[] {
    const without = this.notApplied;
    const own = this.#open.map(({ rule }) => rule).filter((rule) => !without.includes(rule));
    const all = this.#carried?.isUsed ? [...own, ...this.#carriedRules] : own;
    return all.filter(({ id }) => this.isHeldTo({ rule: id }));
  }

  /** Rules that could not be judged so far, because the client's side is not there. */
  get notApplied(): Rule[] {
    if (this.#isClientHeard) return [];
    return this.#open
      .map(({ rule }) => rule)
      .filter(({ id, needsClient }) => needsClient && this.isHeldTo({ rule: id }));
  }

  #add(found: Finding[], rule: Rule, broken: readonly Violation[]): void {
    if (this.#held.length > 0 && this.#isClientHeard) found.push(...this.#held.splice(0));
    if (broken.length === 0) return;
    const { id, severity, fault, needsClient } = rule;
    const ref = refOf(id);
    const findings = broken.map((one) => ({
      ...{ rule: id, fault, ref, frames: [], ...one },
      severity: this.#severityOf(one.severity ?? severity),
      message: maskAndShorten(one.message, MAX_MESSAGE_CHARS),
    }));
    (needsClient && !this.#isClientHeard ? this.#held : found).push(...findings);
  }
}

const bindAll = (watchers: readonly SharedObserver[]) => watchers.map((watcher) => watcher.take.bind(watcher));

function groupInRows(rules: readonly OpenRule[]): RuleRow[] {
  const rows: RuleRow[] = [];
  for (const one of rules) {
    const { from } = one.reader;
    const last = rows.at(-1);
    if (last && last.from === from) last.open.push(one);
    else rows.push({ from, open: [one] });
  }
  return rows;
}

/** Messages quote lines, which may have any length. */
const MAX_MESSAGE_CHARS = 1000;
