/**
 * Whether a tape holds all that crossed the pipe. No protocol lays that down, and a tape with a hole in it may still show
 * what it is checked for: so it is a rule only where it is asked for, by `--fail-on incomplete`.
 */
import { error, type Finding, type Rule, refOf } from '../../dialects/rules/rule.ts';

export const INCOMPLETE: Rule = {
  ...error.unknown('the tape contains everything that crossed the pipe, to the end', 'wiretape verify'),
  ...{ id: 'io-incomplete', aliases: ['incomplete'], dialects: null },
  open:
    () =>
    ({ frame: { f, form, event, detail } }) => {
      if (form !== 'event') return [];
      if (event === 'lost') return [{ f, message: 'the recorder was killed: what came after this is not on the tape' }];
      if (event !== 'gap') return [];
      const stream = detail.stream === 'stderr' ? 'the agent, on stderr,' : `the ${detail.stream}`;
      return [{ f, message: `${detail.missing} bytes of ${stream} could not be recorded` }];
    },
};

/** How a tape ends, as its seals tell. */
export interface TapeEnd {
  running: boolean;
  verdict: 'intact' | 'recovered' | 'altered' | 'unfinished';
  ranges: readonly { from_f: number; to_f: number }[];
  /** The number of its last frame. */
  frames: number;
}

/** What no frame tells. */
export function missingAtEnd({ running, verdict, ranges, frames }: TapeEnd): Finding[] {
  const { id: rule, severity, fault } = INCOMPLETE;
  const ref = refOf(rule);
  const finding = (f: number, message: string): Finding => ({ rule, severity, fault, f, frames: [], message, ref });
  if (running) return [finding(frames, 'it is still being recorded')];
  if (verdict === 'unfinished') return [finding(frames, 'the tape has no end: it was cut off, or never finished')];
  if (verdict !== 'altered') return [];
  return ranges.map(({ from_f, to_f }) => finding(to_f, `the tape was altered between f${from_f} and f${to_f}`));
}
