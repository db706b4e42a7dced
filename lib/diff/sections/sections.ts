/** Everything that a diff tells besides the conversation, gathered in the same pass. */
import type { Observer, Pass } from '../../session/pass.ts';
import { idOf, type Session } from '../../session/session.ts';
import type { Outline } from '../outline.ts';
import type { DiffEntry } from '../result.ts';
import { diffApprovals, Verdicts } from './approvals.ts';
import { diffEndings, Ending } from './ending.ts';
import { diffFindings, RulesBroken } from './findings.ts';
import { diffHandshakes, diffIntroductions } from './handshake.ts';
import { diffShapes, Shape } from './shape.ts';
import { diffStderr, StderrLines } from './stderr.ts';
import { Durations, diffTimes } from './timing.ts';
import { diffTokens } from './tokens.ts';

export class Sections {
  readonly times = new Durations();
  readonly #session: Session;
  readonly #pass: Pass;
  readonly #outline: Outline;
  readonly #verdicts: Verdicts;
  readonly #rules: RulesBroken;
  readonly #stderr: StderrLines;
  readonly #ending = new Ending();
  readonly #shape: Shape | null;

  constructor(
    session: Session,
    pass: Pass,
    outline: Outline,
    options: { strict: boolean; shape: boolean | undefined },
  ) {
    const { command, dialect } = pass;
    const { source } = session.metadata;
    this.#session = session;
    this.#pass = pass;
    this.#outline = outline;
    this.#verdicts = new Verdicts(pass, outline.mask);
    const checked = { command, dialect, source: typeof source === 'string' ? source : 'record' };
    this.#rules = new RulesBroken(checked, session.running);
    this.#stderr = new StderrLines(outline.mask, options.strict);
    this.#shape = options.shape ? new Shape() : null;
  }

  get observers(): Observer[] {
    const all = [this.#verdicts, this.#rules, this.#stderr, this.#ending];
    return this.#shape ? [...all, this.#shape] : all;
  }

  /** What differs from these. */
  against(b: Sections): DiffEntry[] {
    const sessions = { a: idOf(this.#session), b: idOf(b.#session) };
    const isSameProtocol = this.#pass.dialect === b.#pass.dialect;
    const greetings = (isSameProtocol ? diffHandshakes : diffIntroductions)(
      sessions,
      this.#introduced(),
      b.#introduced(),
    );
    return [
      ...greetings,
      ...diffApprovals(sessions, this.#verdicts.end(), b.#verdicts.end(), !isSameProtocol),
      // Rules of another protocol are other rules.
      ...(isSameProtocol ? diffFindings(sessions, this.#rules.end(), b.#rules.end()) : []),
      ...diffTimes(sessions, this.times, b.times),
      ...diffTokens(sessions, this.#pass.timeline, b.#pass.timeline),
      ...diffStderr(sessions, this.#written(), b.#written()),
      ...diffEndings(sessions, this.#ending, b.#ending),
      ...(this.#shape && b.#shape ? diffShapes(sessions, this.#shape, b.#shape) : []),
    ];
  }

  #introduced() {
    const { handshakes, reader } = this.#outline;
    return { handshakes, reader, timeline: this.#pass.timeline };
  }

  #written() {
    return { session: this.#session, lines: this.#stderr };
  }
}
