/** The dry run of a policy: a line for each call that would have gone otherwise, then totals. */
import type { Audited, Listed } from '../audit/listed.ts';
import { maskedRow } from '../audit/mask-row.ts';
import { callOf, pathsOf } from '../audit/policy/apply.ts';
import { type Compared, count, type Differences, noDifferences } from '../audit/policy/compare.ts';
import { whatOf } from '../audit/what.ts';
import { isoMicros } from '../core/frame.ts';
import { toJson } from '../core/message.ts';
import { visible } from '../core/text.ts';
import type { Report } from './approvals-listing.ts';
import { paintOf } from './approvals-table.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

/** What happened, what would have, by which rule, and what it is about. */
function* differenceLines(
  { session, row: found }: Listed,
  { differs, line }: Compared,
  { columns, theme, several, mask }: Screen,
): Generator<string> {
  // The rules saw the command as it is.
  const row = mask ? maskedRow(found) : found;
  const where = several ? `${visible(session)} f${row.f}` : `f${row.f}`;
  const rule = line === null ? 'by default' : `line ${line}`;
  const tool = row.tool === null ? '' : `${visible(row.tool)} `;
  yield `${theme.strong(where)} ${paintOf(row, theme)(differs!)} (${rule})\n`;
  for (const part of wrap(`${tool}${whatOf(row)}`, columns - 4)) yield `    ${part}\n`;
}

function* differenceSum({ calls, would, differ }: Differences, columns: number, theme: Theme): Generator<string> {
  const words = `${plural(calls, 'call')}: ${would.allow} would be allowed, ${would.ask} asked about, ${would.deny} denied; ${differ === 0 ? 'none differs' : `${differ} ${differ === 1 ? 'differs' : 'differ'}`} from what happened`;
  for (const line of wrap(words, columns)) yield `${theme.strong(line)}\n`;
}

interface Screen {
  columns: number;
  theme: Theme;
  several: boolean;
  /** Without secrets. */
  mask: boolean;
}

type Judge = (audited: Audited) => Iterable<[Listed, Compared]>;

/** `screen` null: JSON, with every call. */
export async function* policyLines(
  sessions: AsyncIterable<Audited>,
  judge: Judge,
  report: Report,
  screen: Screen | null,
): AsyncGenerator<string> {
  const sum = noDifferences();
  for await (const one of sessions) {
    for (const [listed, compared] of judge(one)) {
      count(sum, compared);
      if (screen === null) yield comparedJson(listed, compared);
      else if (compared.differs) yield* differenceLines(listed, compared, screen);
    }
  }
  report.rows = sum.calls;
  report.differ = sum.differ;
  if (screen && sum.calls > 0) yield* differenceSum(sum, screen.columns, screen.theme);
}

function comparedJson({ session, startedAt, cwd, row }: Listed, compared: Compared): string {
  const { verdict: would, line, happened, differs } = compared;
  const { f, tool, decision, by, executed } = row;
  const at = isoMicros(startedAt + row.t * 1e6);
  const call = callOf(row, cwd);
  const { command } = call;
  const paths = pathsOf(call);
  return `${toJson({ session, f, at, tool, command, paths, decision, by, executed, happened, would, line, differs })}\n`;
}
