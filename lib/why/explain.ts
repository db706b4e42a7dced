/**
 * Who owes whom an answer: the open obligations of a session, each with its likely cause. Those to look at come first.
 * Pure: the caller supplies the time and the state of the processes.
 */
import { isoMicros } from '../core/frame.ts';
import type { Id } from '../core/id.ts';
import { micros } from '../core/interval.ts';
import type { Place } from '../core/ledger/records.ts';
import type { Moment } from '../core/moment.ts';
import type { Cause, Rule } from './cause.ts';
import { MISUSES } from './misuse.ts';
import { unreadAnswer, WAITING } from './waiting.ts';
import type { Open, Watch } from './watch.ts';
import { noiseWords } from './words.ts';

/** Printed as JSON: keys are added, never renamed. */
export interface Obligation {
  session: string;
  owes: 'client' | 'agent';
  to: 'client' | 'agent';
  /** When it was asked, ISO 8601. */
  since: string;
  f: number;
  what: string;
  cause: string;
  hint: string | null;
  /** Seconds that it has been, or was, open. */
  waited: number;
  rule: string;
  id: Id;
  method: string | null;
  kind: string | null;
  /** It only waits for another obligation. */
  follows: boolean;
}

const RULES: readonly Rule[] = [unreadAnswer, ...MISUSES, ...WAITING];

/** `startedAt` in microseconds. */
export function explain(session: string, startedAt: number, watch: Watch, moment: Moment): Obligation[] {
  const all = [...watch.open, ...ready(watch)];
  const found = all.map((open) => obligation(session, startedAt, open, watch, moment));
  return found.sort((a, b) => Number(a.follows) - Number(b.follows) || a.f - b.f);
}

function causeOf(open: Open, watch: Watch, moment: Moment): Cause {
  for (const rule of RULES) {
    const cause = rule(open, watch, moment);
    if (cause) return cause;
  }
  return { rule: 'unknown', cause: 'the tape does not show why', hint: null };
}

function obligation(session: string, startedAt: number, open: Open, watch: Watch, moment: Moment): Obligation {
  const found = causeOf(open, watch, moment);
  const { f, t, asker, what, id, method, kind } = open;
  const other = asker === 'client' ? 'agent' : 'client';
  return {
    ...{ session, owes: other, to: asker, since: isoMicros(startedAt + t * 1e6), f, what },
    cause: found.cause,
    hint: found.hint?.replace('SESSION', session) ?? null,
    waited: micros(Math.max(0, watch.asked(f)?.wait ?? moment.t - t)),
    ...{ rule: found.rule, id, method, kind, follows: found.follows ?? false },
  };
}

/** In some dialects the client must say that it is ready after the handshake, although no request asks for it. */
function ready({ traits: { readySignal }, handshake, initialized, last, process: { ending } }: Watch): Open[] {
  const answer = handshake?.answer;
  if (readySignal === null || initialized || !answer || answer.code !== null || ending) return [];
  if ((last.client?.f ?? 0) > answer.f) return [];
  const { f, t } = answer;
  return [
    {
      ...{ f, t, asker: 'agent', id: null, method: readySignal, kind: 'handshake' },
      ...{ what: readySignal, prompt: null, taken: false, unanswerable: false },
    },
  ];
}

/** Facts worth mentioning that are not obligations. */
export function remarks(watch: Watch): { cause: string; hint: string | null }[] {
  const { last, noise, refused, traits } = watch;
  const spoke = last.client?.f ?? 0;
  const found: { cause: string; hint: string | null }[] = [];
  if (refused && spoke < refused.f) {
    const { f, method, code, text } = refused;
    found.push({
      cause: `${method} was refused (f${f}, ${code ?? 'error'}${text ? `: ${text}` : ''}), and the client has sent nothing since`,
      hint: traits.hints.refusals?.[`${method} ${code}`] ?? null,
    });
  }
  // A protocol that is not known has no messages to tell from other lines.
  if (noise && spoke < noise.f && !traits.isGeneric) {
    found.push({
      cause: `the agent wrote ${noiseWords(noise)} to stdout before its first message (f${noise.f}), and the client has sent nothing since`,
      hint: 'some clients stop at such a line: write logs to stderr',
    });
  }
  return found;
}

/** The state of a session without open obligations. */
export function standing({ process: { ending }, answered, last, prompts }: Watch): {
  words: string;
  since: Place | null;
} {
  if (ending?.event === 'lost') return { words: 'the recorder was killed, with nothing open', since: ending };
  if (ending?.event === 'spawn-failed') return { words: 'the agent could not be started', since: ending };
  if (ending && ending.code === 0) return { words: 'it ended normally', since: ending };
  if (ending)
    return { words: `it ended with ${ending.signal ?? `exit code ${ending.code}`}, with nothing open`, since: ending };
  if (answered)
    return {
      words: `the last prompt was answered (${answered.status}), and the client has not sent another`,
      since: answered,
    };
  const latest = [last.client, last.agent].filter((one) => one !== null).sort((a, b) => b.f - a.f)[0] ?? null;
  const words = prompts === 0 ? 'nothing has been asked' : 'everything has been answered';
  return { words: latest ? words : 'nothing has been sent yet', since: latest };
}
