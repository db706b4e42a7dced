/** What the agent wrote to stderr, line by line. Only hashes are kept; the lines that differ are read again. */
import { textIn } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { withoutSequences } from '../../../model/text/sequences.ts';
import type { Observer } from '../../../session/pass.ts';
import type { Session } from '../../../session/session.ts';
import { align } from '../align.ts';
import { hashText } from '../hash.ts';
import type { Change, DiffEntry } from '../result.ts';
import type { VolatileMask } from '../volatile-mask.ts';
import { makeSectionEntry } from './section.ts';

/** How many characters of a line are shown. */
const MAX_LINE_CHARS = 2000;
const MAX_LABEL_CHARS = 200;

export class StderrLines implements Observer {
  readonly frames: number[] = [];
  readonly hashes: number[] = [];
  readonly #mask: VolatileMask;
  readonly #isStrict: boolean;

  constructor(mask: VolatileMask, isStrict: boolean) {
    this.#mask = mask;
    this.#isStrict = isStrict;
  }

  /** Whether a program writes in colours depends on where it runs. */
  masked(text: string): string {
    return this.#isStrict ? text : this.#mask.text(withoutSequences(text), 'output');
  }

  take({ frame }: ReadFrame): void {
    if (frame.from !== 'stderr' || frame.form === 'event') return;
    const text = this.masked((textIn(frame) ?? '').trimEnd());
    if (text === '') return;
    this.frames.push(frame.f);
    this.hashes.push(hashText(text));
  }
}

interface StderrSide {
  session: Session;
  lines: StderrLines;
}

export function diffStderr(sessions: { a: string; b: string }, a: StderrSide, b: StderrSide): DiffEntry[] {
  const unpaired = align(a.lines.hashes, b.lines.hashes).filter(([i, j]) => i < 0 || j < 0);
  if (unpaired.length === 0) return [];
  const texts = {
    a: textsOf(a, new Set(unpaired.flatMap(([i]) => (i < 0 ? [] : [a.lines.frames[i]!])))),
    b: textsOf(b, new Set(unpaired.flatMap(([, j]) => (j < 0 ? [] : [b.lines.frames[j]!])))),
  };
  return unpaired.map(([i, j]) => {
    const [side, f] = i >= 0 ? (['a', a.lines.frames[i]!] as const) : (['b', b.lines.frames[j]!] as const);
    const text = texts[side].get(f) ?? '';
    const op = side === 'a' ? 'removed' : 'added';
    const change = changeOf(op, text, (side === 'a' ? a : b).lines.masked(text));
    const frames = { a: side === 'a' ? f : null, b: side === 'a' ? null : f };
    return makeSectionEntry('stderr', sessions, op, {
      kind: 'stderr',
      name: `f${f}`,
      what: withoutSequences(text).slice(0, MAX_LABEL_CHARS),
      ...frames,
      changes: [change],
    });
  });
}

function changeOf(op: 'added' | 'removed', text: string, masked: string): Change {
  const sides = (value: string) => (op === 'removed' ? { a: value, b: null } : { a: null, b: value });
  return { op, path: '', ...sides(text), ...(masked === text ? {} : { masked: sides(masked) }) };
}

function textsOf({ session }: StderrSide, wanted: ReadonlySet<number>): Map<number, string> {
  const texts = new Map<number, string>();
  if (wanted.size === 0) return texts;
  for (const frame of session.frames()) {
    if (!wanted.has(frame.f)) continue;
    texts.set(frame.f, (textIn(frame) ?? '').trimEnd().slice(0, MAX_LINE_CHARS));
    if (texts.size === wanted.size) break;
  }
  return texts;
}
