/**
 * The text output of the audit: a line for each request and each unasked call, then totals for each session and for all,
 * with standing grants, modes without approvals, and what cannot be known.
 */
import type { Bypassed } from '../audit/bypass.ts';
import type { ApprovalRow } from '../audit/row.ts';
import type { StandingGrant, Sum } from '../audit/sum.ts';
import { isoMicros } from '../core/frame.ts';
import { clip, humanSeconds, visible } from '../core/text.ts';
import { fullLines, whatOf } from './approval-words.ts';
import { type Line, list } from './list.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { heading, wrap } from './wrap.ts';

/** A row and its session. `startedAt` is in microseconds. */
export interface Listed {
  session: string;
  startedAt: number;
  cwd: string;
  /** What the tape of the session cannot show. */
  caveats: readonly string[];
  row: ApprovalRow;
}

/** The totals of a session. */
export interface Summed {
  session: string;
  sum: Sum;
  grants: StandingGrant[];
  bypass: readonly Bypassed[];
  unknowns: string[];
}

const HEAD = [
  ...['session', 'frame', 'time', 'kind', 'tool', 'decision', 'by', 'mode'],
  ...['wait', 'ran', 'run', 'result', 'flags', 'what'],
];
const placesOf = (names: string[]) => names.map((name) => HEAD.indexOf(name));
const NUMBERS = placesOf(['wait', 'run']);
/** Low-priority columns, dropped in this order when the line is too narrow. */
const SPARE = placesOf(['run', 'time', 'result', 'kind', 'ran', 'flags', 'wait', 'mode', 'by']);
/** Below this width, only the end of a session id and the start of a tool name are shown. */
const WIDE = 140;
const TOOL_WIDTH = 12;
/** The mode that asks about everything is not worth a column. */
const USUAL = 'default';

/** The table. It keeps only the cells of a row. */
export class ApprovalTable {
  readonly #columns: number;
  readonly #theme: Theme;
  readonly #lines: Line[] = [];

  constructor(columns: number, theme: Theme) {
    this.#columns = columns;
    this.#theme = theme;
  }

  add(listed: Listed): void {
    this.#lines.push(line(listed, this.#columns, this.#theme));
  }

  /** `several`: with the session column. */
  print(several: boolean): Generator<string> {
    const kind = HEAD.indexOf('kind');
    // The kind column is not needed if all rows are approvals.
    if (this.#lines.every((cells) => cells[kind] === 'approval')) for (const cells of this.#lines) cells[kind] = '';
    // The list never drops its first column, so the session is removed here.
    const from = several ? 0 : 1;
    const cut = (places: number[]) => places.map((at) => at - from).filter((at) => at >= 0);
    if (!several) for (const cells of this.#lines) cells.shift();
    return list(HEAD.slice(from), this.#lines, this.#columns, this.#theme, cut(NUMBERS), cut(SPARE));
  }
}

function line({ session, startedAt, cwd, row }: Listed, columns: number, theme: Theme): Line {
  const { decision, by, wait, run, executed, result, flags } = row;
  const isNarrow = columns < WIDE;
  const tool = visible(row.tool ?? '');
  return [
    isNarrow ? visible(session).replace(/^\d{8}T\d{6}-/, '') : visible(session),
    `f${row.f}`,
    timeOf(startedAt + row.t * 1e6),
    row.kind,
    isNarrow ? clip(tool, TOOL_WIDTH) : tool,
    { text: decision, paint: paintOf(row, theme) },
    { text: by, paint: by === 'client' || by === 'grant' ? theme.dim : theme.warn },
    row.mode === null || row.mode === USUAL
      ? ''
      : { text: visible(row.mode), paint: by === 'mode' ? theme.warn : theme.dim },
    wait === null ? '' : humanSeconds(wait),
    executed === 'unknown' ? '?' : executed,
    run === null ? '' : humanSeconds(run),
    { text: result ?? '', paint: result === 'error' ? theme.bad : theme.dim },
    flags.length === 0 ? '' : { text: visible(flags.join(' ')), paint: theme.warn },
    withoutCwd(cwd, whatOf(row)),
  ];
}

const two = (n: number) => String(Math.floor(n)).padStart(2, '0');

/** The time of day in UTC. */
function timeOf(micros: number): string {
  const second = Math.floor(micros / 1e6) % 86_400;
  return `${two(second / 3600)}:${two((second / 60) % 60)}:${two(second % 60)}`;
}

/** Removes the working directory from a path. */
function withoutCwd(cwd: string, what: string): string {
  const folder = `${visible(cwd)}/`;
  return cwd.length > 1 && what.startsWith(folder) ? what.slice(folder.length) : what;
}

const plain = (text: string) => text;

function paintOf({ decision, by }: ApprovalRow, theme: Theme): (text: string) => string {
  if (decision === 'allow' || decision === 'allow-always' || decision === 'answered') return theme.good;
  if (decision === 'deny' || decision === 'cancelled') return theme.bad;
  return by === 'grant' ? theme.dim : theme.warn;
}

/** The number of frames listed one by one. */
const NAMED = 12;
/** The width of a command or path in a sentence. */
const QUOTED = 60;

/** The totals of one session, with its grants, modes and unknowns. */
export function* sessionSum({ session, sum, grants, bypass, unknowns }: Summed, columns: number, theme: Theme) {
  yield* heading(visible(session), ` ${sumWords(sum)}`, columns, theme, '  ');
  for (const grant of grants) yield* indented(grantWords(grant), columns, plain);
  for (const period of bypass) yield* indented(bypassWords(period), columns, theme.warn);
  for (const note of unknowns) yield* indented(`unknown: ${note}`, columns, theme.warn);
}

function* indented(words: string, columns: number, paint: (text: string) => string): Generator<string> {
  for (const [at, line] of wrap(words, columns - 4).entries()) yield `  ${at === 0 ? '' : '  '}${paint(line)}\n`;
}

/** The totals of all sessions. `silent`: the number of sessions with nothing to report. */
export function* wholeSum(sum: Sum, sessions: number, silent: number, columns: number, theme: Theme) {
  const quiet = silent > 0 ? `; nothing to report in ${silent === sessions ? 'any' : silent} of them` : '';
  const words = `${plural(sessions, 'session')}: ${sumWords(sum, false)}${quiet}`;
  for (const line of wrap(words, columns)) yield `${theme.strong(line)}\n`;
}

const INSTEAD: Record<keyof Sum['instead'], string> = {
  nobody: 'not answered',
  'client-error': 'answered with an error',
  invalid: 'answered invalidly',
  agent: 'settled by the agent',
  grant: 'settled by a grant',
};

/** `5 asked: 4 allowed, 1 not answered; 2 calls ran unasked; longest wait 2.10 s (f17)`. `ofOne`: with the frame number. */
export function sumWords(sum: Sum, ofOne = true): string {
  const { asked, allowed, denied, cancelled, instead, unasked, refused, covered, by_mode, unknown } = sum;
  const { others, failed_open, longest } = sum;
  const decided: [number, string][] = [
    ...([
      [allowed, 'allowed'],
      [denied, 'denied'],
      [cancelled, 'cancelled'],
    ] as [number, string][]),
    ...(Object.keys(INSTEAD) as (keyof Sum['instead'])[]).map((by): [number, string] => [instead[by], INSTEAD[by]]),
  ];
  const detail = decided.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  const words = [`${asked} asked${detail.length > 0 ? `: ${detail.join(', ')}` : ''}`];
  for (const [mode, n] of Object.entries(by_mode))
    words.push(`${plural(n, 'call')} ran unasked in ${visible(mode)} mode`);
  if (unasked > refused) words.push(`${plural(unasked - refused, 'call')} ran unasked`);
  if (refused > 0) words.push(`${plural(refused, 'call')} refused without asking`);
  if (covered > 0) words.push(`${covered} covered by standing grants`);
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

function questionWords({ others, answered, dismissed }: Sum): string {
  const detail = [answered > 0 ? `${answered} answered` : '', dismissed > 0 ? `${dismissed} dismissed` : ''];
  const told = detail.filter((word) => word !== '').join(', ');
  return `${plural(others.question, 'question')}${told && `: ${told}`}`;
}

/** `standing grant f12: given for `echo ok`, covers every command of this session; ran under it: f21 `echo danger``. */
function grantWords({ f, tool, given_for, covers, ran }: StandingGrant): string {
  const given = given_for === null ? (tool ?? '') : quotedWords(given_for);
  const named = ran.slice(0, NAMED).map((one) => `f${one.f}${one.what === null ? '' : ` ${quotedWords(one.what)}`}`);
  const more = ran.length > NAMED ? ` and ${ran.length - NAMED} more` : '';
  const later = ran.length === 0 ? 'nothing ran under it' : `ran under it: ${named.join(', ')}${more}`;
  return visible(`standing grant f${f}: given for ${given}, covers ${covers}; ${later}`);
}

/** A command or path on one line, cut if it is long. */
function quotedWords(text: string): string {
  return `\`${clip(visible(text.trim().replace(/\s+/g, ' ')), QUOTED)}\``;
}

function bypassWords({ from, to, mode, frees }: Bypassed): string {
  const who = frees === 'all' ? 'no approvals needed' : 'no approvals needed for edits';
  const since = from === 0 ? 'from the start' : `from f${from}`;
  return visible(`mode ${mode} ${since}${to === null ? '' : ` to f${to}`}: ${who}`);
}

/** Row by row, with full descriptions. */
export function* approvalsInFull(
  rows: Iterable<Listed>,
  several: boolean,
  columns: number,
  theme: Theme,
): Generator<string> {
  for (const listed of rows) {
    yield `${several ? `${theme.strong(visible(listed.session))} ` : ''}${headOf(listed, theme)}\n`;
    for (const { text, paint } of fullLines(listed.row, theme)) {
      for (const part of wrap(text, columns - 4)) yield `    ${paint?.(part) ?? part}\n`;
    }
  }
}

function headOf({ startedAt, row }: Listed, theme: Theme): string {
  const { kind, tool, wait, executed, result, flags } = row;
  const words = [theme.strong(`f${row.f}`), theme.dim(isoMicros(startedAt + row.t * 1e6).slice(0, 19))];
  if (kind !== 'approval') words.push(kind);
  if (tool !== null) words.push(visible(tool));
  words.push(
    paintOf(row, theme)(row.decision),
    `by ${row.by}${row.by === 'mode' ? ` ${visible(row.mode ?? '')}` : ''}`,
  );
  if (wait !== null) words.push(`after ${humanSeconds(wait)}`);
  if (executed !== 'unknown') words.push(executed === 'no' ? 'did not run' : `ran ${result ?? ''}`.trimEnd());
  if (flags.length > 0) words.push(theme.warn(visible(flags.join(' '))));
  return words.join(' ');
}
