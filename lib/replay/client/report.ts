/** What a replay as the client found out about the live agent. */
import { maskedText } from '../../model/text/mask.ts';
import { clip, humanSeconds, visible } from '../../model/text/text.ts';
import type { Difference } from '../compare-lines.ts';
import { differenceText } from '../report.ts';

/** A request of the live agent that the tape does not have. */
export interface UnmatchedRequest {
  /** Its frame in the new session; null if that is not recorded. */
  f: number | null;
  kind: string;
  what: string;
  answer: 'rejected' | 'approved' | 'stopped' | 'handed-over';
  /** The recorded request that is nearest, and how that differs. */
  nearest_f: number | null;
  differences: Difference[];
}

/** Something that the agent did in another way than on the tape. */
export interface AgentDeparture {
  /** The recorded frame; null if it is about the whole run. */
  f: number | null;
  what: string;
}

export interface ClientReport {
  /** The session that was replayed, and the one that the run is recorded as. */
  session: string;
  replayed_as: string | null;
  dialect: string;
  /** Lines that the client sent on its own. */
  sent: number;
  /** Requests of the agent that were answered as recorded. */
  answered: number;
  unmatched: UnmatchedRequest[];
  departed: AgentDeparture[];
  /** Frames of recorded lines that were not sent. */
  never_sent: number[];
  /** Frames of recorded requests that the agent did not make. */
  never_asked: number[];
  /** The frame before which another client took over. */
  handed_over: number | null;
  ended: { code: number | null; signal: string | null; timed_out: boolean } | null;
  /** The agent did what the tape says. */
  ok: boolean;
}

export function newReport(session: string, dialect: string): ClientReport {
  return {
    ...{ session, replayed_as: null, dialect, sent: 0, answered: 0, unmatched: [], departed: [], never_sent: [] },
    ...{ never_asked: [], handed_over: null, ended: null, ok: true },
  };
}

export function isOk({ unmatched, departed, never_sent, never_asked }: ClientReport): boolean {
  return unmatched.length + departed.length + never_sent.length + never_asked.length === 0;
}

const MAX_SHOWN_LENGTH = 120;
/** So many frames are listed. */
const MAX_LISTED_FRAMES = 8;

export function unmatchedText({ what, answer, nearest_f, differences }: UnmatchedRequest): string {
  const near = nearest_f === null ? '' : `; nearest is f${nearest_f}: ${differences.slice(0, 1).map(differenceText)}`;
  return `not on the tape: ${visible(clip(maskedText(what), MAX_SHOWN_LENGTH))}, ${answer.replace('-', ' ')}${near}`;
}

export function departedText({ f, what }: AgentDeparture): string {
  return `${f === null ? '' : `f${f} `}${visible(clip(maskedText(what), MAX_SHOWN_LENGTH))}`;
}

function listFrames(frames: readonly number[]): string {
  const more = frames.length > MAX_LISTED_FRAMES ? `, … (${frames.length})` : '';
  return `${frames
    .slice(0, MAX_LISTED_FRAMES)
    .map((f) => `f${f}`)
    .join(', ')}${more}`;
}

/** One line for each sort of thing, and the sums last. */
export function summaryOf(report: ClientReport, seconds: number): string[] {
  const { session, replayed_as, sent, answered, unmatched, departed, never_sent, never_asked } = report;
  const counts: [number, string][] = [
    [unmatched.length, 'not on the tape'],
    [departed.length, 'departed'],
    [never_asked.length, 'never asked'],
    [never_sent.length, 'never sent'],
  ];
  const others = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const sums = [`${sent} sent`, `${answered} answered`, ...others].join(', ');
  const as = replayed_as === null ? '' : ` as ${replayed_as}`;
  return [...missingLines(report), `replayed ${visible(session)}${as} in ${humanSeconds(seconds)}: ${sums}`];
}

/** All differences, one line each. */
export function mismatches(report: ClientReport): string[] {
  return [...report.unmatched.map(unmatchedText), ...report.departed.map(departedText), ...missingLines(report)];
}

function missingLines({ never_asked, never_sent }: ClientReport): string[] {
  const lines: string[] = [];
  if (never_asked.length > 0) lines.push(`never asked: ${listFrames(never_asked)}`);
  if (never_sent.length > 0) lines.push(`never sent: ${listFrames(never_sent)}`);
  return lines;
}
