/** What was asked and decided, by whom, and whether it ran: the rows of the audit, aligned by what they are about. */
import { Audit } from '../../audit/audit.ts';
import type { ApprovalRow } from '../../audit/row.ts';
import type { Observer, PassInfo } from '../../session/pass.ts';
import type { ReadFrame } from '../../session/read.ts';
import { UNTOLD } from '../face.ts';
import type { Mask } from '../mask.ts';
import type { DiffEntry } from '../result.ts';
import { diffValues, hashOf } from '../values.ts';
import { entryOf } from './section.ts';

/** So much is told of what was asked. */
const GLANCE = 200;

/** Real lines announce a few calls. */
const MOST_EVENTS = 1000;

/** What is kept of a row. */
export interface Verdict {
  f: number;
  key: number;
  /** Without its arguments. */
  loose: string;
  what: string;
  /** As JSON. */
  about: string;
}

export class Verdicts implements Observer {
  readonly #audit: Audit;
  readonly #mask: Mask;
  /** By frame, and by the event in it. */
  readonly #rows = new Map<number, Verdict>();
  readonly #strings = new Map<string, string>();

  constructor(pass: PassInfo, mask: Mask) {
    this.#audit = new Audit(pass);
    this.#mask = mask;
  }

  take(read: ReadFrame): void {
    for (const row of this.#audit.take(read)) this.#keep(row);
  }

  /** In the order in which they were asked. */
  end(): Verdict[] {
    for (const row of this.#audit.end()) this.#keep(row);
    return [...this.#rows.values()].sort((a, b) => a.f - b.f);
  }

  #keep(row: ApprovalRow): void {
    const { f, n, kind, tool, action, description, decision, by, mode, executed } = row;
    const flags = row.flags.filter((flag) => !UNTOLD.has(flag));
    const leaf = (text: string) => this.#mask.text(text, 'plain');
    const what = [tool ?? action ?? kind, description ?? ''].filter((word) => word !== '').join(': ');
    const key = hashOf([kind, tool, row.arguments ?? description], leaf);
    const about = {
      decision,
      by,
      ...(mode === null ? {} : { mode }),
      executed,
      ...(flags.length > 0 ? { flags } : {}),
    };
    this.#rows.set(f * MOST_EVENTS + Math.min(n, MOST_EVENTS - 1), {
      ...{ f, key, loose: this.#once(`${kind} ${tool ?? action}`), what: this.#once(what.slice(0, GLANCE)) },
      about: this.#once(JSON.stringify(about)),
    });
  }

  /** One string for all that are equal: a long session has the same few over and over. */
  #once(text: string): string {
    const known = this.#strings.get(text) ?? text;
    this.#strings.set(known, known);
    return known;
  }
}

/** One after another: by what they are about, then by their tool, then by their kind. */
export function diffApprovals(
  sessions: { a: string; b: string },
  a: Verdict[],
  b: Verdict[],
  isNeutral: boolean,
): DiffEntry[] {
  const pairs = new Map<Verdict, Verdict>();
  pairUp(a, b, pairs, ({ key }) => key);
  const taken = new Set(pairs.values());
  pairUp(
    a.filter((row) => !pairs.has(row)),
    b.filter((row) => !taken.has(row)),
    pairs,
    ({ loose }) => loose,
  );
  // Agents have other names for the same tool.
  const left = new Set(pairs.values());
  pairUp(
    a.filter((row) => !pairs.has(row)),
    b.filter((row) => !left.has(row)),
    pairs,
    ({ loose }) => loose.split(' ')[0]!,
  );
  const plain = { a: same, b: same, isIgnored: () => false };
  const others = new Set(pairs.values());
  const changed = a.flatMap((row): DiffEntry[] => {
    const other = pairs.get(row);
    if (other?.about === row.about) return [];
    const changes = [...diffValues(aboutIn(row, isNeutral), other ? aboutIn(other, isNeutral) : {}, '', plain)];
    if (changes.length === 0) return [];
    const told = {
      kind: 'approvals' as const,
      name: '',
      what: row.what,
      a: row.f,
      b: other?.f ?? null,
      changes,
    };
    return [entryOf('approvals', sessions, other ? 'changed' : 'removed', told)];
  });
  const added = b
    .filter((row) => !others.has(row))
    .map((row) => {
      const changes = [...diffValues({}, aboutIn(row, isNeutral), '', plain)];
      const told = { kind: 'approvals' as const, name: '', what: row.what, a: null, b: row.f, changes };
      return entryOf('approvals', sessions, 'added', told);
    });
  return [...changed, ...added];
}

/** Modes and flags are words of a protocol. */
function aboutIn({ about }: Verdict, isNeutral: boolean): Record<string, unknown> {
  const all = JSON.parse(about) as Record<string, unknown>;
  const { decision, by, executed } = all;
  return isNeutral ? { decision, by, executed } : all;
}

const same = (text: string): string => text;

function pairUp<K>(a: Verdict[], b: Verdict[], pairs: Map<Verdict, Verdict>, keyOf: (row: Verdict) => K): void {
  const waiting = new Map<K, Verdict[]>();
  for (const row of [...b].reverse()) {
    const list = waiting.get(keyOf(row));
    if (list) list.push(row);
    else waiting.set(keyOf(row), [row]);
  }
  for (const row of a) {
    const other = waiting.get(keyOf(row))?.pop();
    if (other) pairs.set(row, other);
  }
}
