/**
 * Logs of lines as other recorders keep them: `{"t": epoch seconds, "dir": "c2a"|"a2c"|"err", "line": "…"}` a line, with
 * spawn, EOF, signals and exit in `NAME.meta.jsonl` beside it. As frames: what the log says, and nothing else.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { Frame, From } from '../core/frame.ts';

export interface LineLog {
  command: string[];
  cwd: string;
  /** Seconds since the epoch, of the first thing that happened. */
  started: number;
  frames: Frame[];
  notes: string[];
}

const SPEAKERS: Record<string, From> = { c2a: 'client', a2c: 'agent', err: 'stderr' };

export function readLineLog(path: string): LineLog {
  const about = records(path.replace(/\.jsonl$/, '.meta.jsonl'));
  const notes = about.filter(({ event }) => event === 'remark').map(({ text }) => String(text));
  const timed = (entries: Loose[], meta: boolean) =>
    entries.filter(({ t }) => typeof t === 'number').map((entry) => ({ t: entry.t as number, entry, meta }));
  const lines = timed(records(path), false);
  const events = timed(about, true);
  const spawn = events.find(({ entry }) => entry.event === 'spawn')?.entry;
  // Events go behind lines of the same time; the start goes before everything.
  const all = [...lines, ...events].sort((a, b) => a.t - b.t || Number(a.meta) - Number(b.meta));
  const started = all[0]?.t ?? 0;
  const frames: Frame[] = [];
  for (const { t, entry, meta } of all) {
    const made = meta ? eventOf(entry) : lineOf(entry);
    if (made)
      frames.push({ f: frames.length + 1, t: Math.max(0, Math.round((t - started) * 1e6) / 1e6), t0: null, ...made });
  }
  const command = spawn ? [String(spawn.cmd ?? ''), ...((spawn.args ?? []) as string[])] : [];
  return { command, cwd: String(spawn?.cwd ?? ''), started, frames, notes };
}

type Loose = Record<string, unknown>;

function records(path: string): Loose[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Loose);
}

type Made = Omit<Frame, 'f' | 't' | 't0'>;

function lineOf({ dir, line, partial }: Loose): Made {
  const raw = Buffer.from(String(line));
  return {
    from: SPEAKERS[dir as string] ?? 'stderr',
    form: 'message',
    raw,
    eol: partial ? '' : '\n',
    event: null,
    detail: {},
  };
}

function eventOf({ event, code, signal }: Loose): Made | null {
  const made = (from: From, name: string, detail: Loose = {}): Made => {
    return { from, form: 'event', raw: Buffer.alloc(0), eol: '\n', event: name, detail };
  };
  if (event === 'spawn') return made('proc', 'spawn');
  if (event === 'stdin_eof') return made('client', 'eof');
  if (event === 'exit') return made('proc', 'exit', { code: code ?? null, signal: signal ?? null });
  if (event === 'signal') return made('proc', 'signal', { signal: signal ?? null });
  return null;
}
