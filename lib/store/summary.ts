/** One row of `ls`, from one pass over a tape. */
import { isoMicros, type Metadata, microsOf } from '../core/frame.ts';
import { readFrames, readTape } from '../tape/read.ts';
import { readNames, type SessionNames } from './names.ts';
import { Tally } from './tally.ts';
import { Understanding } from './understanding.ts';

export type State = 'running' | 'ended' | 'killed' | 'incomplete';

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
  state: State;
  exit: { code: number | null; signal: string | null } | null;
  gaps: number;
  probe: boolean;
  tape: string;
  digest: string | null;
}

export interface Source {
  id: string;
  dir: string | null;
  tape: string;
  running: boolean;
}

/** Without the index: reads the whole tape. */
export function summarise(source: Source): Summary {
  const tally = new Tally();
  let metadata: Metadata | null = null;
  let understanding: Understanding | null = null;
  for (const entry of readTape(source.tape)) {
    if (entry.is === 'metadata') {
      metadata = entry.metadata;
      understanding = new Understanding(metadata, readFrames(source.tape));
    }
    if (entry.is === 'frame') tally.frame(understanding!.take(entry.frame));
    if (entry.is === 'seal') tally.seal = entry.seal;
  }
  const names = source.dir ? readNames(source.dir) : NO_NAMES;
  return toSummary(source, metadata!, tally, understanding!.facts, names);
}

/** What its dialect tells of it; of a session that has just begun nothing is known. */
type Known = Omit<Understanding['facts'], 'dialect'> & { dialect: string | null };

const NO_NAMES: SessionNames = { name: null, tags: {} };

export function toSummary(
  source: Source,
  metadata: Metadata,
  tally: Tally,
  facts: Known,
  names: SessionNames,
): Summary {
  const { ending } = tally;
  const { code, signal } = ending?.event === 'exit' ? exitOf(ending.detail) : NO_EXIT;
  const text = (key: string) => (typeof metadata[key] === 'string' ? (metadata[key] as string) : null);
  return {
    session: source.dir ? source.id : metadata.session,
    ...names,
    source: sourceOf(metadata.source),
    dialect: facts.dialect,
    protocol: facts.protocol,
    client: facts.client,
    agent: facts.agent,
    agent_version: facts.agent_version,
    command: metadata.command,
    cwd: metadata.cwd,
    user: text('user'),
    host: text('host'),
    started: metadata.started_at,
    ended: ending ? isoMicros(microsOf(metadata.started_at) + ending.t * 1e6) : null,
    duration: tally.duration,
    frames: tally.frames,
    bytes: tally.bytes,
    turns: facts.turns,
    tools: facts.tools,
    approvals: facts.approvals,
    errors: facts.errors,
    state: stateOf(source.running, tally),
    exit: code === null && signal === null ? null : { code, signal },
    gaps: tally.gaps,
    probe: tally.probe,
    tape: source.tape,
    digest: tally.seal?.final ? tally.seal.sha256 : null,
  };
}

function stateOf(running: boolean, { ending, gaps, seal }: Tally): State {
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
