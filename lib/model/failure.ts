/** Errors for the user, with exit codes. Anything else that is thrown is a bug. */

export const Exit = {
  /** Done, or the result is positive. */
  ok: 0,
  /** The result is negative: no match, differences, findings. */
  no: 1,
  /** Usage error, unknown session, unreadable file. */
  failed: 2,
  /** `record`: wiretape itself failed, and not its agent. */
  notRecorded: 125,
} as const;

export class Failure extends Error {
  readonly hint: string | null;
  readonly exitCode: number;
  /** Printed between the message and the hint. */
  readonly lines: readonly string[];

  /** `message` is printed after `wiretape: `, so it starts in lower case and has no full stop. */
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
