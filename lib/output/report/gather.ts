/** The data of a report, from a session that is already redacted and was read to its end. */

import { SessionExaminer, type WholeSession } from '../../analysis/why/session-examiner.ts';
import { whyRows } from '../../analysis/why/why-report.ts';
import type { Finding } from '../../dialects/rules/rule.ts';
import type { Handshake } from '../../model/event.ts';
import type { Frame } from '../../model/frame.ts';
import { textIn } from '../../model/message.ts';
import { processText, processWords } from '../../model/text/process-text.ts';
import { textOfValue } from '../../model/text/text.ts';
import type { Timeline } from '../../model/timeline/entries.ts';
import { spansOf } from '../../model/timeline/trace-spans.ts';
import { Pass } from '../../session/pass.ts';
import type { Session } from '../../session/session.ts';
import { FrameMeter } from '../../session/stats.ts';
import { type Summary, toSummary } from '../../session/summary.ts';
import { SessionTally } from '../../session/tally.ts';
import { themeFor } from '../terminal/theme.ts';
import { whyText } from '../terminal/why-view.ts';
import type { RawFrame } from './render.ts';
import { type TranscriptPiece, transcriptPieces } from './transcript.ts';
import { findTrouble, type LongestWait, type OpenProblem, type Trouble } from './trouble.ts';
import type { ReportWords } from './words.ts';

export interface ReportData {
  summary: Summary;
  /** The last frame. */
  end: number;
  handshake: Handshake;
  context: Timeline['context'];
  /** Of the machine that it was recorded on; imports lack it. */
  platform: string | null;
  trouble: Trouble;
  /** What went wrong, in the language of the report. That of `trouble` is English. */
  verdict: string;
  /** The frame to look at: the wrong line, or else the frame that the problem is about. */
  look: number;
  /** The answer of `why`, as rows and as printed text. */
  open: readonly OpenProblem[];
  why: string;
  findings: Finding[];
  pieces: TranscriptPiece[];
  frames: RawFrame[];
  stderr: string[];
}

const COLUMNS = 100;
const PLAIN = themeFor(false);
/** More findings and frames are left out. */
const MAX_FINDINGS = 20;
const MAX_FRAMES = 8;

/** For a report without a page, which reads the session anyway. */
export function readWhole(session: Session): WholeSession {
  const [tally, meter] = [new SessionTally(), new FrameMeter()];
  const pass = new Pass(session, { tree: true });
  const judging = new SessionExaminer(session, pass);
  const { watch } = judging;
  pass.run(tally, meter, watch.audit, judging);
  return { session, pass, tally, meter, watch, judged: judging.end(meter.seconds) };
}

/** `around`: the frame that the report is to be about; null: whatever went wrong first. */
export function gatherReport(
  { session, pass, tally, meter, watch, judged }: WholeSession,
  around: number | null,
  words: ReportWords,
): ReportData {
  const { answer } = judged;
  const end = meter.last;
  const findings = judged.findings.toSorted((a, b) => a.f - b.f);
  const summary = toSummary(session, tally, pass);
  const { timeline } = pass;
  const why = whyRows(answer) as unknown as OpenProblem[];
  const evidence = { why, findings, summary, end, longestWait: longestWait(timeline, meter.seconds) };
  const trouble = findTrouble(evidence, around);
  const frames = framesOf(session, trouble);
  return {
    ...{
      summary,
      end,
      open: why,
      frames,
      look: frameToLookAt(frames, trouble),
      handshake: timeline.handshake,
      context: timeline.context,
      trouble,
      verdict: findTrouble(evidence, around, words).verdict,
    },
    platform: typeof session.metadata.platform === 'string' ? session.metadata.platform : null,
    why: [...whyText(answer, COLUMNS, PLAIN)].join('').trimEnd(),
    findings: worstFindings(findings),
    pieces: [...transcriptPieces(timeline.entries, words)],
    stderr: watch.lines.stderr.tail.map((line) => line.trimEnd()),
  };
}

/** The most severe first, in the order of their frames. */
function worstFindings(findings: readonly Finding[]): Finding[] {
  const grave = { error: 0, warning: 1, info: 2 };
  return findings.toSorted((a, b) => grave[a.severity] - grave[b.severity] || a.f - b.f).slice(0, MAX_FINDINGS);
}

function longestWait(timeline: Timeline, end: number): LongestWait | null {
  let wait: LongestWait | null = null;
  for (const span of spansOf(timeline, end)) {
    const seconds = span.t_end - span.t;
    if (span.is !== 'wait' || seconds <= (wait?.seconds ?? 0)) continue;
    const { kind, tool, f } = span.ask;
    wait = { f, seconds, kind, tool };
  }
  return wait;
}

/** What an event says to a person, without what only programs read; empty for the end of a stream, by whoever wrote to it. */
function eventText(frame: Frame): string {
  const { event, detail } = frame;
  if (event === 'eof' && detail.by === undefined) return '';
  if (event === 'eof' || event === 'exit') return processWords(event, processText(frame));
  const known = Object.entries(detail).filter(([, value]) => value !== null);
  const more = known.map(([key, value]) => {
    const shown = textOfValue(value);
    return key === event ? shown : `${key} ${shown}`;
  });
  return [event, ...more].join(' ');
}

/** The lines of the trouble, as sent. */
function framesOf(session: Session, { f, frames }: Trouble): RawFrame[] {
  const wanted = new Set([f, ...frames].filter((one) => one > 0).slice(0, MAX_FRAMES));
  const found: RawFrame[] = [];
  for (const frame of session.frames()) {
    if (!wanted.has(frame.f)) continue;
    const isEvent = frame.form === 'event';
    const text = isEvent ? eventText(frame) : (textIn(frame) ?? hex(frame.raw));
    found.push({ f: frame.f, from: frame.from, t: frame.t, text, isEvent });
    if (found.length === wanted.size) break;
  }
  return found;
}

/** The last line of the culprit that belongs to it; else the frame that it is about. */
function frameToLookAt(frames: readonly RawFrame[], { f, culprit, frames: own, event }: Trouble): number {
  if (event !== undefined) return event;
  const line = frames.findLast((one) => !one.isEvent && one.from === culprit && own.includes(one.f));
  return line?.f ?? f;
}

/** For a line that is not text. */
function hex(bytes: Uint8Array): string {
  return Array.from(bytes.subarray(0, 4096), (byte) => byte.toString(16).padStart(2, '0')).join(' ');
}
