/** What a replay as the agent found out about the live client. */
import { exactJson } from '../core/id.ts';
import { clip, visible } from '../core/text.ts';
import type { Decoded } from '../session/read.ts';
import type { Difference } from './compare.ts';
import type { Match } from './match.ts';
import type { Hear } from './steps.ts';

/** A live line that is not on the tape as it is. `f` is the recorded line that stood for it, if one did. */
export interface NearMiss {
  f: number;
  what: string;
  differences: Difference[];
}

export interface Miss {
  what: string;
  /** The nearest recorded line, and how it differs. */
  nearest_f: number | null;
  differences: Difference[];
  answered: 'error' | 'nearest' | 'nothing';
}

export interface Departure {
  /** The recorded line that the client departed from. */
  f: number | null;
  what: string;
  /** How the replay went on: `branch` elsewhere on a tape, `made-up` as the protocol lays down, or `as-recorded`. */
  next: 'branch' | 'made-up' | 'as-recorded' | 'ended';
  /** Where the branch is; null if there is none. */
  branch: { session: string; f: number } | null;
}

export interface ReplayReport {
  session: string;
  dialect: string;
  /** Lines of the client that the tape has too. */
  matched: number;
  /** Lines of the agent that were sent. */
  sent: number;
  near: NearMiss[];
  missed: Miss[];
  departed: Departure[];
  /** Recorded lines of the client that never came. */
  never_asked: number[];
  /** Recorded lines of the agent that were never due. */
  unsent: number;
  /** Lines of the agent that the tape does not have. */
  made_up: string[];
  faults: { f: number; fault: string }[];
  /** Lines of the agent that the client did not read, because it was gone. */
  unread: number;
  /** The client did what was recorded. */
  ok: boolean;
}

export function newReport(session: string, dialect: string): ReplayReport {
  return {
    ...{ session, dialect, matched: 0, sent: 0, near: [], missed: [], departed: [], never_asked: [], unsent: 0 },
    ...{ made_up: [], faults: [], unread: 0, ok: true },
  };
}

/** How many entries of each sort are kept. */
const KEPT = 1000;

/** False if there are too many already. */
export function note<T>(list: T[], entry: T): boolean {
  const hasRoom = list.length < KEPT;
  if (hasRoom) list.push(entry);
  return hasRoom;
}

export function isOk({ near, missed, departed, never_asked }: ReplayReport): boolean {
  return near.length + missed.length + departed.length + never_asked.length === 0;
}

/** So much of a value is shown. */
const SHOWN = 80;

/** A value for people. It comes from a tape or a peer, so it is made visible. */
export function shown(value: unknown): string {
  return value === undefined ? 'nothing' : visible(clip(exactJson(value) ?? '', SHOWN));
}

export function differenceText({ path, recorded, live }: Difference): string {
  return `${visible(path)}: recorded ${shown(recorded)}, got ${shown(live)}`;
}

/** What a line is, in a word. */
export function nameOf({ message, events }: Pick<Decoded, 'message' | 'events'> | Hear, text = ''): string {
  const name = message.method ?? message.type ?? events[0]?.kind ?? '';
  const known = name === '' ? text : name;
  return /^[\w./$:-]{1,60}$/.test(known) ? known : shown(known);
}

export function nearText({ what, hear, differences }: Match): string {
  const [first] = differences;
  return `${what} differs from the recorded one (f${hear.f})${first ? `: ${differenceText(first)}` : ''}`;
}

const SAID = { error: 'refused', nearest: 'answered like the latest one', nothing: 'ignored' };

export function missText(what: string, nearest: Match | null, answered: Miss['answered']): string {
  const [first] = nearest?.differences ?? [];
  const differs = first ? `; the nearest is f${nearest!.hear.f}, which differs at ${differenceText(first)}` : '';
  return `${what} is not on the tape: ${SAID[answered]}${differs}`;
}

/** One line about each sort of thing that went otherwise; empty if nothing did. */
export function summary(report: ReplayReport): string {
  const { matched, sent, near, missed, departed, never_asked, unsent, unread } = report;
  const others: [number, string][] = [
    [near.length, 'differed'],
    [missed.length, 'missed'],
    [departed.length, 'departed'],
    [never_asked.length, 'never asked'],
    [unsent, 'never sent'],
    [unread, 'unread'],
  ];
  const parts = others.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return [`${matched} matched`, `${sent} sent`, ...parts].join(', ');
}

/** What the client did otherwise, a line each. */
export function mismatches({ near, missed, departed, never_asked }: ReplayReport): string[] {
  return [
    ...near.map(
      ({ f, what, differences }) => `  ${what} differs from f${f}: ${differences.map(differenceText).join('; ')}`,
    ),
    ...missed.map(({ what, nearest_f, differences }) => {
      const nearest =
        nearest_f === null ? '' : `; the nearest is f${nearest_f}: ${differences.map(differenceText).join('; ')}`;
      return `  ${what} is not on the tape${nearest}`;
    }),
    ...departed.map(({ what }) => `  ${visible(what)}`),
    ...never_asked.map((f) => `  f${f} never came`),
  ];
}
