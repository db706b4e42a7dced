/** The dry run of a policy: a line for each call that it would have decided differently, then totals. */

import { describeAsked, describeRan, ranAsAsked, textAsked, whatRan } from '../../analysis/audit/describe-row.ts';
import type { ListedApproval, ListedSession } from '../../analysis/audit/listed-approval.ts';
import { maskedRow } from '../../analysis/audit/mask-row.ts';
import { CANNOT_JUDGE, pathsOf, policyCallOf } from '../../analysis/audit/policy/apply.ts';
import {
  addComparison,
  noDifferences,
  type PolicyComparison,
  type PolicyDifferences,
} from '../../analysis/audit/policy/compare.ts';
import { type ApprovalRow, hasRun } from '../../analysis/audit/row.ts';
import { isoMicros } from '../../model/frame.ts';
import { toJson } from '../../model/message.ts';
import { visible } from '../../model/text/text.ts';
import type { ApprovalsReport } from './approvals-listing.ts';
import { paintOf } from './approvals-table.ts';
import { shortFlags } from './short-flags.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

const UNKNOWN_REASONS: Record<NonNullable<PolicyComparison['unknown']>, string> = {
  command: 'its command is not known',
  path: 'its path is not known',
  call: 'what it does is not known',
  quoting: 'its command cannot be parsed with certainty',
  tool: 'the name of its tool is not known',
  folder: 'a folder on which its paths depend is not known',
};

/** What happened, what would have, by which rule, and what it is about. */
function* differenceLines(
  { session, row: found }: ListedApproval,
  { differs, line, unknown }: PolicyComparison,
  { columns, theme, several, mask }: PolicyViewOptions,
): Generator<string> {
  // The rules were applied to the unmasked command.
  const row = mask ? maskedRow(found) : found;
  const where = several ? `${visible(session)} f${row.f}` : `f${row.f}`;
  const rule = line === null ? 'by default' : `line ${line}`;
  const tool = row.tool === null ? '' : visible(row.tool);
  const paint = paintOf(row, theme);
  const outcome =
    unknown === null ? `${paint(differs!)} (${rule})` : paint(`${CANNOT_JUDGE}: ${UNKNOWN_REASONS[unknown]}`);
  yield `${theme.strong(where)} ${outcome}\n`;
  // Some agents have no name for the tool but the command.
  for (const words of aboutWords(row))
    for (const part of wrap(tool === '' || words === `$ ${tool}` ? words : `${tool} ${words}`, columns - 4))
      yield `    ${part}\n`;
  const ended = endWords(row);
  if (ended !== '') for (const part of wrap(ended, columns - 4)) yield `    ${part}\n`;
}

/** What was asked, and what ran if that is something else. */
function aboutWords(row: ApprovalRow): string[] {
  const [asked, ran] = [describeAsked(row), describeRan(row)];
  if (asked === '' || ran === '' || ranAsAsked(row)) return [asked || ran];
  return [`asked: ${asked}`, hasRun(row) ? `ran: ${ran}` : `may have run: ${ran.replace(/^\? /, '')}`];
}

/** How it ended, and what is odd about it. */
function endWords({ result, flags }: ApprovalRow): string {
  const short = visible(shortFlags(flags));
  return [result && `result: ${result}`, short && `flags: ${short}`].filter((word) => word).join('  ');
}

function* differenceSum(sum: PolicyDifferences, columns: number, theme: Theme): Generator<string> {
  const { calls, would, unjudged, differ } = sum;
  const open = unjudged === 0 ? '' : `, ${unjudged} cannot be judged`;
  const words = `${plural(calls, 'call')}: ${would.allow} would be allowed, ${would.ask} asked about, ${would.deny} denied${open}; ${differ === 0 ? 'none differs' : `${differ} ${differ === 1 ? 'differs' : 'differ'}`} from what happened`;
  for (const line of wrap(words, columns)) yield `${theme.strong(line)}\n`;
}

interface PolicyViewOptions {
  columns: number;
  theme: Theme;
  several: boolean;
  /** Without secrets. */
  mask: boolean;
}

type PolicyJudge = (audited: ListedSession) => Iterable<[ListedApproval, PolicyComparison]>;

/** `screen` null: JSON, with every call. */
export async function* policyLines(
  sessions: AsyncIterable<ListedSession>,
  judge: PolicyJudge,
  report: ApprovalsReport,
  screen: PolicyViewOptions | null,
): AsyncGenerator<string> {
  const sum = noDifferences();
  for await (const one of sessions) {
    for (const [listed, compared] of judge(one)) {
      addComparison(sum, compared);
      if (screen === null) yield comparedJson(listed, compared);
      else if (compared.differs !== null || compared.unknown !== null) yield* differenceLines(listed, compared, screen);
    }
  }
  report.rows = sum.calls;
  report.differ = sum.differ + sum.unjudged;
  if (screen && sum.calls > 0) yield* differenceSum(sum, screen.columns, screen.theme);
}

function comparedJson({ session, startedAt, cwd, row }: ListedApproval, compared: PolicyComparison): string {
  const { verdict: would, line, happened, differs, unknown } = compared;
  const { f, tool, decision, by, executed, result, flags } = row;
  const at = isoMicros(startedAt + row.t * 1e6);
  const call = policyCallOf(row, cwd);
  const { command } = call;
  const paths = pathsOf(call);
  const comparison = {
    session,
    f,
    at,
    tool,
    command,
    paths,
    decision,
    by,
    executed,
    happened,
    would,
    line,
    differs,
    unknown,
    what_asked: textAsked(row),
    what_ran: whatRan(row),
    result,
    flags,
  };
  return `${toJson(comparison)}\n`;
}
