/** Everything that a diff shows besides the conversation, gathered in the same pass. */
import type { Timeline } from '../../../model/timeline/entries.ts';
import type { Observer, Pass } from '../../../session/pass.ts';
import { idOf, type Session } from '../../../session/session.ts';
import type { NormaliseText } from '../hash.ts';
import type { Matches } from '../matches.ts';
import type { SessionOutline } from '../outline.ts';
import type { DiffEntry } from '../result.ts';
import type { Tolerance } from '../tolerance.ts';
import { diffApprovals } from './approvals.ts';
import { diffEndings, EndingSummary } from './ending.ts';
import { type BrokenRule, BrokenRules, diffFindings } from './findings.ts';
import { diffHandshakes, diffIntroductions, type Introduction } from './handshake.ts';
import { diffShapes, MessageShapes } from './shape.ts';
import { diffStderr, StderrLines } from './stderr.ts';
import { Durations, diffTimes } from './timing.ts';
import { diffTokens } from './tokens.ts';
import { VerdictReader, type Verdicts } from './verdicts.ts';

/** What is left of a session when it has been read. */
export interface GatheredSections {
  session: Session;
  dialect: string;
  introduced: Introduction;
  usage: Timeline['usage'];
  verdicts: Verdicts;
  rules: ReadonlyMap<string, BrokenRule>;
  times: Durations;
  stderr: StderrLines;
  ending: EndingSummary;
  shape: MessageShapes | null;
}

export class SectionGatherer {
  readonly times = new Durations();
  readonly #verdicts: VerdictReader;
  readonly #rules: BrokenRules;
  readonly #stderr: StderrLines;
  readonly #ending: EndingSummary;
  readonly #shape: MessageShapes | null;

  constructor(
    session: Session,
    pass: Pass,
    { mask, reader }: SessionOutline,
    { strict, shape, isTimed }: { strict: boolean; shape: boolean | undefined; isTimed: boolean },
  ) {
    const { command, dialect } = pass;
    const { source } = session.metadata;
    const checked = { command, dialect, source: typeof source === 'string' ? source : 'record' };
    this.#verdicts = new VerdictReader(pass, reader);
    this.#rules = new BrokenRules(checked, { isRunning: session.running, isTimed });
    this.#stderr = new StderrLines(mask, strict);
    this.#ending = new EndingSummary(isTimed);
    this.#shape = shape ? new MessageShapes() : null;
  }

  get observers(): Observer[] {
    const all = [this.#verdicts, this.#rules, this.#stderr, this.#ending];
    return this.#shape ? [...all, this.#shape] : all;
  }

  /** Keeps nothing of the pass, so that the sessions are not in memory together. */
  end(session: Session, { timeline, dialect }: Pass, { handshakes, reader }: SessionOutline): GatheredSections {
    return {
      ...{ session, dialect, usage: timeline.usage, times: this.times },
      introduced: { handshakes, reader, about: timeline.handshake },
      ...{ verdicts: this.#verdicts.end(), rules: this.#rules.end() },
      ...{ stderr: this.#stderr, ending: this.#ending, shape: this.#shape },
    };
  }
}

const normaliserOf = ({ introduced }: GatheredSections): NormaliseText =>
  introduced.reader.normaliserFor('findings', 'message');

/** `matches`: which calls and requests belong together; `tolerance`: null if times do not count. */
export function diffSections(
  a: GatheredSections,
  b: GatheredSections,
  { matches, tolerance }: { matches: Matches; tolerance: Tolerance | null },
): DiffEntry[] {
  const sessions = { a: idOf(a.session), b: idOf(b.session) };
  const isSameProtocol = a.dialect === b.dialect;
  return [
    ...(isSameProtocol ? diffHandshakes : diffIntroductions)(sessions, a.introduced, b.introduced),
    ...diffApprovals(sessions, a.verdicts, b.verdicts, { matches, isNeutral: !isSameProtocol }),
    // Rules of another protocol are other rules.
    ...(isSameProtocol ? diffFindings(sessions, a.rules, b.rules, { a: normaliserOf(a), b: normaliserOf(b) }) : []),
    ...(tolerance ? diffTimes(sessions, a.times, b.times, tolerance) : []),
    ...diffTokens(sessions, a.usage, b.usage, isSameProtocol),
    ...diffStderr(sessions, { session: a.session, lines: a.stderr }, { session: b.session, lines: b.stderr }),
    ...diffEndings(sessions, a.ending, b.ending),
    ...(a.shape && b.shape ? diffShapes(sessions, a.shape, b.shape) : []),
  ];
}
