/** The error of a test whose client did not do what was recorded. */
import { firstDifference, mismatches, type ReplayReport } from '../report.ts';

const RECORD_AGAIN = 'record the session again with wiretape record';

export interface MismatchDetails {
  /** How to accept what the client does now. */
  accept?: string;
  /** The session as the test names it. */
  session?: string;
  /** Which run of the program it was, if there were several. */
  run?: string;
}

export class ReplayMismatch extends Error {
  readonly report: ReplayReport;

  constructor(report: ReplayReport, { accept = RECORD_AGAIN, session, run }: MismatchDetails = {}) {
    const lines = [
      `the client did not do what was recorded in ${session ?? report.session}${run ? ` (${run})` : ''}:`,
      ...mismatches(report),
      ...firstDifference(report),
      `if the client is right, ${accept}`,
    ];
    super(lines.join('\n'));
    this.name = 'ReplayMismatch';
    this.report = report;
  }
}

export function checked(report: ReplayReport, details: MismatchDetails = {}): ReplayReport {
  if (!report.ok) throw new ReplayMismatch(report, details);
  return report;
}
