/** Causes that a rule of a protocol knows: what was said could never get an answer, or never got where it should. */
import type { RunningCall } from './calls.ts';
import { because, type Rule } from './cause.ts';
import type { Open, Watch } from './watch.ts';
import { idWords } from './words.ts';

const isWire = ({ dialect }: Watch) => dialect === 'wire' || dialect === 'wire-legacy';
const isStream = ({ dialect }: Watch) => dialect === 'stream-json' || dialect === 'qwen-rfc';

/** An error that names no request, after this one and before anything else was asked. */
function refusal(open: Open, watch: Watch) {
  const next = watch.open.find(({ asker, f }) => asker === 'client' && f > open.f)?.f ?? Number.POSITIVE_INFINITY;
  return watch.lostErrors.find(({ f }) => f > open.f && f < next) ?? null;
}

const wrongId: Rule = (open, watch) => {
  if (!isWire(watch) || (typeof open.id !== 'number' && typeof open.id !== 'bigint')) return null;
  const error = refusal(open, watch);
  const how = error ? `the agent refused it with an error that names no request (f${error.f})` : 'the agent ignores it';
  return because(
    'integer-id',
    `its id is the number ${open.id}, and Wire wants ids that are strings: ${how}`,
    `send the id as ${JSON.stringify(String(open.id))}`,
  );
};

const notification: Rule = (open) => {
  if (!open.unanswerable) return null;
  const name = open.method ?? 'a request';
  return because(
    'no-id',
    `${name} was sent without an id: that is a notification, which is ignored or gets no answer`,
    'send it as a request, with an id',
  );
};

const directMode: Rule = (open, watch) => {
  if (!isStream(watch) || watch.first !== 'prompt') return null;
  const isControl = open.prompt === null;
  const call = unasked(watch);
  if (!isControl && !call) return null;
  const so = isControl
    ? 'the agent is in direct mode, in which it ignores every control line'
    : `the agent is in direct mode, in which it cannot ask for approval: ${call!.tool ?? 'the call'} (f${call!.f}) waits for ever`;
  return because(
    'direct-mode',
    `the first line was a prompt: ${so}`,
    'send a control_request initialize before the first prompt',
  );
};

/** A call that must be asked about and is not, where nobody was ever asked about anything. */
function unasked(watch: Watch): RunningCall | null {
  if (watch.approvalSince(0) !== null || watch.open.some(({ asker }) => asker === 'agent')) return null;
  return watch.running().findLast(({ writes }) => writes) ?? null;
}

const noHandshake: Rule = (open, watch) => {
  if (watch.dialect !== 'wire' || open.prompt === null || watch.handshake || watch.audit.mode !== null) return null;
  const call = unasked(watch);
  if (!call) return null;
  return because(
    'no-initialize',
    `there was no initialize: kimi-cli 1.25 and later then sends no approval to its client, and ${call.tool ?? 'the call'} (f${call.f}) waits for one for ever`,
    'send initialize before the first prompt, or start the agent with --yolo',
  );
};

const legacyApproval: Rule = (open, watch) => {
  if (watch.dialect !== 'wire-legacy') return null;
  if (open.kind === 'approval' || (open.prompt !== null && watch.approvalSince(open.f) !== null)) {
    return because(
      'legacy-approval',
      'kimi-cli before 0.59 reads no answers while a run goes on: an approval never ends it',
      'use a newer agent, or start this one with --yolo',
    );
  }
  if (open.method !== 'initialize') return null;
  return because(
    'legacy-initialize',
    'kimi-cli before 0.59 knows no initialize',
    'leave it out, or use a newer agent; --yolo, as approvals do not work there',
  );
};

const queued: Rule = (open, watch) => {
  // Sessions of ACP have their turns side by side.
  if (open.prompt === null || open.taken || watch.dialect === 'acp' || (watch.answered?.of ?? 0) > open.f) return null;
  const before = watch.open.find(({ prompt, f, unanswerable }) => prompt !== null && f < open.f && !unanswerable);
  if (!before) return null;
  return {
    ...because(
      'turn-in-progress',
      `it was sent while another prompt (f${before.f}) had no answer: the agent does one at a time`,
      'wait for the answer, or cancel the turn first',
    ),
    follows: true,
  };
};

const notInitialized: Rule = (open, watch) => {
  const { handshake } = watch;
  if (watch.dialect !== 'mcp' || watch.initialized || open.asker !== 'client') return null;
  if (!handshake?.answer || open.f < handshake.answer.f || open.method === 'ping') return null;
  return because(
    'not-initialized',
    'the client never sent notifications/initialized: a server may wait with everything until it comes',
    'send notifications/initialized after the answer to initialize',
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

/** The client answered, but nothing that was asked, or nothing that the agent understands. */
const badAnswer: Rule = (open, watch) => {
  if (open.asker !== 'agent') return null;
  const answer = watch.badAnswers.findLast(({ f, of }) => f > open.f && (of === null || of === open.f));
  if (!answer) return null;
  if (answer.of === null) {
    return because(
      'unknown-id',
      `the client answered with ${idWords(answer.id)} (f${answer.f}), which nobody asked; this request has ${idWords(open.id)}`,
      'answer with the id of the request, in the same JSON type',
    );
  }
  return because(
    'bad-answer',
    `the client's answer (f${answer.f}) is not one that the agent understands: ${answer.flags.join(', ')}`,
    null,
  );
};

const polluted: Rule = (open, watch, moment) => {
  const { noise, last } = watch;
  if (!noise || (last.client?.f ?? 0) > noise.f || (open.asker === 'client' && open.kind !== 'handshake')) return null;
  const lines = noise.lines === 1 ? 'a line that is no message' : `${noise.lines} lines that are no messages`;
  if (open.asker === 'client' && !moment.running && watch.fate.ending?.event === 'exit') return null;
  return because(
    'polluted-stdout',
    `the agent wrote ${lines} to stdout before its first message (f${noise.f}: ${noise.text.trim()}): some clients stop there`,
    'logs belong on stderr',
  );
};

export const MISUSES: Rule[] = [
  ...[wrongId, notification, directMode, noHandshake, legacyApproval, queued],
  ...[notInitialized, badAnswer, refused, polluted],
];
