/** One row of `ls`, from one pass over a session. */

import { resumedBy } from '../dialects/common/conversation.ts';
import { traitsOf } from '../dialects/index.ts';
import { isoMicros, microsOf, type Seal } from '../model/frame.ts';
import type { Timeline } from '../model/timeline/entries.ts';
import { Pass } from './pass.ts';
import { idOf, type Session } from './session.ts';
import { SessionTally } from './tally.ts';
import type { ReadShare } from './understanding.ts';

export type SessionState = 'running' | 'ended' | 'killed' | 'incomplete';

export interface Summary {
  session: string;
  name: string | null;
  tags: Record<string, string>;
  source: 'record' | 'import' | 'replay';
  dialect: string | null;
  protocol: string | null;
  client: string | null;
  agent: string | null;
  agent_version: string | null;
  command: string[];
  cwd: string;
  user: string | null;
  host: string | null;
  started: string;
  ended: string | null;
  duration: number | null;
  frames: number;
  bytes: number;
  turns: number | null;
  tools: number | null;
  approvals: number | null;
  errors: number | null;
  state: SessionState;
  exit: { code: number | null; signal: string | null } | null;
  gaps: number;
  probe: boolean;
  tape: string;
  digest: string | null;
  /** The ids by which its agent names its conversations, which other sessions may go on with. */
  conversations: string[];
  /** How much of what the agent said was understood; null if nothing is on the tape yet. */
  read: ReadShare | null;
}

/** What a pass has found out about a session. */
export interface PassResult {
  dialect: string;
  timeline: Pick<Timeline, 'handshake' | 'counts'>;
  /** The last seal, if no frame came after it. */
  seal: Seal | null;
}

/** Reads the whole session. */
export function summarise(session: Session): Summary {
  const tally = new SessionTally();
  return toSummary(session, tally, new Pass(session).run(tally));
}

type SummarisedSession = Pick<Session, 'id' | 'dir' | 'tape' | 'running' | 'metadata' | 'names'>;

/** `result`: null if nothing is on the tape yet. */
export function toSummary(session: SummarisedSession, tally: SessionTally, result: PassResult | null): Summary {
  const { metadata } = session;
  const { ending } = tally;
  const counts = result?.timeline.counts;
  const seal = result?.seal ?? null;
  const { code, signal } = ending?.event === 'exit' ? exitOf(ending.detail) : NO_EXIT;
  const text = (key: string) => (typeof metadata[key] === 'string' ? (metadata[key] as string) : null);
  return {
    session: idOf(session),
    ...session.names,
    source: sourceOf(metadata.source),
    dialect: result?.dialect ?? null,
    ...introductionIn(result?.timeline ?? null),
    command: metadata.command,
    cwd: metadata.cwd,
    user: text('user'),
    host: text('host'),
    started: metadata.started_at,
    ended: ending ? isoMicros(microsOf(metadata.started_at) + ending.t * 1e6) : null,
    duration: tally.duration,
    frames: tally.frames,
    bytes: tally.bytes,
    turns: counts?.turns ?? null,
    tools: counts?.tools ?? null,
    approvals: counts?.approvals ?? null,
    errors: counts?.errors ?? null,
    state: stateOf(session.running, tally, seal),
    exit: code === null && signal === null ? null : { code, signal },
    gaps: tally.gaps,
    probe: tally.probe,
    tape: session.tape,
    digest: seal?.final ? seal.sha256 : null,
    conversations: conversationsIn(metadata.command, tally, result),
    read: result && shareOf(tally, result.dialect),
  };
}

/** The one that the command line names comes first. */
function conversationsIn(
  command: readonly string[],
  { conversations }: SessionTally,
  result: PassResult | null,
): string[] {
  const resumed = result === null ? null : resumedBy(traitsOf(result.dialect).conversations, command);
  return resumed === null ? [...conversations] : [...new Set([resumed, ...conversations])];
}

/** An agent that never started has run nothing. */
function shareOf({ understanding, ending }: SessionTally, dialect: string): ReadShare {
  const read = understanding.in(dialect);
  return ending?.event === 'spawn-failed' ? { ...read, enough: true } : read;
}

/** Who speaks, as the handshake says. */
export function introductionIn(timeline: Pick<Timeline, 'handshake'> | null) {
  const { protocol, client, agent } = timeline?.handshake ?? {};
  return {
    protocol: protocol ?? null,
    client: client ? `${client.name}${client.version ? ` ${client.version}` : ''}` : null,
    agent: agent?.name ?? null,
    agent_version: agent?.version ?? null,
  };
}

function stateOf(running: boolean, { ending, gaps }: SessionTally, seal: Seal | null): SessionState {
  if (running) return 'running';
  // A recorder that ended by itself, on a disk that took nothing more, was not killed.
  if (ending?.event === 'lost' && ending.detail.why === undefined) return 'killed';
  return ending && ending.event !== 'lost' && seal?.final && gaps === 0 ? 'ended' : 'incomplete';
}

/** Tapes of a recorder do not say it. */
function sourceOf(source: unknown): Summary['source'] {
  return source === 'import' || source === 'replay' ? source : 'record';
}

const NO_EXIT = { code: null, signal: null };

function exitOf({ code, signal }: Record<string, unknown>): NonNullable<Summary['exit']> {
  return { code: typeof code === 'number' ? code : null, signal: typeof signal === 'string' ? signal : null };
}
