/**
 * The table of the audit: a line for each request and each unasked call. The tool, what was decided by whom, whether it ran,
 * the result and the flags are always there, and so are what was asked and what ran: as two columns, or on a narrow screen
 * on lines of their own, where sessions are headings.
 */

import { describeAsked, describeRan, ranAsAsked } from '../../analysis/audit/describe-row.ts';
import type { ListedApproval } from '../../analysis/audit/listed-approval.ts';
import { type ApprovalRow, isAlarming } from '../../analysis/audit/row.ts';
import { cells, humanSeconds, visible } from '../../model/text/text.ts';
import { cutCell, type ListRow, list } from './list.ts';
import { shortFlags } from './short-flags.ts';
import type { Theme } from './theme.ts';

const ASKED_COLUMN = 'what was asked';
const RAN_COLUMN = 'what ran';
const HEAD = [
  ...['session', 'frame', 'time', 'kind', 'tool', 'decision', 'by', 'mode'],
  ...['wait', 'ran', 'run', 'result', 'flags', ASKED_COLUMN, RAN_COLUMN],
];
/** On a narrow screen, headings, other columns or lines below show these. */
const WIDE_ONLY_COLUMNS = ['session', 'mode', ASKED_COLUMN, RAN_COLUMN];
const NUMBER_COLUMNS = ['wait', 'run'];
/** Low-priority columns, dropped in this order when the line is too narrow. */
const DROPPABLE_COLUMNS = ['run', 'time', 'kind', 'wait', 'mode'];
/** Never shortened. */
const WHOLE_COLUMNS = ['frame', 'decision', 'ran', 'result'];
const WIDE_SCREEN = 160;
/** The least width of what was asked, and of what ran if it is something else. */
const MIN_LAST_COLUMN = 40;
/** The text if exactly what was asked ran. */
const AS_ASKED = 'as asked';
/** The mode that asks about everything is not worth a column. */
const DEFAULT_MODE = 'default';

/** It keeps only the cells of a row. */
export class ApprovalTable {
  readonly #columns: number;
  readonly #theme: Theme;
  readonly #lines: ListRow[] = [];
  readonly #sessions: string[] = [];

  constructor(columns: number, theme: Theme) {
    this.#columns = columns;
    this.#theme = theme;
  }

  add(listed: ListedApproval): void {
    this.#lines.push(cellsOf(listed, this.#isNarrow, this.#theme));
    this.#sessions.push(listed.session);
  }

  get #isNarrow(): boolean {
    return this.#columns < WIDE_SCREEN;
  }

  /** `several`: with their sessions. */
  *print(several: boolean): Generator<string> {
    const kind = HEAD.indexOf('kind');
    const isAll = this.#lines.every((line) => line[kind] === 'approval');
    const left = HEAD.filter((name) => {
      if (name === 'session' && !several) return false;
      // Not needed if all rows are approvals.
      return !(this.#isNarrow && WIDE_ONLY_COLUMNS.includes(name)) && !(name === 'kind' && isAll);
    });
    const places = left.map((name) => HEAD.indexOf(name));
    const lines = this.#lines.map((line) => places.map((at) => line[at]!));
    const placesOf = (names: string[]) => names.map((name) => left.indexOf(name)).filter((at) => at >= 0);
    // The last column is not cut before others are shortened.
    const last = lines.reduce((most, line) => Math.max(most, cells(textOf(line.at(-1)!))), cells(left.at(-1)!));
    const [numbers, spare, whole] = [NUMBER_COLUMNS, DROPPABLE_COLUMNS, WHOLE_COLUMNS].map(placesOf);
    const printed = list(
      left,
      lines,
      this.#columns,
      this.#theme,
      numbers,
      spare,
      Math.min(MIN_LAST_COLUMN, last),
      whole,
    );
    if (!this.#isNarrow) return yield* printed;
    let at = -1;
    for (const line of printed) {
      // The first line is the head.
      if (at >= 0 && several && this.#sessions[at] !== this.#sessions[at - 1])
        yield `${this.#theme.strong(visible(this.#sessions[at]!))}\n`;
      yield line;
      if (at >= 0) yield* this.#below(this.#lines[at]!);
      at++;
    }
  }

  /** What was asked, and what ran if it is something else. */
  *#below(line: ListRow): Generator<string> {
    const [asked, ran] = [ASKED_COLUMN, RAN_COLUMN].map((name) => line[HEAD.indexOf(name)]!) as [
      ListRow[number],
      ListRow[number],
    ];
    const isOther = textOf(ran) !== '' && textOf(ran) !== AS_ASKED;
    const both = isOther && textOf(asked) !== '';
    const shown = (cell: ListRow[number], name: string) => {
      const before = both ? name : '';
      return `    ${this.#theme.dim(before)}${cutCell(cell, this.#columns - 4 - cells(before))}\n`;
    };
    if (textOf(asked) !== '') yield shown(asked, 'asked: ');
    if (isOther) yield shown(ran, 'ran:   ');
  }
}

const textOf = (cell: ListRow[number]): string => (typeof cell === 'string' ? cell : cell.text);

/** In the order of the head. */
function cellsOf({ session, startedAt, row }: ListedApproval, isNarrow: boolean, theme: Theme): ListRow {
  const { by, wait, run, executed, result, flags } = row;
  const [asked, ran] = [describeAsked(row), describeRan(row)];
  const how = executed === 'unknown' ? '?' : executed;
  const mode = row.mode === null || row.mode === DEFAULT_MODE ? '' : visible(row.mode);
  return [
    visible(session),
    `f${row.f}`,
    timeOf(startedAt + row.t * 1e6),
    row.kind,
    visible(row.tool ?? ''),
    { text: row.decision, paint: paintOf(row, theme) },
    { text: byWords(row, isNarrow), paint: by === 'client' || by === 'grant' ? theme.dim : theme.warn },
    mode === '' ? '' : { text: mode, paint: by === 'mode' ? theme.warn : theme.dim },
    wait === null ? '' : humanSeconds(wait),
    isAlarming(flags) ? { text: `${how}!`, paint: theme.bad } : how,
    run === null ? '' : humanSeconds(run),
    { text: result ?? '', paint: result === 'error' ? theme.bad : theme.dim },
    flags.length === 0 ? '' : { text: visible(shortFlags(flags)), paint: theme.warn },
    withEnd(asked),
    ran !== '' && ranAsAsked(row) ? { text: AS_ASKED, paint: theme.dim } : withEnd(ran),
  ];
}

/** The file at the end of a path or a command stays when the text is cut: it says what was written or removed. */
function withEnd(what: string): ListRow[number] {
  const tail = /\/[^/\s…]{1,20}$/.exec(what)?.[0];
  return tail ? { text: what, tail } : what;
}

/** Who decided, with the mode or the frame of the grant. `hook: no`: it was refused, and nobody was asked. */
function byWords({ by, mode, grant_f, flags }: ApprovalRow, withMode: boolean): string {
  if (flags.includes('rule-denied')) return `${by}: no`;
  if (by === 'mode' && withMode && mode !== null) return `mode ${visible(mode)}`;
  return by === 'grant' && grant_f !== null ? `grant f${grant_f}` : by;
}

const twoDigits = (n: number) => String(Math.floor(n)).padStart(2, '0');

/** The time of day in UTC. */
function timeOf(micros: number): string {
  const second = Math.floor(micros / 1e6) % 86_400;
  return `${twoDigits(second / 3600)}:${twoDigits((second / 60) % 60)}:${twoDigits(second % 60)}`;
}

export function paintOf({ decision, by }: ApprovalRow, theme: Theme): (text: string) => string {
  if (decision === 'allow' || decision === 'allow-always' || decision === 'answered') return theme.good;
  if (decision === 'deny' || decision === 'cancelled') return theme.bad;
  return by === 'grant' ? theme.dim : theme.warn;
}
