/**
 * A rule of conformance: what a dialect lays down that a tape can show. It reads a session frame by frame, as it was
 * understood, and tells what broke it. What a protocol allows is never told.
 */
import type { Kind } from '../../model/event.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import type { AskKind } from '../../model/ledger/records.ts';
import { toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { shortened } from '../../model/text/mask.ts';
import type { Traits } from '../traits.ts';

export type Severity = 'error' | 'warning' | 'info';

/** Whose doing it is: the client's, the agent's, or it cannot be told. */
export type Fault = 'client' | 'agent' | 'unknown';

export interface Finding {
  rule: string;
  severity: Severity;
  fault: Fault;
  /** The frame at which it shows. */
  f: number;
  /** Others that belong to it. */
  frames: number[];
  /** One sentence, lower case, no full stop. What was recorded is quoted as it is: whoever shows it makes it harmless. */
  message: string;
  /** The entry of the rule: what it means, who is at fault, how to fix it. */
  ref: string;
  /** It was found only because of when lines came: the same lines at another pace would not break the rule. */
  timed?: true;
}

/** What a reader of a rule tells; the rest is the rule's own unless it says otherwise. */
export type Broken = Pick<Finding, 'f' | 'message'> & Partial<Pick<Finding, 'frames' | 'severity' | 'fault' | 'timed'>>;

/** What almost every rule tells of almost every frame: one list for all of them. */
export const NOTHING: readonly never[] = [];

export interface RuleReader {
  take(read: ReadFrame): readonly Broken[];
  /** When the session has ended: what never came. Not called while it runs. */
  end?(ledger: Ledger): readonly Broken[];
  /** It only picks from what this watcher tells of the frame: where that is nothing, it need not be asked. */
  from?: { readonly told: readonly unknown[] };
}

/** The dialects whose sessions are held to a rule: their names, null for all, or those with certain traits. */
export type Scope = readonly string[] | null | ((traits: Traits) => boolean);

export interface SessionToCheck {
  command: readonly string[];
  dialect: string;
  /** record: both directions are there; of an import, perhaps only what the agent wrote. */
  source: string;
}

/** What several rules need to know of a session is gathered once: fed each frame before the rules are. */
export interface Watcher {
  take(read: ReadFrame): void;
}

export interface CheckedSession extends SessionToCheck {
  traits: Traits;
  /** The one watcher of this class in this session. Only while a rule is opened. */
  share<W extends Watcher>(kind: new (session: CheckedSession) => W): W;
}

/** What the list tells of a rule, besides its id; `dialects` where it has fewer than its group. */
export interface Head extends Pick<Finding, 'severity' | 'fault'> {
  /** What it demands, in one line. */
  title: string;
  /** Where it is laid down, or who met it. */
  source: string;
  /** It cannot be judged from what the agent wrote alone: an imported log without the client's side is not held to it. */
  needsClient?: true;
  dialects?: Scope;
}

interface Tell {
  (title: string, source: string, more?: Pick<Head, 'dialects'>): Head;
  needsClient(title: string, source: string): Head;
}

const heads = (severity: Severity): Record<Fault, Tell> => {
  const of = (fault: Fault): Tell => {
    const tell = (title: string, source: string, more?: Partial<Head>) => ({ severity, fault, title, source, ...more });
    return Object.assign(tell, {
      needsClient: (title: string, source: string) => tell(title, source, { needsClient: true }),
    });
  };
  return { client: of('client'), agent: of('agent'), unknown: of('unknown') };
};

/** How grave it is to break a rule, and whose doing: `error.agent('what is laid down', 'where')`. */
export const error = heads('error');
export const warning = heads('warning');
export const info = heads('info');

/** A rule as a dialect, or what several share, defines it. */
export interface RuleDefinition extends Omit<Head, 'dialects'> {
  /** Who lays it down (`io` for the pipe, else a protocol), then what: `io-noise`, `acp-path`. Never changed once given. */
  id: string;
  /** Ids that it had before, which are still understood. */
  aliases?: readonly string[];
  dialects: Scope;
  /** It judges messages: of a batch, each part. The others look at lines. */
  readsParts?: true;
  /** Nothing about what the agent just says matters to it, see `isNews`: it is not asked about it. */
  skipsNews?: true;
  /** Nothing about a piece of a streamed text matters to it, see `isPiece`: it is not asked about them. */
  skipsPieces?: true;
  /** Most rules have said all when they have seen a frame: such a reader is a function. */
  open(session: CheckedSession): RuleReader | RuleReader['take'];
}

/** A rule as it is in the list of all: with the names of the dialects that it holds for; null: all. */
export interface Rule extends RuleDefinition {
  dialects: readonly string[] | null;
}

/** Where the entry of a rule stands. */
export function refOf(id: string): string {
  return `docs/rules.md#${id}`;
}

/** Of what was recorded a message quotes no more than this. */
const LONGEST = 100;

/** As JSON: `"text"`, `7`, `null`. */
export function quoted(value: unknown): string {
  return short(toJson(value ?? null));
}

/** A name or an id as it is; what is no text, as JSON. */
export function word(value: unknown): string {
  return typeof value === 'string' ? short(value) : quoted(value);
}

function short(text: string): string {
  return shortened(text, LONGEST);
}

/**
 * Rules that look at the same things are read by one reader: it takes each frame once and tells which of them is broken.
 * Each is still a rule of its own, so that any of them can be left out.
 */
export type Told<Id extends string> = Broken & { rule: Id };

export interface GroupReader<Id extends string> {
  take(read: ReadFrame): readonly Told<Id>[];
  end?(ledger: Ledger): Told<Id>[];
}

export function watch<Id extends string>(
  dialects: Scope,
  heads: Readonly<Record<Id, Head>>,
  open: (session: CheckedSession) => GroupReader<Id>,
): RuleDefinition[] {
  class Group implements Watcher {
    readonly #reader: GroupReader<Id>;
    told: readonly Told<Id>[] = NOTHING;
    #last: Told<Id>[] | null = null;

    constructor(session: CheckedSession) {
      this.#reader = open(session);
    }

    take(read: ReadFrame): void {
      this.told = this.#reader.take(read);
    }

    last(ledger: Ledger): Told<Id>[] {
      this.#last ??= this.#reader.end?.(ledger) ?? [];
      return this.#last;
    }
  }
  return (Object.keys(heads) as Id[]).map((id) => ({
    ...{ id, dialects, ...heads[id] },
    open(session) {
      const group = session.share(Group);
      return { take: () => pick(group.told, id), end: (ledger) => pick(group.last(ledger), id), from: group };
    },
  }));
}

const ASKS: ReadonlySet<Kind> = new Set<AskKind>(['approval', 'question', 'client-call', 'hook']);

/** Most of what an agent says is a notification that asks, answers, takes up and repeats nothing. */
export function isNews({ frame, message, pairing, events }: ReadFrame): boolean {
  if (frame.from !== 'agent' || pairing !== null || message.envelope !== 'notification' || events.length !== 1)
    return false;
  const { kind, flags, takes } = events[0]!;
  return !flags && takes === undefined && !ASKS.has(kind);
}

/** Of news: almost every frame of a long session is a piece of what the main agent streams, which begins and ends nothing. */
export function isPiece({ events }: ReadFrame): boolean {
  const { delta, subagent, parent } = events[0]!;
  return delta === true && subagent === undefined && parent === undefined;
}

/** These rules judge messages, also those in a batch. */
export function ofParts(rules: readonly RuleDefinition[]): RuleDefinition[] {
  return rules.map((rule) => ({ ...rule, readsParts: true }));
}

function pick<Id extends string>(told: readonly Told<Id>[], id: Id): readonly Broken[] {
  if (told.length === 0) return NOTHING;
  return told.filter(({ rule }) => rule === id).map(({ rule: _, ...broken }) => broken);
}
