/** The text output of `why`: who owes whom an answer, since when and why, what to send, and what each side did last. */

import { ago, since as secondsSince } from '../../analysis/why/cause.ts';
import { CANNOT_TELL, doubtOf, isInDoubt } from '../../analysis/why/doubt.ts';
import type { Obligation } from '../../analysis/why/explain.ts';
import { headOf } from '../../analysis/why/lines.ts';
import { describeSlowestAnswer, describeState, remarks } from '../../analysis/why/remarks.ts';
import { headFor } from '../../analysis/why/send.ts';
import type { SessionWatch } from '../../analysis/why/session-watch.ts';
import type { WhyReport } from '../../analysis/why/why-report.ts';
import type { SessionMoment } from '../../model/moment.ts';
import { clip, humanBytes, humanSeconds, visible } from '../../model/text/text.ts';
import { describeMissing } from '../../session/understanding.ts';
import type { Theme } from './theme.ts';
import { heading, wrap } from './wrap.ts';

type WhyExplanation = Omit<WhyReport, 'startedAt'>;

export function* whyText(about: WhyExplanation, columns: number, theme: Theme): Generator<string> {
  const { obligations, watch, session } = about;
  yield* headline(about, columns, theme);
  for (const one of obligations) {
    yield* lines(obligationLine(one, about), columns, '', theme.strong);
    yield* lines(one.cause, columns, '  ', theme.warn);
    if (one.hint) yield* lines(`hint: ${one.hint}`, columns, '  ');
    yield* toSend(one, !about.moment.running, about, columns);
  }
  if (obligations.length === 0) yield* nothingOpen(about, columns, theme);
  for (const one of remarks(watch, obligations)) {
    yield* lines(one.cause, columns, '', theme.warn);
    if (one.hint) yield* lines(`hint: ${one.hint.replace('SESSION', session)}`, columns, '  ');
    yield* toSend({ ...one, sender: 'client' }, one.isTooLate || !about.moment.running, about, columns);
  }
  const missing = isInDoubt(watch) ? null : describeMissing(watch.read);
  if (missing !== null) yield* lines(missing, columns, '', theme.warn);
  for (const line of facts(about)) yield* lines(line, columns, '', theme.dim);
  yield* lastOnStderr(about, columns, theme);
}

/** Never wrapped, so that it can be copied. */
function* toSend(
  { send, sender, or, rule }: Pick<Obligation, 'send' | 'sender' | 'or' | 'rule'>,
  isPast: boolean,
  { watch }: WhyExplanation,
  columns: number,
): Generator<string> {
  // The answer of an agent that is still working is not known.
  if (send === null || (sender === 'agent' && rule !== 'silent')) return;
  const how = sender === 'agent' ? 'the agent would answer' : isPast ? 'should have sent' : 'send';
  const head = headFor(send, watch);
  const after = head === null ? '' : ` (after the header ${head.trimEnd()})`;
  yield `  ${how}${after}: ${visible(send)}\n`;
  if (or.length > 0) yield* lines(`or with: ${or.map((word) => JSON.stringify(word)).join(', ')}`, columns, '  ');
}

/** Lines that a hint already quotes are left out. */
function* lastOnStderr({ watch, obligations }: WhyExplanation, columns: number, theme: Theme): Generator<string> {
  const quoted = new Set(obligations.map(({ hint }) => hint));
  const tail = watch.lines.stderr.tail.filter((line) => !quoted.has(`on stderr: ${line.trim()}`));
  if (tail.length > 0) yield theme.dim('last on stderr:\n');
  for (const line of tail) yield* lines(line, columns, '  ', theme.speaker.stderr);
}

function* nothingOpen(about: WhyExplanation, columns: number, theme: Theme): Generator<string> {
  const doubt = doubtOf(about.watch);
  if (doubt === null) return yield* lines(`no open requests: ${idle(about)}`, columns, '', theme.good);
  yield* lines(`${CANNOT_TELL}: ${doubt}`, columns, '', theme.warn);
  if (!about.moment.running) yield* lines(idle(about, false), columns, '');
  for (const from of ['client', 'agent'] as const) yield* quotes(about, from, columns, theme);
}

/** The last lines of a side, for readers who know the protocol. */
function* quotes({ watch, moment }: WhyExplanation, from: 'client' | 'agent', columns: number, theme: Theme) {
  const recent = watch.lines.recent[from];
  yield theme.strong(`last from the ${from}:${recent.length === 0 ? ' nothing' : ''}`).concat('\n');
  for (const { f, t, text } of recent) {
    const head = `  f${f}${isLost(watch) ? '' : `, ${when(t, moment)}`}: `;
    const line = text === null ? 'bytes that are not UTF-8' : visible(text.trim());
    yield `${head}${clip(line, Math.max(MIN_QUOTED_CHARS, Math.min(columns, MAX_QUOTED_LINE) - head.length))}\n`;
  }
}

/** The least of a line that is quoted on a narrow terminal, and the longest line on a wide one. */
const MIN_QUOTED_CHARS = 20;
const MAX_QUOTED_LINE = 200;

function idle({ watch, moment }: WhyExplanation, isKnown = true): string {
  const { words, since } = describeState(watch, isKnown);
  if (!since) return words;
  return `${words} (f${since.f}${moment.running ? `, ${ago(since, moment)}` : ''})`;
}

function when(t: number, moment: SessionMoment): string {
  return `${secondsSince(t, moment)} ${moment.running ? 'ago' : 'before the end'}`;
}

function* headline({ session, command, state, watch, moment }: WhyExplanation, columns: number, theme: Theme) {
  const { process } = moment;
  const alive = process ? `, process ${process.pid} ${process.state}` : '';
  yield* heading(visible(session), visible(command.join(' ')), columns, theme);
  yield* lines(`${watch.dialect}, ${state}, ${humanSeconds(moment.t)}${alive}`, columns, '', theme.dim);
}

function obligationLine({ owes, to, since, f, what, waited }: Obligation, { moment, watch }: WhyExplanation): string {
  const long = humanSeconds(waited);
  const at = `${f === null ? '' : `f${f}, `}${since.slice(11, 19)}`;
  if (f === null) return `the ${owes} has owed the ${to} ${what} for ${long} (${at})`;
  if (moment.running) return `the ${owes} has owed the ${to} an answer for ${long} (${at}): ${what}`;
  // The time at which a recorder was killed is unknown.
  const until = isLost(watch) ? 'until the recorder was killed' : `open for ${long}`;
  return `the ${owes} never answered the ${to} (${at}, ${until}): ${what}`;
}

function isLost({ process }: SessionWatch): boolean {
  return process.ending?.event === 'lost';
}

function facts({ watch, moment, obligations }: WhyExplanation): string[] {
  const { stalled, ending } = watch.process;
  const lastLines = (['client', 'agent'] as const).map((from) => {
    const line = watch.lines.last[from];
    if (!line) return `from the ${from}: none`;
    return `from the ${from}: f${line.f}${isLost(watch) ? '' : `, ${when(line.t, moment)}`}`;
  });
  const isQuoted = obligations.length === 0 && doubtOf(watch) !== null;
  const found = isQuoted ? [] : [`last line ${lastLines.join('; ')}`];
  const slowest = obligations.length === 0 ? describeSlowestAnswer(watch) : null;
  if (slowest) found.unshift(slowest);
  const isMentioned = (from: string) => obligations.some(({ owes, rule }) => owes === from && rule === 'no-line-end');
  for (const { from, bytes, head, t } of moment.unfinished) {
    if (isMentioned(from)) continue;
    const old = secondsSince(t, moment);
    found.push(`unfinished line from the ${from}: ${humanBytes(bytes)} so far, begun ${old} ago: ${headOf(head)}`);
  }
  const isStalled = obligations.some(({ rule }) => rule === 'stalled');
  if (stalled && !isStalled)
    found.push(`the ${stalled.whose} is not reading what the ${stalled.stream} writes (f${stalled.f})`);
  if (ending && ending.undelivered > 0 && !isStalled)
    found.push(`${humanBytes(ending.undelivered)} never reached the other side`);
  return found;
}

function* lines(text: string, columns: number, indent: string, paint?: (text: string) => string): Generator<string> {
  for (const line of wrap(visible(text), columns - indent.length)) yield `${indent}${paint?.(line) ?? line}\n`;
}
