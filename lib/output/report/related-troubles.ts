/**
 * What a report says next to its main problem: what followed from it, what else is open or wrong, and what it does not
 * explain.
 */
import type { Finding } from '../../dialects/rules/rule.ts';
import type { Summary } from '../../session/summary.ts';
import { code } from './markdown.ts';
import type { OpenProblem, Trouble } from './trouble.ts';
import type { ReportWords } from './words.ts';

interface TroubleContext {
  trouble: Trouble;
  why: readonly OpenProblem[];
  findings: readonly Finding[];
  summary: Pick<Summary, 'exit' | 'state'>;
  /** The frame to look at first. */
  look: number;
}

/** How many are named. */
const MAX_NAMED = 3;
/** Rules whose matter the verdict already describes. */
const COVERED_RULES = /unanswered|early-eof|approval-answer|line$/;

/** Sentences in Markdown, after the verdict. */
export function relatedTroubles(context: TroubleContext, words: ReportWords): string[] {
  const { trouble, why, findings } = context;
  if (trouble.kind === 'none' || trouble.kind === 'asked') return [];
  const open = why.filter((one) => one.open && one.f !== null && one.f !== trouble.f);
  const named = ({ what, f }: OpenProblem) => `${code(what)} (f${f})`;
  const list = (all: readonly OpenProblem[]) =>
    all.slice(0, MAX_NAMED).map(named).join(', ') + more(all.length - MAX_NAMED, words);
  const followed = open.filter(({ follows }) => follows);
  const others = open.filter(({ follows }) => !follows);
  const rules = findings.filter(({ severity, f }) => severity === 'error' && !trouble.frames.includes(f));
  const otherBlame = findings.filter(
    ({ severity, f, fault }) =>
      severity === 'error' && trouble.frames.includes(f) && blamesAnother(fault, trouble.culprit),
  );
  return [
    ...(followed.length > 0 ? [words.becauseOfIt(list(followed))] : []),
    ...(others.length > 0 ? [words.alsoOpen(list(others))] : []),
    ...otherBlame
      .slice(0, 1)
      .map(({ rule, f, fault }) => words.alsoBlames(code(rule), f, words.faults[fault] ?? fault)),
    ...otherRules(rules, words),
    ...(isHarmless(context) ? [words.nothingFailed] : []),
  ];
}

function blamesAnother(fault: string, culprit: string | null): boolean {
  return fault !== 'unknown' && culprit !== null && fault !== culprit;
}

function otherRules(rules: readonly Finding[], words: ReportWords): string[] {
  const broken = rules.filter(({ rule }) => !COVERED_RULES.test(rule));
  if (broken.length === 0) return [];
  const list = broken.slice(0, MAX_NAMED).map(({ rule, f }) => `${code(rule)} (f${f})`);
  return [words.alsoBroken(list.join(', ') + more(broken.length - MAX_NAMED, words))];
}

function more(count: number, words: ReportWords): string {
  return count > 0 ? `, ${words.more(count)}` : '';
}

/** A mistake that had no effect: everything was answered, and the agent ended as it should. */
function isHarmless({ trouble, why, summary: { exit } }: TroubleContext): boolean {
  if (trouble.kind !== 'remark' && trouble.kind !== 'finding') return false;
  const isBadEnd = exit !== null && (exit.signal !== null || exit.code !== 0);
  return !isBadEnd && !why.some(({ open }) => open) && !/error|refused|rejected/.test(trouble.verdict);
}

/** Whose fault a finding is. If `check` does not know, but the problem explains it: that it follows from there. */
export function faultOf({ f, fault }: Finding, { trouble, why, look }: TroubleContext, words: ReportWords): string {
  const followed = why.filter(({ follows, open }) => follows && open).map((one) => one.f);
  const isExplained = fault === 'unknown' && trouble.culprit !== null && trouble.kind !== 'finding';
  if (isExplained && (followed.includes(f) || trouble.frames.includes(f) || f > Math.max(...trouble.frames)))
    return words.follows(look);
  return words.faults[fault] ?? fault;
}
