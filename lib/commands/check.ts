import { Checker } from '../analysis/check/checker.ts';
import { INCOMPLETE, missingAtEnd } from '../analysis/check/incomplete.ts';
import { junit, type UnreadableSession } from '../analysis/check/junit.ts';
import {
  type CheckReport,
  type FailOn,
  FindingList,
  findingJson,
  isAtLeast,
  ruleJson,
  SEVERITIES,
} from '../analysis/check/report.ts';
import { RULES, rulesNamed } from '../analysis/check/rules.ts';
import { nearest } from '../analysis/query/nearest.ts';
import type { Finding, Rule, Severity } from '../dialects/rules/rule.ts';
import { Exit, Failure } from '../model/failure.ts';
import { visible } from '../model/text/text.ts';
import { reportText, unreadNote } from '../output/terminal/check-view.ts';
import { type Io, progressReporter, writeAll } from '../output/terminal/io.ts';
import { entryText, ruleText } from '../output/terminal/rule-view.ts';
import { themeFor } from '../output/terminal/theme.ts';
import { Pass } from '../session/pass.ts';
import { isMostlyUnread } from '../session/understanding.ts';
import { storeHome } from '../storage/store/home.ts';
import { metadataOf, type OpenSession, withPlace } from '../storage/store/open.ts';
import { placeOf, type SessionPlace } from '../storage/store/sessions.ts';
import { collectGarbageSooner } from '../storage/tape/garbage-collection.ts';
import { verifyTape } from '../storage/tape/verify.ts';
import type { Define, Flags } from './index.ts';
import { cannotCombine, SHOW_SECRETS } from './shared/options.ts';
import { selectedPlaces } from './shared/selection.ts';

const HELP = `
Examples:
  $ wiretape check                          the newest session
  $ wiretape check k3f9 ./run.jsonl         a session and a tape
  $ wiretape check --all --severity error   show only errors
  $ wiretape check --rule acp-path,io-cut   check only two rules
  $ wiretape check --explain io-cut         what it means, and how to fix it
  $ wiretape check --list                   all rules, with their sources
  $ wiretape check --fail-on incomplete     in CI: also fail on gaps
  $ wiretape check -q 'client:zed* tag:nightly' --junit > check.xml
  $ wiretape check --all --json | jq -r .rule | sort | uniq -c

An error is a certain violation. A warning is suspicious or depends on the
version. An info is worth knowing. Behaviour that the protocol allows is not
reported. Rules that need the client's side are skipped for imports without it.
Missing messages are not reported while a session is running.
With --fail-on incomplete, a tape must contain everything that crossed the
pipe: it has no gaps, its recorder was not killed, and it is neither altered
nor still being recorded. An unreadable session counts as incomplete.
Exit codes: 0 no finding at or above --fail-on, 1 findings, 2 unreadable
session.`;

interface CheckOptions extends Flags<'all' | 'json' | 'junit' | 'list'> {
  query?: string;
  rule?: string[];
  explain?: string[];
  severity: Severity;
  failOn: FailOn;
}

const ALL_RULES: readonly Rule[] = [...RULES, INCOMPLETE];

export const define: Define = (command, { io, exit }) => {
  command
    .argument('[sessions...]', 'sessions or tapes (default: last)')
    .option('-a, --all', 'all sessions in the store')
    .option('-q, --query <query>', 'only sessions that match this query, as in ls')
    .option('--rule <ids>', 'check only these rules, separated by commas', ids)
    .option(
      '--severity <least>',
      'lowest severity to show: error, warning or info',
      choiceOf('--severity', SEVERITIES),
      'info',
    )
    .addOption(
      command
        .createOption(
          '--fail-on <least>',
          'lowest severity for exit code 1: error, warning, info or never; and incomplete',
        )
        .argParser(parseFailOn)
        .default(DEFAULT_FAIL_ON, 'error'),
    )
    .option(...SHOW_SECRETS)
    .option('--json', 'print one JSON object per finding')
    .option('--junit', 'print JUnit XML')
    .option('--list', 'list all rules')
    .option('--explain <ids>', 'explain these rules: meaning, fault, how to fix', ids)
    .addHelpText('after', HELP)
    .action(async (words: string[], options: CheckOptions) => {
      const rules = selectRules(options);
      if (options.json && options.junit) throw cannotCombine('--json', '--junit');
      if (options.explain) return explain(io, options.explain, options);
      if (options.list) return printRules(io, rules, options);
      const { places, unreadable } = await selectSessions(io, words, options);
      for (const one of unreadable) reportUnreadable(io, one);
      const checked = [...unreadable, ...(await checkAll(io, places, rules, options))];
      if (options.junit) await writeAll(io, junit(checked, options.failOn));
      if (checked.length > 1) io.say(`wiretape: ${summaryLine(checked)}`);
      // A query that selects no session checks nothing: a mistake in it must not look like a pass.
      exit(checked.length === 0 ? Exit.no : exitCodeOf(checked, options));
    });
};

function selectRules({ rule, failOn }: CheckOptions): readonly Rule[] {
  return ALL_RULES.filter(
    (one) => (one === INCOMPLETE && failOn.incomplete) || (rule ? rule.includes(one.id) : one !== INCOMPLETE),
  );
}

/** Prints each report as soon as it is complete; JUnit is printed at the end. */
async function checkAll(io: Io, places: SessionPlace[], rules: readonly Rule[], options: CheckOptions) {
  const checked: (CheckReport | UnreadableSession)[] = [];
  for (const [done, place] of places.entries()) {
    io.progress('checking tapes', done, places.length);
    const one = await checkPlace(io, place, rules, options);
    checked.push(one);
    if (!('findings' in one)) reportUnreadable(io, one);
    else if (!options.json && !options.junit) await printReport(io, one, options);
  }
  io.progress('', 0, 0);
  return checked;
}

/** The sessions to check, and those of the store that cannot even be listed. */
async function selectSessions(
  io: Io,
  words: string[],
  { all, query }: CheckOptions,
): Promise<{ places: SessionPlace[]; unreadable: UnreadableSession[] }> {
  const home = storeHome(io.env);
  if (query !== undefined) return findMatching(io, home, words, query);
  return { places: selectedPlaces(home, words, all), unreadable: [] };
}

/** Loads the query reader only if there is a query. */
async function findMatching(io: Io, home: string, words: string[], query: string) {
  const { readQuery } = await import('../storage/search/query.ts');
  const { matchingSessions: fitting } = await import('../storage/search/choose-sessions.ts');
  const { targetsOf } = await import('../storage/search/targets.ts');
  const expr = readQuery(query);
  const progress = progressReporter(io, 'reading tapes');
  const { sessions, unreadable } = await targetsOf(home, words, progress);
  const found = await fitting(home, sessions, expr, progress);
  const places = found.map(({ place, summary }) => place ?? placeOf(home, summary.session));
  if (places.length === 0) io.say('wiretape: no session matches');
  return { places, unreadable: unreadable.map(({ session, message }) => ({ session, message })) };
}

function checkPlace(
  io: Io,
  place: SessionPlace,
  rules: readonly Rule[],
  options: CheckOptions,
): Promise<CheckReport | UnreadableSession> {
  return withPlace(place, (session) => check(io, session, rules, options)).catch((error: Error) => ({
    session: place.id,
    message: error.message.replace(`${place.id}: `, ''),
  }));
}

const FORGOTTEN_NOTE = 'too many requests or calls were open at once: the oldest were not fully checked';

/** Findings shown per rule and session; JSON has all of them. */
const MAX_FINDINGS_PER_RULE = 20;
const MAX_PENDING_FINDINGS = 10_000;

async function check(
  io: Io,
  session: OpenSession,
  rules: readonly Rule[],
  options: CheckOptions,
): Promise<CheckReport> {
  collectGarbageSooner([session.tape]);
  const metadata = metadataOf(session);
  const pass = new Pass(session);
  const { command, dialect } = pass;
  const source = typeof metadata.source === 'string' ? metadata.source : 'record';
  const checker = new Checker({ command, dialect, source }, rules);
  const findings = new FindingList(MAX_FINDINGS_PER_RULE, options.failOn);
  const pending: Finding[] = [];
  const flushFindings = async () => {
    for (const finding of pending.splice(0)) {
      if (!checker.isHeldTo(finding)) continue;
      findings.add(finding);
      if (options.json && isAtLeast(finding.severity, options.severity))
        await io.json(findingJson(session.id, finding));
    }
  };
  // Only the end shows how much was understood; as many as that are rarely found.
  const addFindings = async (found: readonly Finding[]) => {
    for (const finding of found) pending.push(finding);
    if (pending.length > MAX_PENDING_FINDINGS) await flushFindings();
  };
  for (const read of pass) {
    const found = checker.take(read);
    if (found.length > 0) await addFindings(found);
  }
  if (!session.running) await addFindings(checker.end());
  if (pass.hasForgotten) io.say(`wiretape: ${visible(session.id)}: ${FORGOTTEN_NOTE}`);
  if (rules.includes(INCOMPLETE))
    await addFindings(missingAtEnd({ ...verifyTape(session.tape), running: session.running }));
  await flushFindings();
  const { applied, notApplied, read } = checker;
  if (isMostlyUnread(read) && (options.json || options.junit))
    io.say(`wiretape: ${visible(session.id)}: ${unreadNote(dialect, read)}`);
  const { counts, severities, failed } = findings;
  const about = { session: session.id, command, dialect, started: metadata.started_at, isRunning: session.running };
  return { ...about, applied, notApplied, read, findings: findings.inOrder, counts, severities, failed };
}

async function printReport(io: Io, report: CheckReport, { severity }: CheckOptions): Promise<void> {
  io.page();
  await writeAll(io, reportText(report, severity, io.columns, themeFor(io.color)));
}

async function printRules(io: Io, rules: readonly Rule[], { json }: CheckOptions): Promise<void> {
  if (!json) io.page();
  for (const rule of rules) {
    if (json) await io.json(ruleJson(rule));
    else await writeAll(io, ruleText(rule, io.columns, themeFor(io.color)));
  }
}

/** Loads the texts only here. */
async function explain(io: Io, parseRuleIds: readonly string[], { json }: CheckOptions): Promise<void> {
  const { entryOf } = await import('../analysis/check/entries.ts');
  for (const [i, rule] of parseRuleIds.flatMap((id) => rulesNamed(id, ALL_RULES)).entries()) {
    const entry = entryOf(rule.id)!;
    if (json) await io.json({ ...ruleJson(rule), ...entry });
    else await writeAll(io, [i > 0 ? '\n' : '', ...entryText(rule, entry, io.columns, themeFor(io.color))]);
  }
}

function reportUnreadable(io: Io, { session, message }: UnreadableSession): void {
  io.say(`wiretape: ${visible(session)} cannot be checked: ${visible(message)}`);
}

/** Counts each session by its most severe finding. */
function summaryLine(checked: readonly (CheckReport | UnreadableSession)[]): string {
  const counts = new Map<string, number>();
  for (const one of checked) {
    const worst = 'findings' in one ? SEVERITIES.find((severity) => one.severities[severity] > 0) : null;
    const what = worst === null ? 'unreadable' : worst === undefined ? 'clean' : `with ${SEVERITY_PLURALS[worst]}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const order = ['clean', ...Object.values(SEVERITY_PLURALS).map((word) => `with ${word}`), 'unreadable'];
  const parts = order.flatMap((what) => (counts.has(what) ? [`${counts.get(what)} ${what}`] : []));
  return `${checked.length} sessions: ${parts.join(', ')}`;
}

const SEVERITY_PLURALS: Readonly<Record<Severity, string>> = { error: 'errors', warning: 'warnings', info: 'infos' };

function exitCodeOf(checked: readonly (CheckReport | UnreadableSession)[], { failOn }: CheckOptions): number {
  if (checked.some((one) => !('findings' in one))) return failOn.incomplete ? Exit.no : Exit.failed;
  return checked.some((one) => 'findings' in one && one.failed) ? Exit.no : Exit.ok;
}

/** The option may be repeated, and each value may be a list. */
function ids(word: string, before: string[] = []): string[] {
  return [...before, ...word.split(',').flatMap((one) => rulesCalled(one).map(({ id }) => id))];
}

function rulesCalled(word: string): Rule[] {
  const rules = rulesNamed(word, ALL_RULES);
  if (rules.length > 0) return rules;
  const near = nearest(word, [...new Set(ALL_RULES.flatMap(({ id, aliases = [] }) => [id, ...aliases]))]);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'wiretape check --list lists all rules';
  throw new Failure(`unknown rule ${JSON.stringify(word)}`, hint);
}

const DEFAULT_FAIL_ON: FailOn = { least: 'error', incomplete: false };

/** One severity, `incomplete`, or both. */
function parseFailOn(word: string): FailOn {
  const words = word.split(',').map((one) => choiceOf('--fail-on', [...SEVERITIES, 'never', 'incomplete'])(one.trim()));
  const levels = words.filter((one) => one !== 'incomplete') as FailOn['least'][];
  if (levels.length > 1)
    throw new Failure(`--fail-on ${JSON.stringify(word)} has two severities`, 'give only the lower one');
  return { least: levels[0] ?? DEFAULT_FAIL_ON.least, incomplete: words.includes('incomplete') };
}

function choiceOf(option: string, words: readonly string[]): (word: string) => string {
  return (word) => {
    if (words.includes(word)) return word;
    throw new Failure(`invalid value ${JSON.stringify(word)} for ${option}`, `use one of: ${words.join(', ')}`);
  };
}
