/**
 * Causes that follow from the rules of a protocol: the request could not be answered, or its answer was not usable. They
 * hold whenever they are asked, also after the end.
 */
import type { Call } from '../../model/ledger/records.ts';
import { humanSeconds } from '../../model/text/text.ts';
import { type CauseRule, formatError, makeCause } from './cause.ts';
import { describeNoise, formatId } from './describe-request.ts';
import { lostSignal } from './lost-messages.ts';
import { greetingOf, readyLine } from './send.ts';
import type { SessionWatch, UnansweredRequest } from './session-watch.ts';
import { heldUpBy, isStarting, lineEndHint } from './state.ts';

/** The answer may be in a line that was too large to read. */
const unreadAnswer: CauseRule = (open, { lines: { unread } }) => {
  const other = open.asker === 'client' ? 'agent' : 'client';
  const line = unread[other];
  if (!line || line.f < open.f) return null;
  return makeCause(
    'unread',
    `the ${other} sent a line that is too large to read (f${line.f}): it may be the answer`,
    `wiretape show SESSION#f${line.f} --raw > FILE`,
  );
};

const wrongId: CauseRule = (open, watch) => {
  const { idsMustBeStrings, hints } = watch.traits;
  if (!idsMustBeStrings || (typeof open.id !== 'number' && typeof open.id !== 'bigint')) return null;
  const error = watch.refusals.of(open.f);
  const how = error
    ? `the agent rejected it with an error that names no request (${formatError(error)})`
    : 'the agent ignores it';
  const cause = makeCause(
    'integer-id',
    `its id is the number ${open.id}, but ${hints.stringIds ?? 'this protocol requires string ids'}: ${how}`,
    `send the id as ${JSON.stringify(String(open.id))}`,
  );
  return { ...cause, send: watch.linesToSend(open.f).better };
};

const notification: CauseRule = (open) => {
  if (!open.unanswerable) return null;
  const name = open.method ?? 'a request';
  return makeCause(
    'no-id',
    `${name} was sent without an id, as a notification, which gets no answer`,
    'send it as a request, with an id',
  );
};

/** The line ended only when the client closed stdin. Until then the agent could not read it. */
const endless: CauseRule = (open, { lines, process: { clientEof } }) => {
  const line = lines.endless.client;
  if (!line || open.asker !== 'client' || line.f < open.f) return null;
  const whose =
    line.f === open.f ? 'its line' : `the client's ${line.of === null ? 'last line' : `answer to f${line.of}`}`;
  const until = clientEof ? `until the client closed stdin (f${clientEof.f})` : 'until the end';
  const long = humanSeconds(line.t - line.from);
  const late = clientEof ? 'the agent could not read it before that' : 'the agent could not read it';
  const own = line.f === open.f ? '' : `f${line.f}, `;
  const lacked = line.announced === null ? 'had no line feed' : `lacked a part of its ${line.announced} bytes`;
  return makeCause(
    'no-line-end',
    `${whose} ${lacked} for ${long}, ${until}: ${late} (${own}${line.bytes} bytes: ${line.head})`,
    lineEndHint({ of: line.announced }),
  );
};

const directMode: CauseRule = (open, watch) => {
  if (!watch.traits.promptFirstIsDirectMode || watch.lines.first !== 'prompt') return null;
  const isControl = open.prompt === null;
  const call = unaskedCall(watch);
  if (!isControl && !call) return null;
  const consequence = isControl
    ? 'the agent is in direct mode and ignores control lines'
    : `the agent is in direct mode and cannot ask for approval, for which ${call!.tool ?? 'the call'} (f${call!.f}) waits`;
  const hint = 'send a control_request initialize before the first prompt';
  return {
    ...makeCause('direct-mode', `the first line was a prompt: ${consequence}`, hint),
    send: greetingOf(watch.traits),
  };
};

/** A running call that needs an approval, in a session that never asked for one. */
function unaskedCall(watch: SessionWatch): Call | null {
  if (watch.hasAskedSince(0) || watch.open.some(({ asker }) => asker === 'agent')) return null;
  return watch.running.findLast(({ writes }) => writes) ?? null;
}

const noHandshake: CauseRule = (open, watch) => {
  const known = watch.traits.hints.noHandshake;
  if (!known || open.prompt === null || watch.handshake || watch.audit.mode !== null) return null;
  const call = unaskedCall(watch);
  if (!call) return null;
  const cause = `${known.cause}, and ${call.tool ?? 'the call'} (f${call.f}) waits for one`;
  return { ...makeCause('no-initialize', cause, known.hint), send: greetingOf(watch.traits) };
};

const legacyApproval: CauseRule = (open, watch) => {
  const { approvalIgnored, handshakeIgnored } = watch.traits.hints;
  const isHeldUp = open.kind === 'approval' || (open.prompt !== null && watch.hasAskedSince(open.f));
  if (approvalIgnored && isHeldUp) return makeCause('legacy-approval', approvalIgnored.cause, approvalIgnored.hint);
  if (!handshakeIgnored || open.method !== 'initialize') return null;
  return makeCause('legacy-initialize', handshakeIgnored.cause, handshakeIgnored.hint);
};

const queued: CauseRule = (open, watch) => {
  const { turnsSideBySide } = watch.traits;
  if (open.prompt === null || open.taken || turnsSideBySide || (watch.answered?.of ?? 0) > open.f) return null;
  const before = watch.open.find(({ prompt, f, unanswerable }) => prompt !== null && f < open.f && !unanswerable);
  if (!before) return null;
  return {
    ...makeCause(
      'turn-in-progress',
      `it was sent while another prompt (f${before.f}) was unanswered: the agent handles one at a time`,
      'wait for the answer, or cancel the turn first',
    ),
    follows: true,
  };
};

const notInitialized: CauseRule = (open, watch) => {
  const { handshake, initialized } = watch;
  const { readySignal } = watch.traits;
  if (readySignal === null || initialized || open.asker !== 'client') return null;
  if (!handshake?.answer || open.f < handshake.answer.f || open.method === 'ping') return null;
  const lost = lostSignal(readySignal, watch);
  if (lost) return lost;
  const cause = makeCause(
    'not-initialized',
    `the client never sent ${readySignal}: a server may do nothing until it arrives`,
    `send ${readySignal} after the answer to initialize`,
  );
  return { ...cause, send: readyLine(watch.traits) };
};

/** An answer that matches no request was meant for this one. */
const unknownId: CauseRule = (open, watch) => {
  const answer = watch.answers.meantFor(open, watch.open);
  if (!answer) return null;
  const error = watch.refusals.of(answer.f);
  const refused = error ? `; the agent refused that answer (${formatError(error)})` : '';
  return makeCause(
    'unknown-id',
    `the ${answer.from} answered with ${formatId(answer.id)} (f${answer.f}), which matches no request; this one has ${formatId(open.id)}${refused}`,
    'answer with the id of the request, in the same JSON type',
  );
};

/** The agent refused the line. */
const refused: CauseRule = (open, watch) => {
  const error = open.asker === 'client' ? watch.refusals.of(open.f) : null;
  if (!error) return null;
  const mistake = watch.mistakes.findAt(open.f);
  const reason = mistake ? `: ${mistake.message}` : '';
  return makeCause(
    'refused',
    `the agent answered with an error that names no request (${formatError(error)})${reason}`,
    `look at the exact line that was sent: wiretape show SESSION#f${open.f}`,
  );
};

/** `check` knows what is wrong with the line, and nothing shows that the agent acts on it. */
const mistaken: CauseRule = (open, watch, moment) => {
  const mistake = open.asker === 'client' ? watch.mistakes.findAt(open.f) : null;
  if (mistake?.severity !== 'error' || isStarting(watch, moment) || isActedOn(open, watch)) return null;
  const isEarly = !watch.greeted && watch.traits.greeting !== null;
  const cause = makeCause(
    'mistake',
    `the client made a mistake in it: ${mistake.message}`,
    isEarly ? INITIALIZE_FIRST_HINT : null,
  );
  return { ...cause, send: isEarly ? greetingOf(watch.traits) : null };
};

/** The agent works on it, and has not failed over it. */
function isActedOn(open: UnansweredRequest, watch: SessionWatch): boolean {
  const { ending, signal } = watch.process;
  const hasFailed = ending !== null && ending.code !== 0 && !signal;
  const hasRun = watch.running.some(({ f, ran_f }) => f === open.f && ran_f !== null);
  return (open.taken && !hasFailed) || hasRun || heldUpBy(open, watch).asks.length > 0;
}

export const INITIALIZE_FIRST_HINT = 'send initialize first, and wait for its answer';

const polluted: CauseRule = (open, watch, moment) => {
  const { noise, last } = watch.lines;
  if (!noise || (last.client?.f ?? 0) > noise.f || (open.asker === 'client' && open.kind !== 'handshake')) return null;
  if (open.asker === 'client' && !moment.running && watch.process.ending?.event === 'exit') return null;
  return makeCause(
    'polluted-stdout',
    `the agent wrote ${describeNoise(noise)} to stdout before its first message (f${noise.f}: ${noise.text}): some clients stop there`,
    'write logs to stderr',
  );
};

/** A prompt that was cancelled: the agent accepted the cancel, or went on with another turn, but never answered the prompt. */
const forgotten: CauseRule = (open, watch) => {
  const { answered, traits } = watch;
  const { ending } = watch.process;
  const cancel = open.taken ? watch.cancelOf(open.f) : null;
  if (!cancel) return null;
  const hasFailed = ending !== null && ending.code !== 0;
  const wentOn = !traits.turnsSideBySide && (answered?.of ?? 0) > cancel.f;
  if (!wentOn && (!cancel.accepted || hasFailed)) return null;
  return makeCause(
    'cancelled-unanswered',
    `it was cancelled (f${cancel.f}) and never answered`,
    traits.hints.cancelledUnanswered ?? null,
  );
};

/**
 * One turn runs at a time, and a later prompt has been answered. Nothing else follows from the order of answers: requests
 * are handled side by side.
 */
const overtaken: CauseRule = (open, { answered, traits, lines: { stderr } }) => {
  if (open.prompt === null || traits.turnsSideBySide || !answered || answered.of <= open.f) return null;
  return makeCause(
    'ignored',
    `the agent answered a later prompt (f${answered.f}), but never this one`,
    stderr.complaint ? `on stderr: ${stderr.complaint}` : `look at the exact line: wiretape show SESSION#f${open.f}`,
  );
};

/** What a request waits for comes first: an agent that asks about it has read it, and works on it. */
function unlessHeldUp(rule: CauseRule): CauseRule {
  return (open, watch, moment) =>
    open.asker === 'client' && heldUpBy(open, watch).asks.length > 0 ? null : rule(open, watch, moment);
}

export const MISUSE_RULES: readonly CauseRule[] = [
  ...[unreadAnswer, wrongId, notification, endless, directMode, noHandshake, legacyApproval, queued, unknownId],
  ...[notInitialized, refused, polluted, forgotten, mistaken, overtaken].map(unlessHeldUp),
];
