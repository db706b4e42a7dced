/**
 * Who owes whom an answer: the open obligations of a session, each with its likely cause, those to look at first in front.
 * Pure: what the system knows of the processes, and what time it is, is given.
 */
import { isoMicros } from '../core/frame.ts';
import type { Id } from '../core/id.ts';
import type { Cause, Moment, Rule } from './cause.ts';
import { MISUSES } from './misuse.ts';
import type { Place } from './place.ts';
import { unreadAnswer } from './unread.ts';
import { WAITING } from './waiting.ts';
import type { Open, Watch } from './watch.ts';

/** As JSON: keys are added, never renamed. */
export interface Obligation {
  session: string;
  owes: 'client' | 'agent';
  to: 'client' | 'agent';
  /** When it was asked: ISO 8601. */
  since: string;
  f: number;
  what: string;
  cause: string;
  hint: string | null;
  /** Seconds: how long it is, or was, open. */
  waited: number;
  rule: string;
  id: Id;
  method: string | null;
  kind: string | null;
  /** It only waits for another one. */
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
  return { rule: 'unknown', cause: 'nothing tells why', hint: null };
}

function obligation(session: string, startedAt: number, open: Open, watch: Watch, moment: Moment): Obligation {
  const found = causeOf(open, watch, moment);
  const { f, t, asker, what, id, method, kind } = open;
  const other = asker === 'client' ? 'agent' : 'client';
  return {
    ...{ session, owes: other, to: asker, since: isoMicros(startedAt + t * 1e6), f, what },
    ...{
      cause: found.cause,
      hint: found.hint?.replace('SESSION', session) ?? null,
      waited: Math.max(0, Math.round((moment.t - t) * 1e6) / 1e6),
    },
    ...{ rule: found.rule, id, method, kind, follows: found.follows ?? false },
  };
}

/** MCP: after the handshake the client has to say that it is ready; nobody asks it to. */
function ready({ dialect, handshake, initialized, last, fate: { ending } }: Watch): Open[] {
  const answer = handshake?.answer;
  if (dialect !== 'mcp' || initialized || !answer || answer.code !== null || ending) return [];
  if ((last.client?.f ?? 0) > answer.f) return [];
  const { f, t } = answer;
  return [
    {
      ...{ f, t, asker: 'agent', id: null, method: 'notifications/initialized', kind: 'handshake', turn: null },
      ...{ what: 'notifications/initialized', prompt: null, taken: false, unanswerable: false },
    },
  ];
}

/** What is worth saying although it is nobody's debt. */
export function remarks(watch: Watch): { cause: string; hint: string | null }[] {
  const { last, noise, refused } = watch;
  const spoke = last.client?.f ?? 0;
  const found: { cause: string; hint: string | null }[] = [];
  if (refused && spoke < refused.f) {
    const { f, method, code, text } = refused;
    found.push({
      cause: `${method} was refused (f${f}, ${code ?? 'error'}${text ? `: ${text}` : ''}), and the client has sent nothing since`,
      hint: REFUSED[`${method} ${code}`] ?? null,
    });
  }
  if (noise && spoke < noise.f) {
    const lines = noise.lines === 1 ? 'a line that is no message' : `${noise.lines} lines that are no messages`;
    found.push({
      cause: `the agent wrote ${lines} to stdout before its first message (f${noise.f}), and the client has sent nothing since`,
      hint: 'some clients stop at such a line; logs belong on stderr',
    });
  }
  return found;
}

const REFUSED: Record<string, string> = {
  'initialize -32601': 'an agent that old has no handshake (kimi-cli before 0.80): go on without it',
  'prompt -32000': 'the agent does one prompt at a time: wait for the answer, or cancel the turn first',
};

/** Where a session stands that owes nothing. */
export function standing({ fate: { ending }, answered, last, prompts }: Watch): {
  words: string;
  since: Place | null;
} {
  if (ending?.event === 'lost') return { words: 'its recorder was killed, and nothing was open then', since: ending };
  if (ending && ending.code === 0) return { words: 'it ended well', since: ending };
  if (ending)
    return { words: `it ended by ${ending.signal ?? `exit ${ending.code}`}, with nothing open`, since: ending };
  if (answered)
    return {
      words: `the last prompt was answered (${answered.status}), and the next is for the client to send`,
      since: answered,
    };
  const latest = [last.client, last.agent].filter((one) => one !== null).sort((a, b) => b.f - a.f)[0] ?? null;
  const words = prompts === 0 ? 'nobody has been asked anything' : 'everything was answered';
  return { words: latest ? words : 'nobody has said anything yet', since: latest };
}
