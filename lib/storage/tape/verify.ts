/**
 * Checks whether a tape is what its recorder wrote: computes every seal again, and narrows down the place of a change by
 * frame numbers. Intact means consistent; only a final digest that was kept elsewhere proves more.
 */
import { type Frame, isoMicros, type Metadata, microsOf, type Seal } from '../../model/frame.ts';
import { isObject, parseJson } from '../../model/message.ts';
import type { LongLine } from './long-line.ts';
import { type FileLine, parseLine, readLines } from './read.ts';
import { SealChain, sealLine } from './seal.ts';
import { checkFormat, UnreadableTape } from './unreadable.ts';

export interface Range {
  /** The last frame before the change (0: the start of the tape) and the first one after it. */
  from_f: number;
  to_f: number;
}

export interface Verification {
  verdict: 'intact' | 'recovered' | 'altered' | 'unfinished';
  ranges: Range[];
  /** The digest of the last seal, to be kept elsewhere. */
  digest: string | null;
  frames: number;
}

const LF = Buffer.from('\n');
/** After so many lines of something else, no tape follows. */
const MAX_UNRELATED_LINES = 10_000;

/** `longest`: longer lines are not held. */
export function verifyTape(path: string, longest?: number): Verification {
  const state = new TapeVerifier();
  for (const line of readLines(path, longest)) state.line(line);
  return state.result();
}

class TapeVerifier {
  readonly #chain = new SealChain();
  readonly #ranges: Range[] = [];
  #lines = 0;
  #metadata: Metadata | null = null;
  #last: Frame | null = null;
  #f = 0;
  /** The frame of the last seal, and the first problem since. */
  #sealedF = 0;
  #suspects: Range[] = [];
  #seal: Seal | null = null;
  #final = false;
  #hasLinesAfterFinal = false;
  #torn = false;

  line({ line, long, whole }: FileLine): void {
    this.#lines++;
    if (this.#lines > MAX_UNRELATED_LINES && this.#metadata === null && this.#isNothing) throw notATape();
    if (this.#final) this.#hasLinesAfterFinal = true;
    this.#torn = !whole;
    if (this.#lines === 1) this.#first(line);
    else this.#later(line, long, whole);
    for (const bytes of long?.blocks() ?? [line]) this.#chain.update(bytes);
    if (whole) this.#chain.update(LF);
  }

  result(): Verification {
    if (this.#lines === 0) throw new UnreadableTape('the tape is empty');
    if (this.#isNothing) throw notATape();
    if (this.#hasLinesAfterFinal) this.#ranges.push({ from_f: this.#seal!.f, to_f: this.#f });
    else if (!this.#final && this.#suspects.some((s) => s.to_f > s.from_f)) this.#alter(this.#suspects);
    const altered = this.#ranges.length > 0;
    const verdict = altered
      ? 'altered'
      : !this.#final || this.#torn
        ? 'unfinished'
        : this.#seal!.recovered
          ? 'recovered'
          : 'intact';
    const ranges = verdict === 'unfinished' ? [{ from_f: this.#sealedF, to_f: this.#f }] : this.#ranges;
    return { verdict, ranges, digest: this.#seal?.sha256 ?? null, frames: this.#f };
  }

  /** Nothing in it was of a tape, so far. */
  get #isNothing(): boolean {
    return this.#seal === null && this.#last === null && this.#suspects.length > 0;
  }

  #first(line: Buffer): void {
    const metadata = parseJson(line.toString('utf8'));
    if (isObject(metadata) && metadata.type === 'metadata') this.#metadata = checkFormat(metadata as Metadata);
    else this.#suspect(0, 1);
  }

  #later(line: Buffer, long: LongLine | null, whole: boolean): void {
    const entry = whole ? parseLine(line, long) : null;
    if (entry === null) {
      // An incomplete last line means an unfinished tape, not an altered one.
      if (whole) this.#suspect(this.#f, this.#f + 1);
    } else if (entry.is === 'frame') {
      if (entry.frame.f !== this.#f + 1)
        this.#suspect(Math.min(this.#f, entry.frame.f), Math.max(this.#f, entry.frame.f));
      this.#f = entry.frame.f;
      this.#last = { ...entry.frame, raw: new Uint8Array(0) };
    } else if (entry.is === 'seal') {
      this.#checkSeal(entry.seal, line);
    }
  }

  #checkSeal(seal: Seal, line: Buffer): void {
    const holds = this.#chain.compare(seal.sha256);
    const wellPlaced = seal.f === this.#f && (!seal.final || this.#isCanonicalFinal(seal, line));
    if (!holds || !wellPlaced) {
      const whole = { from_f: this.#sealedF, to_f: Math.max(seal.f, this.#f) };
      this.#alter(this.#suspects.length > 0 ? this.#suspects : [whole]);
    }
    this.#suspects = [];
    this.#sealedF = this.#f;
    this.#seal = { ...seal };
    this.#final = seal.final === true;
  }

  /** No digest covers the final seal, so everything in it must follow from the last frame. */
  #isCanonicalFinal(seal: Seal, line: Buffer): boolean {
    const last = this.#last;
    if (!last || this.#endOf(last) !== seal.at || last.t !== seal.t) return false;
    const recovered = last.event === 'lost';
    return line.toString('latin1') === sealLine(last.f, seal.t.toFixed(6), seal.at, seal.sha256, { recovered });
  }

  /** The last frame of a recording repeats the wall time of the final seal; an import ends with its last time. */
  #endOf(last: Frame): unknown {
    if (this.#metadata?.source !== 'import') return last.detail.at;
    const startedAt = microsOf(String(this.#metadata.started_at));
    return startedAt >= 0 ? isoMicros(startedAt + Math.round(last.t * 1e6)) : null;
  }

  #suspect(from_f: number, to_f: number): void {
    add(this.#suspects, { from_f, to_f });
  }

  #alter(ranges: readonly Range[]): void {
    for (const range of ranges) add(this.#ranges, range);
  }
}

const notATape = (): UnreadableTape => new UnreadableTape('this is not a tape of wiretape');

/** If almost everything has changed, more ranges are of no use; the last one then covers all that follow. */
const MAX_RANGES = 1000;

function add(ranges: Range[], { from_f, to_f }: Range): void {
  const last = ranges.at(-1);
  if (last?.from_f === from_f && last.to_f === to_f) return;
  if (last === undefined || ranges.length < MAX_RANGES) ranges.push({ from_f, to_f });
  else ranges[ranges.length - 1] = { from_f: Math.min(last.from_f, from_f), to_f: Math.max(last.to_f, to_f) };
}
