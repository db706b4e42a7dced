/** Causes that follow from the rules of a protocol: the request could not be answered, or its answer was not usable. */
import type { Call } from '../core/ledger/records.ts';
import { because, type Rule } from './cause.ts';
import type { Open, Watch } from './watch.ts';
import { idWords, noiseWords } from './words.ts';

/** An error that names no request, after this request and before the next. */
function refusal(open: Open, watch: Watch) {
  const next = watch.open.find(({ asker, f }) => asker === 'client' && f > open.f)?.f ?? Number.POSITIVE_INFINITY;
  return watch.lostErrors.find(({ f }) => f > open.f && f < next) ?? null;
}

const wrongId: Rule = (open, watch) => {
  const { idsMustBeStrings, hints } = watch.traits;
  if (!idsMustBeStrings || (typeof open.id !== 'number' && typeof open.id !== 'bigint')) return null;
  const error = refusal(open, watch);
  const how = error
    ? `the agent rejected it with an error that names no request (f${error.f})`
    : 'the agent ignores it';
  return because(
    'integer-id',
    `its id is the number ${open.id}, but ${hints.stringIds ?? 'this protocol requires string ids'}: ${how}`,
    `send the id as ${JSON.stringify(String(open.id))}`,
  );
};

const notification: Rule = (open) => {
  if (!open.unanswerable) return null;
  const name = open.method ?? 'a request';
  return because(
    'no-id',
    `${name} was sent without an id, as a notification, which gets no answer`,
    'send it as a request, with an id',
  );
};

const directMode: Rule = (open, watch) => {
  if (!watch.traits.promptFirstIsDirectMode || watch.first !== 'prompt') return null;
  const isControl = open.prompt === null;
  const call = unasked(watch);
  if (!isControl && !call) return null;
  const so = isControl
    ? 'the agent is in direct mode and ignores control lines'
    : `the agent is in direct mode and cannot ask for approval, so ${call!.tool ?? 'the call'} (f${call!.f}) waits forever`;
  return because(
    'direct-mode',
    `the first line was a prompt: ${so}`,
    'send a control_request initialize before the first prompt',
  );
};

/** A running call that needs an approval, in a session that never asked for one. */
function unasked(watch: Watch): Call | null {
  if (watch.hasAskedSince(0) || watch.open.some(({ asker }) => asker === 'agent')) return null;
  return watch.running.findLast(({ writes }) => writes) ?? null;
}

const noHandshake: Rule = (open, watch) => {
  const known = watch.traits.hints.noHandshake;
  if (!known || open.prompt === null || watch.handshake || watch.audit.mode !== null) return null;
  const call = unasked(watch);
  if (!call) return null;
  return because(
    'no-initialize',
    `${known.cause}, and ${call.tool ?? 'the call'} (f${call.f}) waits for one forever`,
    known.hint,
  );
};

const legacyApproval: Rule = (open, watch) => {
  const { approvalIgnored, handshakeIgnored } = watch.traits.hints;
  const isHeldUp = open.kind === 'approval' || (open.prompt !== null && watch.hasAskedSince(open.f));
  if (approvalIgnored && isHeldUp) return because('legacy-approval', approvalIgnored.cause, approvalIgnored.hint);
  if (!handshakeIgnored || open.method !== 'initialize') return null;
  return because('legacy-initialize', handshakeIgnored.cause, handshakeIgnored.hint);
};

const queued: Rule = (open, watch) => {
  const { turnsSideBySide } = watch.traits;
  if (open.prompt === null || open.taken || turnsSideBySide || (watch.answered?.of ?? 0) > open.f) return null;
  const before = watch.open.find(({ prompt, f, unanswerable }) => prompt !== null && f < open.f && !unanswerable);
  if (!before) return null;
  return {
    ...because(
      'turn-in-progress',
      `it was sent while another prompt (f${before.f}) was unanswered: the agent handles one at a time`,
      'wait for the answer, or cancel the turn first',
    ),
    follows: true,
  };
};

const notInitialized: Rule = (open, watch) => {
  const { handshake, initialized } = watch;
  const { readySignal } = watch.traits;
  if (readySignal === null || initialized || open.asker !== 'client') return null;
  if (!handshake?.answer || open.f < handshake.answer.f || open.method === 'ping') return null;
  return because(
    'not-initialized',
    `the client never sent ${readySignal}: a server may do nothing until it arrives`,
    `send ${readySignal} after the answer to initialize`,
  );
};

const refused: Rule = (open, watch) => {
  const error = open.asker === 'client' ? refusal(open, watch) : null;
  if (!error) return null;
  const what = `${error.code ?? 'an error'}${error.text ? `, ${error.text}` : ''}`;
  return because(
    'refused',
    `the agent answered with an error that names no request (f${error.f}: ${what})`,
    `look at the exact line that was sent: wiretape show SESSION#f${open.f}`,
  );
};

/** The client's answer matches no request, or the agent does not understand it. */
const badAnswer: Rule = (open, watch) => {
  if (open.asker !== 'agent') return null;
  const answer = watch.badAnswers.findLast(({ f, of }) => f > open.f && (of === null || of === open.f));
  if (!answer) return null;
  if (answer.of === null) {
    return because(
      'unknown-id',
      `the client answered with ${idWords(answer.id)} (f${answer.f}), which matches no request; this one has ${idWords(open.id)}`,
      'answer with the id of the request, in the same JSON type',
    );
  }
  return because(
    'bad-answer',
    `the agent does not understand the client's answer (f${answer.f}): ${answer.flags.join(', ')}`,
    null,
  );
};

const polluted: Rule = (open, watch, moment) => {
  const { noise, last } = watch;
  if (!noise || (last.client?.f ?? 0) > noise.f || (open.asker === 'client' && open.kind !== 'handshake')) return null;
  if (open.asker === 'client' && !moment.running && watch.process.ending?.event === 'exit') return null;
  return because(
    'polluted-stdout',
    `the agent wrote ${noiseWords(noise)} to stdout before its first message (f${noise.f}: ${noise.text.trim()}): some clients stop there`,
    'write logs to stderr',
  );
};

export const MISUSES: Rule[] = [
  ...[wrongId, notification, directMode, noHandshake, legacyApproval, queued],
  ...[notInitialized, badAnswer, refused, polluted],
];
