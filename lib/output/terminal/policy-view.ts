/** The dry run of a policy: a line for each call that it would have decided differently, then totals. */
import type { Audited, Listed } from '../../analysis/audit/listed.ts';
import { maskedRow } from '../../analysis/audit/mask-row.ts';
import { CANNOT_JUDGE, callOf, pathsOf } from '../../analysis/audit/policy/apply.ts';
import { type Compared, count, type Differences, noDifferences } from '../../analysis/audit/policy/compare.ts';
import type { ApprovalRow } from '../../analysis/audit/row.ts';
import { askedWords, ranAsAsked, ranWords, textAsked, whatRan } from '../../analysis/audit/what.ts';
import { isoMicros } from '../../model/frame.ts';
import { toJson } from '../../model/message.ts';
import { visible } from '../../model/text/text.ts';
import type { Report } from './approvals-listing.ts';
import { paintOf } from './approvals-table.ts';
import { shortFlags } from './flags.ts';
import type { Theme } from './theme.ts';
import { plural } from './words.ts';
import { wrap } from './wrap.ts';

const WHY: Record<NonNullable<Compared['unknown']>, string> = {
  command: 'its command is not known',
  path: 'its path is not known',
  call: 'what it does is not known',
  quoting: 'its command cannot be parsed with certainty',
  tool: 'the name of its tool is not known',
};

/** What happened, what would have, by which rule, and what it is about. */
function* differenceLines(
  { session, row: found }: Listed,
  { differs, line, unknown }: Compared,
  { columns, theme, several, mask }: Screen,
): Generator<string> {
  // The rules were applied to the unmasked command.
  const row = mask ? maskedRow(found) : found;
  const where = several ? `${visible(session)} f${row.f}` : `f${row.f}`;
  const rule = line === null ? 'by default' : `line ${line}`;
  const tool = row.tool === null ? '' : visible(row.tool);
  const paint = paintOf(row, theme);
  const said = unknown === null ? `${paint(differs!)} (${rule})` : paint(`${CANNOT_JUDGE}: ${WHY[unknown]}`);
  yield `${theme.strong(where)} ${said}\n`;
  // Some agents have no name for the tool but the command.
  for (const words of aboutWords(row))
    for (const part of wrap(tool === '' || words === `$ ${tool}` ? words : `${tool} ${words}`, columns - 4))
      yield `    ${part}\n`;
  const ended = endWords(row);
  if (ended !== '') for (const part of wrap(ended, columns - 4)) yield `    ${part}\n`;
}

/** What was asked, and what ran if that is something else. */
function aboutWords(row: ApprovalRow): string[] {
  const [asked, ran] = [askedWords(row), ranWords(row)];
  if (asked === '' || ran === '' || ranAsAsked(row)) return [asked || ran];
  return [`asked: ${asked}`, `ran: ${ran}`];
}

/** How it ended, and what is odd about it. */
function endWords({ result, flags }: ApprovalRow): string {
  const short = visible(shortFlags(flags));
  return [result && `result: ${result}`, short && `flags: ${short}`].filter((word) => word).join('  ');
}

function* differenceSum(sum: Differences, columns: number, theme: Theme): Generator<string> {
  const { calls, would, unjudged, differ } = sum;
  const open = unjudged === 0 ? '' : `, ${unjudged} cannot be judged`;
  const words = `${plural(calls, 'call')}: ${would.allow} would be allowed, ${would.ask} asked about, ${would.deny} denied${open}; ${differ === 0 ? 'none differs' : `${differ} ${differ === 1 ? 'differs' : 'differ'}`} from what happened`;
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
      else if (compared.differs !== null || compared.unknown !== null) yield* differenceLines(listed, compared, screen);
    }
  }
  report.rows = sum.calls;
  report.differ = sum.differ + sum.unjudged;
  if (screen && sum.calls > 0) yield* differenceSum(sum, screen.columns, screen.theme);
}

function comparedJson({ session, startedAt, cwd, row }: Listed, compared: Compared): string {
  const { verdict: would, line, happened, differs, unknown } = compared;
  const { f, tool, decision, by, executed, result, flags } = row;
  const at = isoMicros(startedAt + row.t * 1e6);
  const call = callOf(row, cwd);
  const { command } = call;
  const paths = pathsOf(call);
  const said = {
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
  return `${toJson(said)}\n`;
}
