/**
 * A conformance rule: a demand of a protocol that a tape can show. It reads a session frame by frame, as it was
 * understood, and reports what broke it. What a protocol allows is never reported.
 */
import type { EventKind } from '../../model/event.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import type { AskKind } from '../../model/ledger/records.ts';
import { toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { maskAndShorten } from '../../model/text/mask.ts';
import type { Traits } from '../traits.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Whose mistake it is: the client's, the agent's, or it is not certain. */
export type Fault = 'client' | 'agent' | 'unknown';

export interface Finding {
  rule: string;
  severity: Severity;
  fault: Fault;
  /** The frame in which it shows. */
  f: number;
  /** Others that belong to it. */
  frames: number[];
  /** One sentence, lower case, no full stop. Recorded text is quoted as it is: who shows it must make it harmless. */
  message: string;
  /** The entry of the rule: what it means, who is at fault, how to fix it. */
  ref: string;
  /** It was found only because of when lines came: the same lines at another pace would not break the rule. */
  timed?: true;
}

/** What the reader of a rule reports; severity and fault are those of the rule unless it gives others. */
export type Violation = Pick<Finding, 'f' | 'message'> &
  Partial<Pick<Finding, 'frames' | 'severity' | 'fault' | 'timed'>>;

/** What almost every rule returns for almost every frame: one shared empty list. */
export const NOTHING: readonly never[] = [];

export interface RuleReader {
  take(read: ReadFrame): readonly Violation[];
  /** Called when the session has ended: what is missing. Not called while it runs. */
  end?(ledger: Ledger): readonly Violation[];
  /** It only picks from what this observer found in the frame: if that is nothing, it is not called. */
  from?: { readonly hits: readonly unknown[] };
}

/** The dialects that a rule applies to: their names, null for all, or those with certain traits. */
export type DialectScope = readonly string[] | null | ((traits: Traits) => boolean);

export interface SessionToCheck {
  command: readonly string[];
  dialect: string;
  /** record: both directions are there; of an import, perhaps only what the agent wrote. */
  source: string;
}

/** Gathers once what several rules need to know about a session; it gets each frame before the rules do. */
export interface SharedObserver {
  take(read: ReadFrame): void;
}

export interface CheckedSession extends SessionToCheck {
  traits: Traits;
  /** The one watcher of this class in this session. Only while a rule is opened. */
  share<W extends SharedObserver>(kind: new (session: CheckedSession) => W): W;
}

/** What is listed of a rule, besides its id; `dialects` only if it applies to fewer than its group. */
export interface RuleSummary extends Pick<Finding, 'severity' | 'fault'> {
  /** What it demands, in one line. */
  title: string;
  /** Where it is specified, or in which issue it was found. */
  source: string;
  /** It needs both directions: it is not applied to an imported log that has only the agent's side. */
  needsClient?: true;
  dialects?: DialectScope;
}

interface SummaryFactory {
  (title: string, source: string, more?: Pick<RuleSummary, 'dialects'>): RuleSummary;
  needsClient(title: string, source: string): RuleSummary;
}

const summaryFactories = (severity: Severity): Record<Fault, SummaryFactory> => {
  const forFault = (fault: Fault): SummaryFactory => {
    const makeSummary = (title: string, source: string, more?: Partial<RuleSummary>) => ({
      severity,
      fault,
      title,
      source,
      ...more,
    });
    return Object.assign(makeSummary, {
      needsClient: (title: string, source: string) => makeSummary(title, source, { needsClient: true }),
    });
  };
  return { client: forFault('client'), agent: forFault('agent'), unknown: forFault('unknown') };
};

/** Severity and fault of a rule: `error.agent('what it demands', 'where that is specified')`. */
export const error = summaryFactories('error');
export const warning = summaryFactories('warning');
export const info = summaryFactories('info');

/** A rule as a dialect, or what several share, defines it. */
export interface RuleDefinition extends Omit<RuleSummary, 'dialects'> {
  /** The protocol (`io` for the pipe), then the demand: `io-noise`, `acp-path`. It never changes. */
  id: string;
  /** Earlier ids, which are still accepted. */
  aliases?: readonly string[];
  dialects: DialectScope;
  /** It checks messages, so in a batch each part. Other rules check lines. */
  readsParts?: true;
  /** It is not called for the agent's plain notifications, because they cannot break it. */
  skipsPlainNotifications?: true;
  /** It is not called for pieces of streamed text, because they cannot break it. */
  skipsStreamedPieces?: true;
  /** Most rules have nothing to add at the end of the session: their reader is a function. */
  open(session: CheckedSession): RuleReader | RuleReader['take'];
}

/** A rule in the list of all rules, with the names of the dialects that it applies to; null: all. */
export interface Rule extends RuleDefinition {
  dialects: readonly string[] | null;
}

/** Where the explanation of a rule is. */
export function refOf(id: string): string {
  return `docs/rules.md#${id}`;
}

/** A message quotes no more characters of recorded text than this. */
const MAX_QUOTED_LENGTH = 100;

/** As JSON: `"text"`, `7`, `null`. */
export function quoted(value: unknown): string {
  return shorten(toJson(value ?? null));
}

/** A text, such as a name or an id, as it is; anything else as JSON. */
export function textOrJson(value: unknown): string {
  return typeof value === 'string' ? shorten(value) : quoted(value);
}

export function describeBatch({ length }: readonly unknown[]): string {
  return `a batch of ${length} message${length === 1 ? '' : 's'}`;
}

function shorten(text: string): string {
  return maskAndShorten(text, MAX_QUOTED_LENGTH);
}

/**
 * Rules that look at the same things share one reader: it takes each frame once and reports which of them is broken.
 * Each is still a separate rule, so any of them can be left out.
 */
export type RuleHit<Id extends string> = Violation & { rule: Id };

export interface GroupReader<Id extends string> {
  take(read: ReadFrame): readonly RuleHit<Id>[];
  end?(ledger: Ledger): RuleHit<Id>[];
}

export function defineRules<Id extends string>(
  dialects: DialectScope,
  summaries: Readonly<Record<Id, RuleSummary>>,
  open: (session: CheckedSession) => GroupReader<Id>,
): RuleDefinition[] {
  class SharedRuleReader implements SharedObserver {
    readonly #reader: GroupReader<Id>;
    hits: readonly RuleHit<Id>[] = NOTHING;
    #ended: RuleHit<Id>[] | null = null;

    constructor(session: CheckedSession) {
      this.#reader = open(session);
    }

    take(read: ReadFrame): void {
      this.hits = this.#reader.take(read);
    }

    end(ledger: Ledger): RuleHit<Id>[] {
      this.#ended ??= this.#reader.end?.(ledger) ?? [];
      return this.#ended;
    }
  }
  return (Object.keys(summaries) as Id[]).map((id) => ({
    ...{ id, dialects, ...summaries[id] },
    open(session) {
      const group = session.share(SharedRuleReader);
      return { take: () => hitsOf(group.hits, id), end: (ledger) => hitsOf(group.end(ledger), id), from: group };
    },
  }));
}

const ASKS: ReadonlySet<EventKind> = new Set<AskKind>(['approval', 'question', 'client-call', 'hook']);

/** Most of the agent's messages are notifications that ask, answer, take up and repeat nothing. */
export function isPlainNotification({ frame, message, pairing, events }: ReadFrame): boolean {
  if (frame.from !== 'agent' || pairing !== null || message.envelope !== 'notification' || events.length !== 1)
    return false;
  const { kind, flags, takes } = events[0]!;
  return !flags && takes === undefined && !ASKS.has(kind);
}

/** Almost every one of those is a piece of text that the main agent streams, which begins and ends nothing. */
export function isStreamedPiece({ events }: ReadFrame): boolean {
  const { delta, subagent, parent } = events[0]!;
  return delta === true && subagent === undefined && parent === undefined;
}

/** Makes these rules check the parts of a batch too. */
export function withBatchParts(rules: readonly RuleDefinition[]): RuleDefinition[] {
  return rules.map((rule) => ({ ...rule, readsParts: true }));
}

function hitsOf<Id extends string>(hits: readonly RuleHit<Id>[], id: Id): readonly Violation[] {
  if (hits.length === 0) return NOTHING;
  return hits.filter(({ rule }) => rule === id).map(({ rule: _, ...broken }) => broken);
}
