/** One row of `ls`: what a session's folder and the two ends of its tape tell. What only a dialect knows is null. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type Frame, isoMicros, microsOf, type Seal, type Stream } from '../core/frame.ts';
import { parseLine, readMetadata, readTape } from '../tape/read.ts';
import { readNames } from './sessions.ts';

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
  probe: boolean | null;
  tape: string;
  digest: string | null;
}

export interface Source {
  dir: string | null;
  tape: string;
  running: boolean;
}

export function summarise({ dir, tape, running }: Source): Summary {
  const metadata = readMetadata(tape);
  const tail = readTail(tape);
  const last = tail.last;
  const exit = last?.event === 'exit' ? last.detail : null;
  const done = last !== null && (exit !== null || last.event === 'spawn-failed' || last.event === 'lost');
  // A clean exit has counted everything; anything else is counted now.
  const counted = exit?.received && exit.failures === 0 ? { bytes: sum(exit.received), gaps: 0 } : count(tape);
  const started = microsOf(metadata.started_at);
  const names = dir ? readNames(dir) : { name: null, tags: {} };
  const text = (key: string) => (typeof metadata[key] === 'string' ? (metadata[key] as string) : null);
  return {
    session: metadata.session,
    ...names,
    source: 'record',
    dialect: text('dialect'),
    protocol: null,
    client: null,
    agent: null,
    agent_version: null,
    command: metadata.command,
    cwd: metadata.cwd,
    user: text('user'),
    host: text('host'),
    started: metadata.started_at,
    ended: done ? isoMicros(started + last.t * 1e6) : null,
    duration: last ? last.t : null,
    frames: last?.f ?? 0,
    bytes: counted.bytes,
    turns: null,
    tools: null,
    approvals: null,
    errors: null,
    state: stateOf(running, done, last, counted.gaps, tail.final),
    exit: exit ? { code: exit.code as number | null, signal: exit.signal as string | null } : null,
    gaps: counted.gaps,
    probe: null,
    tape,
    digest: tail.final ? (tail.seal?.sha256 ?? null) : null,
  };
}

function stateOf(running: boolean, done: boolean, last: Frame | null, gaps: number, final: boolean): State {
  if (running) return 'running';
  if (last?.event === 'lost') return 'killed';
  return done && final && gaps === 0 ? 'ended' : 'incomplete';
}

function sum(bytes: unknown): number {
  return Object.values(bytes as Record<Stream, number>).reduce((a, b) => a + b, 0);
}

function count(tape: string): { bytes: number; gaps: number } {
  let bytes = 0;
  let gaps = 0;
  for (const entry of readTape(tape)) {
    if (entry.is !== 'frame') continue;
    if (entry.frame.form !== 'event') bytes += entry.frame.raw.length + entry.frame.eol.length;
    else if (entry.frame.event === 'gap') gaps++;
  }
  return { bytes, gaps };
}

/** The last frame and the last seal of a tape, from its end. */
function readTail(tape: string): { last: Frame | null; seal: Seal | null; final: boolean } {
  const fd = openSync(tape, 'r');
  try {
    const { size } = fstatSync(fd);
    for (let want = 1 << 14; ; want *= 16) {
      const tail = Buffer.alloc(Math.min(size, want));
      readSync(fd, tail, 0, tail.length, size - tail.length);
      const lines = tail.toString('latin1').split('\n');
      // The first one is metadata, or cut off.
      const whole = lines.slice(1, -1).reverse();
      let seal: Seal | null = null;
      for (const line of whole) {
        const entry = parseLine(Buffer.from(line, 'latin1'));
        if (entry?.is === 'seal') seal ??= entry.seal;
        if (entry?.is === 'frame') return { last: entry.frame, seal, final: seal?.final === true };
      }
      if (tail.length === size) return { last: null, seal, final: false };
    }
  } finally {
    closeSync(fd);
  }
}
