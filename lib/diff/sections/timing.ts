/** How long tools ran, the client was waited for, and steps and turns took. Only what is worth a look is told. */
import type { Entry } from '../../core/timeline/shape.ts';
import { quantile } from '../../session/stats.ts';
import type { Change, DiffEntry } from '../result.ts';
import { entryOf } from './section.ts';

/** Seconds and a factor below which a difference is chance. */
const LEAST_SECONDS = 0.1;
const LEAST_FACTOR = 2;

/** Seconds of everything of one name. */
interface Times {
  kind: 'tool-call' | 'approval' | 'step' | 'turn';
  seconds: number[];
}

export class Durations {
  readonly all = new Map<string, Times>();

  seen(entry: Entry): void {
    if (entry.is === 'step' && entry.state !== 'running') this.#add('steps', 'step', entry.t_end - entry.t);
    if (entry.is === 'turn' && entry.status !== null) this.#add('turns', 'turn', entry.t_end - entry.t - entry.wait);
    if (entry.is !== 'item') return;
    const { call, ask } = entry;
    if (call?.run != null) this.#add(`${call.tool ?? 'tool'} ran`, 'tool-call', call.run);
    // Waits are apart from runs: a person takes time.
    if (ask?.wait != null) this.#add(`${ask.kind} waited`, 'approval', ask.wait);
  }

  #add(name: string, kind: Times['kind'], seconds: number): void {
    const known = this.all.get(name);
    if (known) known.seconds.push(seconds);
    else this.all.set(name, { kind, seconds: [seconds] });
  }
}

export function diffTimes(sessions: { a: string; b: string }, a: Durations, b: Durations): DiffEntry[] {
  return [...a.all].flatMap(([name, before]): DiffEntry[] => {
    const after = b.all.get(name);
    if (!after) return [];
    const changes = SHARES.flatMap(([share, word]): Change[] => {
      const [was, is] = [quantile(before.seconds, share)!, quantile(after.seconds, share)!];
      return isWorthALook(was, is) ? [{ op: 'changed', path: `/${word}`, a: rounded(was), b: rounded(is) }] : [];
    });
    if (changes.length === 0) return [];
    return [entryOf('timing', sessions, 'changed', { kind: before.kind, name, a: null, b: null, changes })];
  });
}

const SHARES = [
  [0.5, 'p50'],
  [0.95, 'p95'],
] as const;

function isWorthALook(a: number, b: number): boolean {
  return Math.abs(a - b) >= LEAST_SECONDS && Math.max(a, b) >= LEAST_FACTOR * Math.min(a, b);
}

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
