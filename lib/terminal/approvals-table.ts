/**
 * The table of the audit: a line for each request and each unasked call. What was asked, what was decided by whom, and
 * whether it ran are always there; on a narrow screen the tool is part of what was asked, and sessions are headings.
 */
import type { Listed } from '../audit/listed.ts';
import { type ApprovalRow, isAlarming } from '../audit/row.ts';
import { whatOf } from '../audit/what.ts';
import { humanSeconds, visible } from '../core/text.ts';
import { shortFlags } from './flags.ts';
import { type Line, list } from './list.ts';
import type { Theme } from './theme.ts';

const HEAD = [
  ...['session', 'frame', 'time', 'kind', 'tool', 'decision', 'by', 'mode'],
  ...['wait', 'ran', 'run', 'result', 'flags', 'what'],
];
/** Left out on a narrow screen, where other columns and the headings say the same. */
const ONLY_WIDE = ['session', 'tool', 'mode'];
const NUMBERS = ['wait', 'run'];
/** Low-priority columns, dropped in this order when the line is too narrow. */
const SPARE = ['run', 'time', 'result', 'kind', 'wait', 'flags', 'mode', 'tool'];
/** Never shortened. */
const WHOLE = ['frame', 'decision', 'ran'];
const WIDE = 140;
/** The least width of `what`. */
const LEAST = 40;
/** The mode that asks about everything is not worth a column. */
const USUAL = 'default';

/** It keeps only the cells of a row. */
export class ApprovalTable {
  readonly #columns: number;
  readonly #theme: Theme;
  readonly #lines: Line[] = [];
  readonly #sessions: string[] = [];

  constructor(columns: number, theme: Theme) {
    this.#columns = columns;
    this.#theme = theme;
  }

  add(listed: Listed): void {
    this.#lines.push(cellsOf(listed, this.#isNarrow, this.#theme));
    this.#sessions.push(listed.session);
  }

  get #isNarrow(): boolean {
    return this.#columns < WIDE;
  }

  /** `several`: with their sessions. */
  *print(several: boolean): Generator<string> {
    const kind = HEAD.indexOf('kind');
    const isAll = this.#lines.every((cells) => cells[kind] === 'approval');
    const left = HEAD.filter((name) => {
      if (name === 'session' && !several) return false;
      // Not needed if all rows are approvals.
      return !(this.#isNarrow && ONLY_WIDE.includes(name)) && !(name === 'kind' && isAll);
    });
    const places = left.map((name) => HEAD.indexOf(name));
    const lines = this.#lines.map((cells) => places.map((at) => cells[at]!));
    const placesOf = (names: string[]) => names.map((name) => left.indexOf(name)).filter((at) => at >= 0);
    const least = Math.min(LEAST, Math.floor(this.#columns / 2));
    const [numbers, spare, whole] = [NUMBERS, SPARE, WHOLE].map(placesOf);
    const printed = list(left, lines, this.#columns, this.#theme, numbers, spare, least, whole);
    if (!several || !this.#isNarrow) return yield* printed;
    let at = -1;
    for (const line of printed) {
      // The first line is the head.
      if (at >= 0 && this.#sessions[at] !== this.#sessions[at - 1])
        yield `${this.#theme.strong(visible(this.#sessions[at]!))}\n`;
      yield line;
      at++;
    }
  }
}

/** In the order of the head. */
function cellsOf({ session, startedAt, cwd, row }: Listed, isNarrow: boolean, theme: Theme): Line {
  const { by, wait, run, executed, result, flags } = row;
  const tool = visible(row.tool ?? '');
  const what = withoutCwd(cwd, whatOf(row));
  const ran = executed === 'unknown' ? '?' : executed;
  const mode = row.mode === null || row.mode === USUAL ? '' : visible(row.mode);
  return [
    visible(session),
    `f${row.f}`,
    timeOf(startedAt + row.t * 1e6),
    row.kind,
    tool,
    { text: row.decision, paint: paintOf(row, theme) },
    { text: byWords(row, isNarrow), paint: by === 'client' || by === 'grant' ? theme.dim : theme.warn },
    mode === '' ? '' : { text: mode, paint: by === 'mode' ? theme.warn : theme.dim },
    wait === null ? '' : humanSeconds(wait),
    isAlarming(flags) ? { text: `${ran}!`, paint: theme.bad } : ran,
    run === null ? '' : humanSeconds(run),
    { text: result ?? '', paint: result === 'error' ? theme.bad : theme.dim },
    flags.length === 0 ? '' : { text: visible(shortFlags(flags)), paint: theme.warn },
    // A command needs no tool to be understood.
    withEnd(isNarrow && tool !== '' && !what.startsWith('$ ') ? `${tool} ${what}`.trimEnd() : what),
  ];
}

/** The file at the end of a path or a command stays when the text is cut: it says what was written or removed. */
function withEnd(what: string): Line[number] {
  const tail = /\/[^/\s…]{1,20}$/.exec(what)?.[0];
  return tail ? { text: what, tail } : what;
}

/** Who decided, with the mode or the frame of the grant. `hook: no`: it was refused, and nobody was asked. */
function byWords({ by, mode, grant_f, flags }: ApprovalRow, withMode: boolean): string {
  if (flags.includes('rule-denied')) return `${by}: no`;
  if (by === 'mode' && withMode && mode !== null) return `mode ${visible(mode)}`;
  return by === 'grant' && grant_f !== null ? `grant f${grant_f}` : by;
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

export function paintOf({ decision, by }: ApprovalRow, theme: Theme): (text: string) => string {
  if (decision === 'allow' || decision === 'allow-always' || decision === 'answered') return theme.good;
  if (decision === 'deny' || decision === 'cancelled') return theme.bad;
  return by === 'grant' ? theme.dim : theme.warn;
}
