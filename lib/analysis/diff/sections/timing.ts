/** How long tools ran, the client was waited for, and steps and turns took, where that is asked for. */
import type { Entry } from '../../../model/timeline/entries.ts';
import { quantile } from '../../../session/stats.ts';
import type { Change, DiffEntry } from '../result.ts';
import { isBeyond, type Tolerance } from '../tolerance.ts';
import { makeSectionEntry } from './section.ts';

/** Seconds of everything of one name. */
interface NamedDurations {
  kind: 'tool-call' | 'approval' | 'step' | 'turn';
  seconds: number[];
}

export class Durations {
  readonly all = new Map<string, NamedDurations>();

  addEntry(entry: Entry): void {
    if (entry.is === 'step' && entry.state !== 'running') this.#add('steps', 'step', entry.t_end - entry.t);
    if (entry.is === 'turn' && entry.status !== null) this.#add('turns', 'turn', entry.t_end - entry.t - entry.wait);
    if (entry.is !== 'item') return;
    const { call, ask } = entry;
    if (call?.run != null) this.#add(`${call.tool ?? 'tool'} ran`, 'tool-call', call.run);
    // Waits are apart from runs: a person takes time.
    if (ask?.wait != null) this.#add(`${ask.kind} waited`, 'approval', ask.wait);
  }

  #add(name: string, kind: NamedDurations['kind'], seconds: number): void {
    const known = this.all.get(name);
    if (known) known.seconds.push(seconds);
    else this.all.set(name, { kind, seconds: [seconds] });
  }
}

export function diffTimes(
  sessions: { a: string; b: string },
  a: Durations,
  b: Durations,
  tolerance: Tolerance,
): DiffEntry[] {
  return [...a.all].flatMap(([name, before]): DiffEntry[] => {
    const after = b.all.get(name);
    if (!after) return [];
    const changes = QUANTILES.flatMap(([share, word]): Change[] => {
      const [was, is] = [quantile(before.seconds, share)!, quantile(after.seconds, share)!];
      return isBeyond(tolerance, was, is) ? [{ op: 'changed', path: `/${word}`, a: rounded(was), b: rounded(is) }] : [];
    });
    if (changes.length === 0) return [];
    const entry = makeSectionEntry('timing', sessions, 'changed', {
      kind: before.kind,
      name,
      a: null,
      b: null,
      changes,
    });
    return [{ ...entry, tolerance }];
  });
}

const QUANTILES = [
  [0.5, 'p50'],
  [0.95, 'p95'],
] as const;

const rounded = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
