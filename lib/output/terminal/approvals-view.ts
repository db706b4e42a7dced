/**
 * The text output of the audit besides its table: rows in full, and totals for each session and for all, with standing
 * grants, modes without approvals, and what cannot be known.
 */
import type { BypassPeriod } from '../../analysis/audit/bypass.ts';
import { describeRan } from '../../analysis/audit/describe-row.ts';
import type { ListedApproval, ListedSession, SessionTotals } from '../../analysis/audit/listed-approval.ts';
import { type ApprovalRow, hasRun, isAlarming } from '../../analysis/audit/row.ts';
import type { ApprovalSum, StandingGrant } from '../../analysis/audit/sum.ts';
import { isoMicros } from '../../model/frame.ts';
import { clip, humanSeconds, visible } from '../../model/text/text.ts';
import { fullLines } from './approval-details.ts';
import { paintOf } from './approvals-table.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { heading, paintedCells, wrap } from './wrap.ts';

const plain = (text: string) => text;

/** The number of frames listed one by one. */
const MAX_NAMED_FRAMES = 12;
/** The width of a command or path in a sentence. */
const QUOTE_WIDTH = 60;

/** The totals of one session, with its grants, modes and unknowns. */
export function* sessionTotals(
  { session, sum, grants, bypass, unknowns, read }: SessionTotals,
  columns: number,
  theme: Theme,
) {
  const seen = read?.enough === false ? 'as far as it was understood: ' : '';
  yield* heading(visible(session), ` ${seen}${totalsText(sum)}`, columns, theme, '  ');
  for (const grant of grants) yield* indented(grantWords(grant), columns, plain);
  for (const period of bypass) yield* indented(bypassWords(period), columns, theme.warn);
  for (const note of unknowns) yield* indented(`unknown: ${note}`, columns, theme.warn);
}

function* indented(words: string, columns: number, paint: (text: string) => string): Generator<string> {
  for (const [at, line] of wrap(words, columns - 4).entries()) yield `  ${at === 0 ? '' : '  '}${paint(line)}\n`;
}

/** Which sessions continue each other, and which of their grants may explain calls: lines before and after the totals. */
export function* chainHead({ link }: ListedSession, columns: number, theme: Theme): Generator<string> {
  if (!link || link.of === 1 || link.at > 1) return;
  const words = `conversation ${link.conversations.map((id) => visible(id)).join(', ')}: ${plural(link.of, 'session')}`;
  for (const line of wrap(words, columns)) yield `${theme.strong(line)}\n`;
}

export function* chainNotes({ rows }: ListedSession, columns: number): Generator<string> {
  for (const { row, earlier } of rows) {
    if (!earlier) continue;
    const { session, f } = earlier;
    const words = `f${row.f} ${hasRun(row) ? 'ran' : 'may have run'} unasked: the standing grant f${f} of ${session} covers it, if the agent kept that grant when it continued the conversation`;
    yield* indented(visible(words), columns, plain);
  }
}

/** Calls that ran although they were denied, frame by frame. */
export function* alarmNotes({ rows }: ListedSession, columns: number, theme: Theme): Generator<string> {
  for (const { row } of rows) {
    if (!isAlarming(row.flags)) continue;
    const words = row.deny_f === null ? 'it was not allowed' : `the same was denied before (f${row.deny_f})`;
    yield* indented(`f${row.f} ran, although ${words}: ${clip(describeRan(row), QUOTE_WIDTH)}`, columns, theme.bad);
  }
}

/** Numbers of sessions. `silent`: with nothing to report. `unread`: of which too little was understood. */
interface SessionCounts {
  all: number;
  silent: number;
  unread: number;
}

/** The totals of all sessions. */
export function* overallTotals(
  sum: ApprovalSum,
  { all, silent, unread }: SessionCounts,
  columns: number,
  theme: Theme,
) {
  const quiet = silent > 0 ? `; nothing to report in ${silent === all ? 'any' : silent} of them` : '';
  const missing = unread > 0 ? `; too little was understood of ${unread === all ? 'all' : unread} of them` : '';
  const words = `${plural(all, 'session')}: ${totalsText(sum, false)}${quiet}${missing}`;
  for (const [at, line] of wrap(words, columns - 2).entries()) yield `${at === 0 ? '' : '  '}${theme.strong(line)}\n`;
}

const UNDECIDED_WORDS: Record<keyof ApprovalSum['instead'], string> = {
  nobody: 'not answered',
  'client-error': 'answered with an error',
  invalid: 'answered invalidly',
  agent: 'settled by the agent',
  grant: 'settled by a grant',
};

/**
 * `5 asked: 4 allowed, 1 not answered; 2 calls ran unasked in yolo mode; longest wait 2.10 s (f17)`. `ofOne`: with the
 * frame number.
 */
export function totalsText(sum: ApprovalSum, ofOne = true): string {
  const { asked, allowed, denied, cancelled, instead, refused, unknown } = sum;
  const { others, failed_open, longest } = sum;
  const decided: [number, string][] = [
    ...([
      [allowed, 'allowed'],
      [denied, 'denied'],
      [cancelled, 'cancelled'],
    ] as [number, string][]),
    ...(Object.keys(UNDECIDED_WORDS) as (keyof ApprovalSum['instead'])[]).map((by): [number, string] => [
      instead[by],
      UNDECIDED_WORDS[by],
    ]),
  ];
  const detail = decided.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  const words = [`${asked} asked${detail.length > 0 ? `: ${detail.join(', ')}` : ''}`];
  const { ran, unsure } = unaskedBy(sum);
  words.push(...unaskedWords(ran, 'ran unasked'), ...unaskedWords(unsure, 'may have run unasked'));
  if (sum.partly > 0) words.push(`${plural(sum.partly, 'call')} stopped before the end`);
  if (refused > 0) words.push(`${plural(refused, 'call')} refused without asking`);
  if (sum.after_deny > 0) words.push(`${plural(sum.after_deny, 'call')} ran after the same was denied`);
  if (unknown > 0) words.push(`${unknown} unknown`);
  if (others.question > 0) words.push(questionWords(sum));
  if (others['client-call'] > 0) words.push(plural(others['client-call'], 'client call'));
  if (others.hook > 0) {
    const open = failed_open > 0 ? `, ${failed_open} failed open` : '';
    words.push(`${plural(others.hook, 'hook')} (without an answer, the action runs${open})`);
  }
  if (longest) words.push(`longest wait ${humanSeconds(longest.wait)}${ofOne ? ` (f${longest.f})` : ''}`);
  return words.join('; ');
}

type ReasonCounts = [number, string][];

/** Why nobody was asked about what ran, and about what may have run. */
function unaskedBy({ by_mode, covered, unasked, refused, by_hook, unsure_by }: ApprovalSum): {
  ran: ReasonCounts;
  unsure: ReasonCounts;
} {
  const whyOf = (mode: [string, number][], grant: number, hook: number, agent: number): ReasonCounts =>
    [
      ...mode.map(([name, n]): [number, string] => [n, `in ${visible(name)} mode`]),
      [grant, 'under a standing grant'] as [number, string],
      [hook, 'because a hook allowed it'] as [number, string],
      [agent, 'because the agent did not ask'] as [number, string],
    ].filter(([n]) => (n as number) > 0) as ReasonCounts;
  const { mode, grant, hook, agent } = unsure_by;
  const sure = Object.entries(by_mode).map(([name, n]): [string, number] => [name, n - (mode[name] ?? 0)]);
  return {
    ran: whyOf(sure, covered - grant, by_hook - hook, unasked - refused - by_hook - agent),
    unsure: whyOf(Object.entries(mode), grant, hook, agent),
  };
}

/** `2 calls ran unasked in yolo mode`, or `3 calls ran unasked: 2 in yolo mode, 1 under a standing grant`. */
function unaskedWords(why: ReasonCounts, what: string): string[] {
  const [first] = why;
  if (!first) return [];
  const all = why.reduce((sum, [n]) => sum + n, 0);
  const reasons = why.length === 1 ? ` ${first[1]}` : `: ${why.map(([n, word]) => `${n} ${word}`).join(', ')}`;
  return [`${plural(all, 'call')} ${what}${reasons}`];
}

function questionWords({ others, answered, dismissed, questions }: ApprovalSum): string {
  const { unanswered, cancelled, unknown } = questions;
  const detail = { answered, dismissed, 'not answered': unanswered, cancelled, unknown };
  const found = Object.entries(detail).filter(([, n]) => n > 0);
  const breakdown = found.map(([word, n]) => `${n} ${word}`).join(', ');
  return `${plural(others.question, 'question')}${breakdown && `: ${breakdown}`}`;
}

/** `standing grant f12: given for `echo ok`, covers every command of this session; ran under it: f21 `echo danger``. */
function grantWords({ f, tool, given_for, covers, ran }: StandingGrant): string {
  const given = given_for === null ? (tool ?? '') : quotedWords(given_for);
  const named = ran
    .slice(0, MAX_NAMED_FRAMES)
    .map((one) => `f${one.f}${one.what === null ? '' : ` ${quotedWords(one.what)}`}`);
  const more = ran.length > MAX_NAMED_FRAMES ? ` and ${ran.length - MAX_NAMED_FRAMES} more` : '';
  const later = ran.length === 0 ? 'nothing ran under it' : `ran under it: ${named.join(', ')}${more}`;
  return visible(`standing grant f${f}: given for ${given}, covers ${covers}; ${later}`);
}

/** A command or path on one line, cut if it is long. */
function quotedWords(text: string): string {
  return `\`${clip(visible(text.trim().replace(/\s+/g, ' ')), QUOTE_WIDTH)}\``;
}

function bypassWords({ from, to, mode, frees }: BypassPeriod): string {
  const who = { all: 'no approvals needed', edits: 'no approvals needed for edits', run: 'nobody is asked' }[frees];
  const since = from === 0 ? 'from the start' : `from f${from}`;
  return visible(`mode ${mode} ${since}${to === null ? '' : ` to f${to}`}: ${who}`);
}

/** Row by row, with full descriptions. */
export function* approvalsInFull(
  rows: Iterable<ListedApproval>,
  several: boolean,
  columns: number,
  theme: Theme,
): Generator<string> {
  for (const listed of rows) {
    yield* filled([...(several ? [theme.strong(visible(listed.session))] : []), ...headOf(listed, theme)], columns);
    for (const { text, paint } of fullLines(listed.row, theme)) {
      for (const part of wrap(text, columns - 4)) yield `    ${paint?.(part) ?? part}\n`;
    }
  }
}

/** Painted words on as many lines as they need. */
function* filled(words: readonly string[], columns: number): Generator<string> {
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && paintedCells(longer) > columns) {
      yield `${line}\n`;
      line = `  ${word}`;
    } else line = longer;
  }
  yield `${line}\n`;
}

function outcomeWords(executed: ApprovalRow['executed'], result: ApprovalRow['result']): string[] {
  if (executed === 'unknown') return [];
  if (executed === 'no') return ['did not run'];
  return [executed === 'partly' ? 'ran in part' : `ran ${result ?? ''}`.trimEnd()];
}

function headOf({ startedAt, row }: ListedApproval, theme: Theme): string[] {
  const { kind, tool, wait, executed, result, flags } = row;
  const words = [theme.strong(`f${row.f}`), theme.dim(isoMicros(startedAt + row.t * 1e6).slice(0, 19))];
  if (kind !== 'approval') words.push(kind);
  if (tool !== null) words.push(visible(tool));
  words.push(
    paintOf(row, theme)(row.decision),
    `by ${row.by}${row.by === 'mode' ? ` ${visible(row.mode ?? '')}` : ''}`,
  );
  if (wait !== null) words.push(`after ${humanSeconds(wait)}`);
  words.push(...outcomeWords(executed, result));
  for (const [at, flag] of flags.entries()) {
    const [open, close] = [at === 0 ? '[' : '', at === flags.length - 1 ? ']' : ''];
    words.push(theme.warn(`${open}${visible(flag)}${close}`));
  }
  return words;
}
