/** Errors meant for people, and what they make the process exit with. Anything else that is thrown is a bug. */

export const Exit = {
  /** Done, or the answer is yes. */
  ok: 0,
  /** The answer is no: differs, found something, no match. */
  no: 1,
  /** Could not: usage, unknown session, unreadable. */
  failed: 2,
} as const;

export class Failure extends Error {
  readonly hint: string | null;
  readonly exitCode: number;
  /** Shown between the message and the hint. */
  readonly lines: readonly string[];

  /** `message` is lower case without a full stop: it follows `wiretape: `. */
  constructor(
    message: string,
    hint: string | null = null,
    exitCode: number = Exit.failed,
    lines: readonly string[] = [],
  ) {
    super(message);
    this.name = 'Failure';
    this.hint = hint;
    this.exitCode = exitCode;
    this.lines = lines;
  }
}
