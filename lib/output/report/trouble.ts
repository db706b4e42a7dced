/**
 * What a report is about: the first thing that went wrong, in one sentence, with its frame and whose fault it is. In this
 * order: the frame that was asked for, what was never answered, remarks of `why`, a broken rule, a bad exit, a long wait.
 */
import type { Finding } from '../../dialects/rules/rule.ts';
import { humanSeconds } from '../../model/text/text.ts';
import type { Summary } from '../../session/summary.ts';
import { isMostlyUnread, type ReadShare } from '../../session/understanding.ts';
import { EN, type ReportWords } from './en.ts';

export type Party = 'client' | 'agent';

/** An obligation or a remark, as `why --json` prints it. */
export interface OpenProblem {
  f: number | null;
  owes: Party | null;
  what: string;
  cause: string;
  hint: string | null;
  send: string | null;
  sender: Party | null;
  open: boolean;
  waited: number;
  rule: string;
  follows: boolean;
  stalled: { whose: string } | null;
}

export interface LongestWait {
  f: number;
  seconds: number;
  kind: string;
  tool: string | null;
}

export interface TroubleEvidence {
  why: readonly OpenProblem[];
  findings: readonly Finding[];
  summary: Pick<Summary, 'exit' | 'state' | 'read'>;
  /** The last frame. */
  end: number;
  longestWait: LongestWait | null;
}

export interface Trouble {
  kind: 'asked' | 'open' | 'remark' | 'finding' | 'exit' | 'wait' | 'none';
  /** The frame to look at first. */
  f: number;
  /** One sentence, without a full stop. It quotes what was recorded. */
  verdict: string;
  culprit: Party | null;
  /** What should have been sent, as a line; null if that is not known. */
  expected: string | null;
  hint: string | null;
  /** Frames that belong to it. */
  frames: number[];
  /** The frame of the event where it began, if it did not begin with a line. */
  event?: number;
}

/** Causes in which the agent itself is slow or gone. In all others it got something that it could not use. */
const AGENT_AT_WORK_RULES = new Set([
  'stopped',
  'gone',
  'in-tool',
  'in-model',
  'silent',
  'starting',
  'not-started',
  'exited',
]);
/** Causes that are the client's fault, whichever side owes an answer: it closed its stdin, or left something out. */
const CLIENT_FAULT_RULES = new Set(['stdin-closed', 'no-initialize', 'no-line-end', 'unanswered', 'waits-for-client']);
/** Causes that only say that the session ended before an answer. An earlier mistake explains more. */
const SESSION_END_RULES = new Set(['unanswered', 'stdin-closed']);
/** A wait of this many seconds is a problem. */
const LONG_WAIT_SECONDS = 30;
/** A wait of this many seconds is mentioned. */
const MIN_MENTIONED_WAIT = 1;

/** `words`: of the verdict. */
export function findTrouble(evidence: TroubleEvidence, around: number | null, words: ReportWords = EN): Trouble {
  const { verdicts } = words;
  const trouble = firstTrouble(evidence, words);
  if (around === null) return trouble;
  const here = evidence.findings.find(({ f }) => f === around);
  if (here) return { ...findingTrouble(here), kind: 'asked' };
  const open = evidence.why.find(({ f }) => f === around);
  if (open) return { ...openTrouble(open, evidence.findings, words), kind: 'asked' };
  const nothing = { verdict: verdicts.see(around), culprit: null, expected: null, hint: null };
  return trouble.frames.includes(around)
    ? { ...trouble, f: around }
    : { kind: 'asked', f: around, ...nothing, frames: [around] };
}

function firstTrouble({ why, findings, summary, end, longestWait }: TroubleEvidence, words: ReportWords): Trouble {
  const { verdicts } = words;
  const waiting = why.filter((one) => one.open && !one.follows);
  const isEnd = ({ rule }: OpenProblem) => summary.state !== 'running' && SESSION_END_RULES.has(rule);
  const open = waiting.find((one) => !isEnd(one)) ?? waiting[0] ?? why.find((one) => one.open);
  const mistake = open && isEnd(open) ? why.find((one) => !one.open && isBefore(one, open)) : undefined;
  if (open && !mistake) return openTrouble(open, findings, words);
  const remark = mistake ?? why[0];
  if (remark && remark.rule !== 'cannot-tell') return { ...openTrouble(remark, findings, words), kind: 'remark' };
  const error = findings.find(({ severity }) => severity === 'error');
  if (error) return findingTrouble(error);
  const plain = { culprit: null, expected: null, hint: null };
  const { exit, state } = summary;
  if (exit && (exit.signal !== null || exit.code !== 0)) {
    const verdict = exit.signal === null ? verdicts.exited(exit.code, end) : verdicts.endedBy(exit.signal, end);
    const culprit = exit.signal === null ? 'agent' : null;
    return { kind: 'exit', f: end, verdict, ...plain, culprit, frames: [end] };
  }
  if (state === 'killed') return { kind: 'exit', f: end, verdict: verdicts.cutOff(end), ...plain, frames: [end] };
  return waitTrouble(end, longestWait, summary.read, words);
}

/** Nothing is wrong, unless a wait was long. A noticeable wait is mentioned. */
function waitTrouble(end: number, longest: LongestWait | null, read: ReadShare | null, words: ReportWords): Trouble {
  const { verdicts } = words;
  const but = isMostlyUnread(read) ? verdicts.butOnly(words.understood(read)) : '';
  const nothing = `${verdicts.nothing}${but}`;
  const plain = { culprit: null, expected: null, hint: null };
  if (!longest || longest.seconds < MIN_MENTIONED_WAIT)
    return { kind: 'none', f: end, verdict: nothing, ...plain, frames: [] };
  const { f, kind, tool } = longest;
  const request = verdicts.request(kind, tool);
  const long = humanSeconds(longest.seconds);
  if (longest.seconds >= LONG_WAIT_SECONDS)
    return {
      kind: 'wait',
      f,
      verdict: verdicts.wasOpen(request, f, long),
      ...plain,
      culprit: 'client',
      frames: [f],
    };
  const verdict = `${nothing}${verdicts.longestWait(request, f, long)}`;
  return { kind: 'none', f, verdict, ...plain, frames: [f] };
}

function isBefore({ f, rule }: OpenProblem, open: OpenProblem): boolean {
  return rule !== 'cannot-tell' && f !== null && f <= (open.f ?? 0);
}

/**
 * The side that stopped reading, closed or left out something; else the side that `check` blames; else the side that
 * owes it.
 */
function findCulprit({ owes, sender, rule, f, stalled }: OpenProblem, blamed: Finding | undefined): Party | null {
  if (rule === 'stalled') return stalled?.whose === 'agent' ? 'agent' : 'client';
  if (rule === 'no-line-end' && f === null) return owes;
  if (CLIENT_FAULT_RULES.has(rule)) return 'client';
  if (blamed && blamed.fault !== 'unknown') return blamed.fault;
  return AGENT_AT_WORK_RULES.has(rule) ? 'agent' : (sender ?? owes);
}

function openTrouble(one: OpenProblem, findings: readonly Finding[], words: ReportWords): Trouble {
  const { f, owes, cause, hint, send, open } = one;
  const frames = [...new Set([...(f === null ? [] : [f]), ...framesIn(cause)])];
  const blamed = findings.find((finding) => finding.severity === 'error' && frames.includes(finding.f ?? 0));
  const culprit = findCulprit(one, blamed);
  const sentence = open && owes !== null ? verdictOf(one, owes, culprit, words) : cause;
  const event = one.rule === 'stalled' ? framesIn(cause)[0] : undefined;
  const trouble = { kind: 'open' as const, f: f ?? 0, verdict: sentence, culprit, expected: send, hint, frames };
  return event === undefined ? trouble : { ...trouble, event };
}

/** If the culprit is not the side that owes the answer, the cause comes first, and then what followed from it. */
function verdictOf(
  { f, what, cause, waited }: OpenProblem,
  owes: Party,
  culprit: Party | null,
  { verdicts }: ReportWords,
): string {
  const where = f === null ? '' : verdicts.openFor(f, humanSeconds(waited));
  // A side that answered with something else was not silent.
  const isAnswered = cause.startsWith(`the ${owes} answered`) || cause.startsWith(`the ${owes}'s answer`);
  const failure = `${(isAnswered ? verdicts.answeredBadly : verdicts.neverAnswered)(owes, what)}${where}`;
  const reason = withoutRepetition(cause, f);
  if (culprit === null || culprit === owes) return verdicts.because(failure, reason);
  return verdicts.therefore(reason.replace(/^its /, `the ${culprit}'s `), failure);
}

/** The cause without what the sentence around it already says: how long it was open, and which frame is meant. */
function withoutRepetition(cause: string, f: number | null): string {
  return cause
    .replace(/^left unanswered for [^(]{1,40}\(id [^)]{0,200}\), then /, '')
    .replace(
      / \((f\d+), ([^)]{1,20}) earlier\): the (\w+) stream was blocked/,
      ' ($1): the $3 stream was blocked for $2',
    )
    .replace(/^(the (?:client|agent) made a mistake in) it\b/, f === null ? '$&' : `$1 f${f}`);
}

function findingTrouble({ f, frames, message, fault, rule }: Finding): Trouble {
  const at = f ?? 0;
  const verdict = `${message} (f${at}, ${rule})`;
  const culprit = fault === 'unknown' ? null : fault;
  const all = [...new Set([at, ...frames])];
  return {
    kind: 'finding',
    f: at,
    verdict,
    culprit,
    expected: null,
    hint: `wiretape check --explain ${rule}`,
    frames: all,
  };
}

/** Frames that a sentence names. */
function framesIn(text: string): number[] {
  return [...text.matchAll(/\bf(\d{1,9})\b/g)].map(([, digits]) => Number(digits));
}
