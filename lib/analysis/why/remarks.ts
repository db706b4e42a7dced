/** Remarks on a session although nobody waits: refusals, mistakes of the client, and the state of the session. */
import { isoMicros } from '../../model/frame.ts';
import type { FramePosition } from '../../model/ledger/records.ts';
import { humanSeconds } from '../../model/text/text.ts';
import { describeNoise } from './describe-request.ts';
import { isInDoubt } from './doubt.ts';
import type { Obligation } from './explain.ts';
import { lostSignal } from './lost-messages.ts';
import { INITIALIZE_FIRST_HINT } from './misuse.ts';
import { noticeOf } from './notice.ts';
import { greetingOf, headFor, readyLine } from './send.ts';
import type { SessionWatch } from './session-watch.ts';

export interface Remark extends FramePosition {
  culprit: 'client' | 'agent';
  rule: string;
  what: string;
  cause: string;
  hint: string | null;
  send: string | null;
  or: readonly string[];
  /** The agent has gone on, so that line can no longer be sent. */
  isTooLate: boolean;
}

const NOTHING_TO_SEND = { send: null, or: [], isTooLate: false };
/** Beyond this many, the oldest are left to `check`. */
const MAX_MISTAKES = 3;

/** `obligations`: what is explained there is not said again. */
export function remarks(watch: SessionWatch, obligations: readonly Obligation[] = []): Remark[] {
  if (isInDoubt(watch)) return [];
  const explained = obligations.map(({ cause, f }) => `${cause} f${f}`).join(' ');
  const isExplained = (f: number) => new RegExp(`\\bf${f}\\b`).test(explained);
  const found = [
    ...refused(watch),
    ...noisy(watch).filter(({ f }) => !isExplained(f)),
    ...ungreeted(watch, obligations),
  ];
  const known = new Set([...found.map(({ f }) => f), ...(found[0]?.rule === 'refused' ? [watch.refused!.of] : [])]);
  const frames = watch.mistakes.frames.filter((f) => f >= (watch.prompt?.f ?? 0) && !isExplained(f) && !known.has(f));
  return [...found, ...frames.slice(-MAX_MISTAKES).map((f) => mistake(watch, f))];
}

/** As `why --json` prints it. */
export function remarkRow(session: string, startedAt: number, remark: Remark, watch: SessionWatch): Obligation {
  const { culprit, rule, what, cause, hint, send, or, f, t } = remark;
  return {
    ...{ session, owes: culprit, to: culprit === 'client' ? 'agent' : 'client', since: isoMicros(startedAt + t * 1e6) },
    ...{ f, what, cause, hint: hint?.replace('SESSION', session) ?? null, send, or, open: false, waited: 0, rule },
    ...{
      head: send === null ? null : headFor(send, watch),
      sender: send === null ? null : 'client',
      id: null,
      method: null,
      kind: null,
      follows: false,
    },
  };
}

/** The agent's last answer is an error, and the client has left it at that. */
function refused(watch: SessionWatch): Remark[] {
  const { refused: last, lines, traits, opened } = watch;
  if (!last || (lines.last.client?.f ?? 0) > last.f) return [];
  const { f, t, method, code, text, of, taken } = last;
  const mistake = watch.mistakes.findAt(of);
  const reason = mistake ? `: ${mistake.message}` : '';
  const isEarly = !watch.greeted && traits.greeting !== null && method !== 'initialize';
  const known = traits.hints.refusals?.[`${method} ${code}`] ?? null;
  const session =
    opened && mistake && last.isPrompt
      ? `the agent opened the session ${JSON.stringify(opened.id)} (f${opened.f}): use that id`
      : null;
  return [
    {
      ...{ f, t, culprit: taken ? 'agent' : 'client', rule: 'refused', what: `${method} (f${of})` },
      cause: `${method} (f${of}) ${taken ? 'failed' : 'was refused'} (f${f}, ${code ?? 'error'}${text ? `: ${text}` : ''}), and the client has sent nothing since${reason}`,
      hint: isEarly ? INITIALIZE_FIRST_HINT : (known ?? session),
      ...{ ...NOTHING_TO_SEND, send: isEarly ? greetingOf(traits) : null },
    },
  ];
}

/** A protocol that is not known has no messages to tell from other lines. */
function noisy(watch: SessionWatch): Remark[] {
  const { noise, last } = watch.lines;
  if (!noise || (last.client?.f ?? 0) >= noise.f || watch.traits.isGeneric) return [];
  const { f, t } = noise;
  const notice = noticeOf(watch);
  if (notice) return [{ culprit: 'agent', rule: 'notice', what: 'its start', ...notice, ...NOTHING_TO_SEND }];
  return [
    {
      ...{ f, t, culprit: 'agent', rule: 'polluted-stdout', what: describeNoise(noise), ...NOTHING_TO_SEND },
      cause: `the agent wrote ${describeNoise(noise)} to stdout before its first message (f${f}), and the client has sent nothing since`,
      hint: 'some clients stop at such a line: write logs to stderr',
    },
  ];
}

/** Nothing else is known to be wrong. */
const AT_WORK_RULES = new Set(['starting', 'silent', 'in-model', 'in-tool', 'stdin-closed', 'killed', 'exited']);

/** A prompt without a handshake is open: what the agent will not do is worth knowing before it shows. */
function ungreeted(watch: SessionWatch, obligations: readonly Obligation[]): Remark[] {
  const known = watch.traits.hints.noHandshake;
  if (!known || watch.handshake || watch.audit.mode !== null || watch.hasAskedSince(0) || !watch.prompt) return [];
  const isOpen = obligations.some(({ f, rule }) => f === watch.prompt!.f && AT_WORK_RULES.has(rule));
  if (!isOpen) return [];
  const { f, t } = watch.prompt;
  const send = greetingOf(watch.traits);
  return [
    {
      f,
      t,
      culprit: 'client',
      rule: 'no-initialize',
      what: 'initialize',
      cause: known.cause,
      hint: known.hint,
      send,
      or: [],
      isTooLate: false,
    },
  ];
}

/** A line of the client that `check` objects to. */
function mistake(watch: SessionWatch, f: number): Remark {
  const { message, frames } = watch.mistakes.findAt(f)!;
  const bad = watch.answers.findAt(f);
  const of = watch.answers.requestFrameOf(f) ?? frames[0] ?? null;
  const ask = of === null ? null : watch.askAt(of);
  const sent = bad && !bad.flags.includes('bad-word') ? `; it sent ${bad.sent}` : '';
  const failed =
    ask?.call?.result && !ask.call.result.ok
      ? `; ${watch.subjectOf(ask)} ended with an error (f${ask.call.result.f})`
      : '';
  return {
    ...{ f, t: watch.mistakes.timeOf(f), culprit: 'client', rule: ruleOf(bad?.flags ?? (ask ? [] : null)) },
    what: ask ? `a valid answer to f${ask.f}` : `a valid line instead of f${f}`,
    cause: `the client made a mistake in f${f}: ${message}${sent}${failed}`,
    ...linesFor(watch, f, ask?.f ?? null),
    isTooLate: ask !== null,
  };
}

function ruleOf(flags: readonly string[] | null): string {
  if (flags === null) return 'mistake';
  if (flags.includes('orphan')) return 'unknown-id';
  return flags.includes('bad-word') ? 'unknown-option' : 'bad-answer';
}

function linesFor(watch: SessionWatch, f: number, requestFrame: number | null): Pick<Remark, 'hint' | 'send' | 'or'> {
  const { traits, handshake } = watch;
  if (requestFrame !== null) {
    const { answer, or } = watch.linesToSend(requestFrame);
    return { hint: null, send: answer, or };
  }
  if (!watch.greeted && traits.greeting) return { hint: INITIALIZE_FIRST_HINT, send: greetingOf(traits), or: [] };
  const isReady = traits.readySignal === null || watch.initialized || !handshake?.answer;
  if (!isReady) {
    // What was sent, and did not arrive, need not be sent otherwise than it was.
    const lost = lostSignal(traits.readySignal!, watch);
    if (lost) return { hint: lost.hint, send: null, or: [] };
    return { hint: `send ${traits.readySignal} after the answer to initialize`, send: readyLine(traits), or: [] };
  }
  return { hint: null, send: watch.linesToSend(f).better, or: [] };
}

/** The state of a session without open obligations. `isKnown`: nothing is open for sure. */
export function describeState(watch: SessionWatch, isKnown = true): { words: string; since: FramePosition | null } {
  const { answered, prompts, process, failed } = watch;
  const { ending } = process;
  const nothingOpen = isKnown ? ', with nothing open' : '';
  if (ending?.event === 'lost') return { words: `the recorder was killed${nothingOpen}`, since: ending };
  if (ending?.event === 'spawn-failed') return { words: 'the agent could not be started', since: ending };
  if (ending && (ending.code !== 0 || !isKnown))
    return { words: `it ended with ${ending.signal ?? `exit code ${ending.code}`}${nothingOpen}`, since: ending };
  if (failed) {
    const words = `the ${prompts === 1 ? 'only' : 'last'} prompt ${failed.taken ? 'failed' : 'was refused'}`;
    return { words, since: failed };
  }
  const end = answered?.status === '' ? null : ending;
  if (end) return { words: noticeOf(watch) ? 'it ended without a message' : 'it ended normally', since: end };
  return describeQuiet(watch);
}

/** Of a session that goes on, or whose last prompt ended for no reason. */
function describeQuiet(watch: SessionWatch): { words: string; since: FramePosition | null } {
  const { answered, lines, prompts } = watch;
  if (answered?.status === '')
    return { words: 'the agent ended its work on the last prompt without a reason', since: answered };
  if (answered)
    return {
      words: `the last prompt was answered (${answered.status}), and the client has not sent another`,
      since: answered,
    };
  const { client, agent } = lines.last;
  const latest = [client, agent].filter((one) => one !== null).sort((a, b) => b.f - a.f)[0] ?? null;
  const words = prompts === 0 && !watch.hasReplied ? 'no request has been sent' : 'everything has been answered';
  return { words: latest ? words : 'nothing has been sent yet', since: latest };
}

/** A wait of this many seconds is mentioned. */
const MIN_WAIT_SECONDS = 1;

/** `the client answered f10 after 3.00 s: approval of Shell `echo`, which then ran 12 ms`. */
export function describeSlowestAnswer(watch: SessionWatch): string | null {
  const { slowest } = watch;
  if (!slowest || slowest.wait === null || slowest.wait < MIN_WAIT_SECONDS) return null;
  const { f, kind, call, wait } = slowest;
  const ran = call?.result && call.run !== null ? `, which then ran ${humanSeconds(call.run)}` : '';
  return `the client took ${humanSeconds(wait)} to answer f${f}, ${kind === 'approval' ? 'approval' : kind} of ${watch.subjectOf(slowest)}${ran}`;
}
