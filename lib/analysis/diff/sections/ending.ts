/** How the session ended, and what the recorder saw of the process on the way. */

import type { ReadFrame } from '../../../model/read-frame.ts';
import type { Observer } from '../../../session/pass.ts';
import type { DiffEntry } from '../result.ts';
import { diffValues } from '../values.ts';
import { makeSectionEntry } from './section.ts';

/** Compared by name and count: when they came is chance. */
const COUNTED_EVENTS: ReadonlySet<string> = new Set(['signal', 'gap', 'lost', 'spawn-failed']);
/** Something took longer than a limit of the recorder, as it may on a busy machine. */
const TIMED_EVENTS: ReadonlySet<string> = new Set(['stalled', 'abandoned']);

export class EndingSummary implements Observer {
  readonly about: Record<string, unknown> = { exit: 'none' };
  f: number | null = null;
  readonly #isTimed: boolean;

  constructor(isTimed: boolean) {
    this.#isTimed = isTimed;
  }

  take({ frame }: ReadFrame): void {
    const { event, detail, f } = frame;
    if (event === null) return;
    if (event === 'exit') {
      this.f = f;
      this.about.exit = typeof detail.signal === 'string' ? detail.signal : (detail.code ?? null);
    } else if (COUNTED_EVENTS.has(event) || (this.#isTimed && TIMED_EVENTS.has(event))) {
      const name = typeof detail.signal === 'string' ? `${event} ${detail.signal}` : event;
      this.about[name] = ((this.about[name] as number | undefined) ?? 0) + 1;
      this.f ??= f;
    }
  }
}

export function diffEndings(sessions: { a: string; b: string }, a: EndingSummary, b: EndingSummary): DiffEntry[] {
  const changes = [...diffValues(a.about, b.about, '', { a: same, b: same, isIgnored: () => false })];
  if (changes.length === 0) return [];
  return [makeSectionEntry('end', sessions, 'changed', { kind: 'end', name: '', what: '', a: a.f, b: b.f, changes })];
}

const same = (text: string): string => text;
