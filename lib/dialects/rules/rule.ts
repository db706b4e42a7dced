/**
 * A conformance rule: a demand of a protocol that a tape can show. It reads a session frame by frame, as it was
 * understood, and reports what broke it. What a protocol allows is never reported.
 */
import type { Kind } from '../../model/event.ts';
import type { Ledger } from '../../model/ledger/ledger.ts';
import type { AskKind } from '../../model/ledger/records.ts';
import { toJson } from '../../model/message.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { shortened } from '../../model/text/mask.ts';
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
export type Broken = Pick<Finding, 'f' | 'message'> & Partial<Pick<Finding, 'frames' | 'severity' | 'fault' | 'timed'>>;

/** What almost every rule returns for almost every frame: one shared empty list. */
export const NOTHING: readonly never[] = [];

export interface RuleReader {
  take(read: ReadFrame): readonly Broken[];
  /** Called when the session has ended: what is missing. Not called while it runs. */
  end?(ledger: Ledger): readonly Broken[];
  /** It only picks from what this observer found in the frame: if that is nothing, it is not called. */
  from?: { readonly told: readonly unknown[] };
}

/** The dialects that a rule applies to: their names, null for all, or those with certain traits. */
export type Scope = readonly string[] | null | ((traits: Traits) => boolean);

export interface SessionToCheck {
  command: readonly string[];
  dialect: string;
  /** record: both directions are there; of an import, perhaps only what the agent wrote. */
  source: string;
}

/** Gathers once what several rules need to know about a session; it gets each frame before the rules do. */
export interface Watcher {
  take(read: ReadFrame): void;
}

export interface CheckedSession extends SessionToCheck {
  traits: Traits;
  /** The one watcher of this class in this session. Only while a rule is opened. */
  share<W extends Watcher>(kind: new (session: CheckedSession) => W): W;
}

/** What is listed of a rule, besides its id; `dialects` only if it applies to fewer than its group. */
export interface Head extends Pick<Finding, 'severity' | 'fault'> {
  /** What it demands, in one line. */
  title: string;
  /** Where it is specified, or in which issue it was found. */
  source: string;
  /** It needs both directions: it is not applied to an imported log that has only the agent's side. */
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

/** Severity and fault of a rule: `error.agent('what it demands', 'where that is specified')`. */
export const error = heads('error');
export const warning = heads('warning');
export const info = heads('info');

/** A rule as a dialect, or what several share, defines it. */
export interface RuleDefinition extends Omit<Head, 'dialects'> {
  /** The protocol (`io` for the pipe), then the demand: `io-noise`, `acp-path`. It never changes. */
  id: string;
  /** Earlier ids, which are still accepted. */
  aliases?: readonly string[];
  dialects: Scope;
  /** It checks messages, so in a batch each part. Other rules check lines. */
  readsParts?: true;
  /** It is not called for the agent's plain notifications, because they cannot break it. */
  skipsNews?: true;
  /** It is not called for pieces of streamed text, because they cannot break it. */
  skipsPieces?: true;
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
const LONGEST = 100;

/** As JSON: `"text"`, `7`, `null`. */
export function quoted(value: unknown): string {
  return short(toJson(value ?? null));
}

/** A text, such as a name or an id, as it is; anything else as JSON. */
export function word(value: unknown): string {
  return typeof value === 'string' ? short(value) : quoted(value);
}

function short(text: string): string {
  return shortened(text, LONGEST);
}

/**
 * Rules that look at the same things share one reader: it takes each frame once and reports which of them is broken.
 * Each is still a separate rule, so any of them can be left out.
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

/** Most of the agent's messages are notifications that ask, answer, take up and repeat nothing. */
export function isNews({ frame, message, pairing, events }: ReadFrame): boolean {
  if (frame.from !== 'agent' || pairing !== null || message.envelope !== 'notification' || events.length !== 1)
    return false;
  const { kind, flags, takes } = events[0]!;
  return !flags && takes === undefined && !ASKS.has(kind);
}

/** Almost every one of those is a piece of text that the main agent streams, which begins and ends nothing. */
export function isPiece({ events }: ReadFrame): boolean {
  const { delta, subagent, parent } = events[0]!;
  return delta === true && subagent === undefined && parent === undefined;
}

/** Makes these rules check the parts of a batch too. */
export function ofParts(rules: readonly RuleDefinition[]): RuleDefinition[] {
  return rules.map((rule) => ({ ...rule, readsParts: true }));
}

function pick<Id extends string>(told: readonly Told<Id>[], id: Id): readonly Broken[] {
  if (told.length === 0) return NOTHING;
  return told.filter(({ rule }) => rule === id).map(({ rule: _, ...broken }) => broken);
}
