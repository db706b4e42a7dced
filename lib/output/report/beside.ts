/**
 * What a report says next to its main problem: what followed from it, what else is open or wrong, and what it does not
 * explain.
 */
import type { Finding } from '../../dialects/rules/rule.ts';
import type { Summary } from '../../session/summary.ts';
import { code } from './markdown.ts';
import type { Open, Trouble } from './trouble.ts';
import type { ReportWords } from './words.ts';

interface Beside {
  trouble: Trouble;
  why: readonly Open[];
  findings: readonly Finding[];
  summary: Pick<Summary, 'exit' | 'state'>;
  /** The frame to look at first. */
  look: number;
}

/** How many are named. */
const NAMED = 3;
/** Rules whose matter the verdict already describes. */
const SAME_MATTER = /unanswered|early-eof|approval-answer|line$/;

/** Sentences in Markdown, after the verdict. */
export function besides(beside: Beside, words: ReportWords): string[] {
  const { trouble, why, findings } = beside;
  if (trouble.kind === 'none' || trouble.kind === 'asked') return [];
  const open = why.filter((one) => one.open && one.f !== null && one.f !== trouble.f);
  const named = ({ what, f }: Open) => `${code(what)} (f${f})`;
  const list = (all: readonly Open[]) => all.slice(0, NAMED).map(named).join(', ') + more(all.length - NAMED, words);
  const followed = open.filter(({ follows }) => follows);
  const others = open.filter(({ follows }) => !follows);
  const rules = findings.filter(({ severity, f }) => severity === 'error' && !trouble.frames.includes(f));
  const unlike = findings.filter(
    ({ severity, f, fault }) => severity === 'error' && trouble.frames.includes(f) && isOther(fault, trouble.culprit),
  );
  return [
    ...(followed.length > 0 ? [words.becauseOfIt(list(followed))] : []),
    ...(others.length > 0 ? [words.alsoOpen(list(others))] : []),
    ...unlike.slice(0, 1).map(({ rule, f, fault }) => words.alsoBlames(code(rule), f, words.faults[fault] ?? fault)),
    ...otherRules(rules, words),
    ...(isHarmless(beside) ? [words.nothingFailed] : []),
  ];
}

function isOther(fault: string, culprit: string | null): boolean {
  return fault !== 'unknown' && culprit !== null && fault !== culprit;
}

function otherRules(rules: readonly Finding[], words: ReportWords): string[] {
  const told = rules.filter(({ rule }) => !SAME_MATTER.test(rule));
  if (told.length === 0) return [];
  const list = told.slice(0, NAMED).map(({ rule, f }) => `${code(rule)} (f${f})`);
  return [words.alsoBroken(list.join(', ') + more(told.length - NAMED, words))];
}

function more(count: number, words: ReportWords): string {
  return count > 0 ? `, ${words.more(count)}` : '';
}

/** A mistake that had no effect: everything was answered, and the agent ended as it should. */
function isHarmless({ trouble, why, summary: { exit } }: Beside): boolean {
  if (trouble.kind !== 'remark' && trouble.kind !== 'finding') return false;
  const isBadEnd = exit !== null && (exit.signal !== null || exit.code !== 0);
  return !isBadEnd && !why.some(({ open }) => open) && !/error|refused|rejected/.test(trouble.verdict);
}

/** Whose fault a finding is. If `check` does not know, but the problem explains it: that it follows from there. */
export function faultOf({ f, fault }: Finding, { trouble, why, look }: Beside, words: ReportWords): string {
  const followed = why.filter(({ follows, open }) => follows && open).map((one) => one.f);
  const isExplained = fault === 'unknown' && trouble.culprit !== null && trouble.kind !== 'finding';
  if (isExplained && (followed.includes(f) || trouble.frames.includes(f) || f > Math.max(...trouble.frames)))
    return words.follows(look);
  return words.faults[fault] ?? fault;
}
