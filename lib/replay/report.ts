/** What a replay as the agent found out about the live client. */
import type { Event } from '../model/event.ts';
import { exactJson } from '../model/id.ts';
import { isObject } from '../model/message.ts';
import { maskedAt, maskedText } from '../model/text/mask.ts';
import { clip, visible } from '../model/text/text.ts';
import type { Difference } from './compare-lines.ts';
import type { LineMatch } from './match.ts';
import type { AgentStep, ClientStep } from './script-step.ts';

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
  /** How the replay went on: `branch` elsewhere on a tape, `made-up` as the protocol requires, or `as-recorded`. */
  next: 'branch' | 'made-up' | 'as-recorded' | 'ended';
  /** Where the branch is; null if there is none. */
  branch: { session: string; f: number } | null;
}

/** A recorded line that the client never sent. */
export interface Missing {
  f: number;
  /** What it is, in words: `tools/call echo`. */
  what: string;
}

/** Where the client first did something else. The path is empty if it is about a whole line. */
export interface FirstDifference extends Difference {
  /** The recorded line; null if the tape has none for it. */
  f: number | null;
}

export interface ReplayReport {
  session: string;
  dialect: string;
  /** Lines that came from the client. */
  heard: number;
  /** Lines of the client that the tape has too. */
  matched: number;
  /** Lines of the agent that were sent. */
  sent: number;
  near: NearMiss[];
  missed: Miss[];
  departed: Departure[];
  /** Recorded lines that the client never sent. */
  never_asked: number[];
  /** The same lines, each with what it is. */
  missing: Missing[];
  /** Null if the client did what was recorded. */
  first_difference: FirstDifference | null;
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
    ...{
      session,
      dialect,
      heard: 0,
      matched: 0,
      sent: 0,
      near: [],
      missed: [],
      departed: [],
      never_asked: [],
      missing: [],
    },
    ...{ first_difference: null, unsent: 0, made_up: [], faults: [], unread: 0, ok: true },
  };
}

/** What one of two lines does not have is null. */
export function jsonOf(report: ReplayReport): string {
  return `${JSON.stringify(report, (_key, value) => (value === undefined ? null : value))}\n`;
}

/** How many entries of each sort are kept. */
const MAX_ENTRIES = 1000;

/** False if there are too many already. */
export function addEntry<T>(list: T[], entry: T): boolean {
  const hasRoom = list.length < MAX_ENTRIES;
  if (hasRoom) list.push(entry);
  return hasRoom;
}

export function isOk({ near, missed, departed, never_asked }: ReplayReport): boolean {
  return near.length + missed.length + departed.length + never_asked.length === 0;
}

/** So much of a value is shown. */
const MAX_VALUE_LENGTH = 80;

/** A value for people. It comes from a tape or a peer, so it is made visible. */
export function valueText(value: unknown, width = MAX_VALUE_LENGTH): string {
  return value === undefined ? 'nothing' : visible(clip(maskedText(exactJson(value) ?? ''), width));
}

export function differenceText({ path, recorded, live }: Difference): string {
  return `${visible(path)}: recorded ${valueText(maskedAt(path, recorded))}, got ${valueText(maskedAt(path, live))}`;
}

/** What a line is, in a word. */
export function messageName({ message, events }: Pick<ClientStep, 'message' | 'events'>, text = ''): string {
  const name = message.method ?? message.type ?? events[0]?.kind ?? '';
  return wordText(name === '' ? text : name, /^[\w./$:-]{1,60}$/, MAX_VALUE_LENGTH);
}

/** A line as JSON, or as it is if it is none. */
export function lineValue({ value, frame }: ClientStep): unknown {
  return value === undefined ? frame.text : value;
}

/** What a recorded line of the client is, and what it is about: the tool, the prompt, the decision. */
export function describeStep({ message, events, value, ask, frame }: ClientStep): string {
  if (ask) {
    const decision = subjectOf(events);
    return `the answer to ${requestText(ask)} f${ask.f}${decision === null ? '' : `: ${decision}`}`;
  }
  const name = messageName({ message, events }, frame.text ?? '');
  const about = subjectOf(events) ?? paramName(value);
  return about === null || about === name ? name : `${name} ${about}`;
}

/** What the agent asks for: the protocol may have one method for all of it. */
function requestText(ask: AgentStep): string {
  const [event] = ask.events;
  if (event?.kind !== 'approval' && event?.kind !== 'client-call') return messageName(ask);
  return event.tool ? `${event.kind} of ${wordText(event.tool)}` : event.kind;
}

const PLAIN_WORD = /^[\w./:@-]{1,60}$/;
const MAX_PROMPT_LENGTH = 40;

function subjectOf(events: readonly Event[]): string | null {
  for (const event of events) {
    if (event.kind === 'tool-call' && event.tool) return wordText(event.tool);
    if (event.kind === 'prompt') {
      const block = event.blocks.find(({ type }) => type === 'text');
      return block?.type === 'text' ? valueText(block.text, MAX_PROMPT_LENGTH) : null;
    }
    if (event.kind === 'approval-answer' || event.kind === 'hook-answer') return event.decision;
  }
  return null;
}

/** Many requests name what they are about: a prompt, a resource, a mode. */
function paramName(value: unknown): string | null {
  if (!isObject(value) || !isObject(value.params)) return null;
  const { name, uri } = value.params;
  const named = [name, uri].find((one) => typeof one === 'string' && one !== '');
  return named === undefined ? null : wordText(named as string);
}

/** A word is shown without quotes. It may be a key all the same. */
function wordText(text: string, words = PLAIN_WORD, width = MAX_PROMPT_LENGTH): string {
  return words.test(text) ? maskedText(text) : valueText(text, width);
}

export function nearText({ what, step, differences }: LineMatch): string {
  const [first] = differences;
  return `${what} differs from the recorded one (f${step.f})${first ? `: ${differenceText(first)}` : ''}`;
}

const ANSWER_TEXTS = { error: 'refused', nearest: 'answered like the latest such request', nothing: 'ignored' };

export function missText(what: string, nearest: LineMatch | null, answered: Miss['answered']): string {
  const [first] = nearest?.differences ?? [];
  const differs = first ? `; the nearest is f${nearest!.step.f}, which differs at ${differenceText(first)}` : '';
  return `${what} is not on the tape: ${ANSWER_TEXTS[answered]}${differs}`;
}

/** The counts of a replay in one line, with only the kinds of differences that occurred. */
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

/** So many missing lines are named where the report has all of them. */
const MAX_NAMED_LINES = 8;

/** The recorded lines that the client never sent, in one line; empty if there are none. */
export function missingText({ missing }: ReplayReport): string {
  if (missing.length === 0) return '';
  const named = missing.slice(0, MAX_NAMED_LINES).map(({ f, what }) => `${what} (f${f})`);
  return `the client never sent: ${named.join(', ')}${missing.length > MAX_NAMED_LINES ? `, … (${missing.length})` : ''}`;
}

/** So much of a line is shown. */
const MAX_LINE_LENGTH = 200;

/** The first difference, the recorded side above the live one; empty if there is none. */
export function firstDifference({ first_difference: first }: ReplayReport): string[] {
  if (!first) return [];
  const { f, path, recorded, live } = first;
  const at = [...(f === null ? [] : [`f${f}`]), ...(path === '' ? [] : [visible(path)])].join(' ');
  // As JSON, a line that does not exist is null.
  const side = (value: unknown) => (path === '' && value === null ? 'nothing' : valueText(value, MAX_LINE_LENGTH));
  return [`first difference${at && `: ${at}`}`, `  recorded: ${side(recorded)}`, `  live:     ${side(live)}`];
}

/** The client's differences, one line each. */
export function mismatches({ near, missed, departed, missing }: ReplayReport): string[] {
  return [
    ...near.map(
      ({ f, what, differences }) => `  ${what} differs from f${f}: ${differences.map(differenceText).join('; ')}`,
    ),
    ...missed.map(({ what, nearest_f, differences }) => {
      const nearest =
        nearest_f === null ? '' : `; the nearest is f${nearest_f}: ${differences.map(differenceText).join('; ')}`;
      return `  ${what} is not on the tape${nearest}`;
    }),
    ...departed.filter((one) => !isOnlyMissing(one, missing)).map(({ what }) => `  ${visible(what)}`),
    ...missing.map(({ f, what }) => `  the client never sent ${what} (f${f})`),
  ];
}

/** It only says that the line was not sent. */
function isOnlyMissing({ f, next }: Departure, missing: readonly Missing[]): boolean {
  return f !== null && (next === 'as-recorded' || next === 'ended') && missing.some((one) => one.f === f);
}
