/** The file of `--report`. */
import { destinationOf } from '../storage/files/destination.ts';
import { writeFileAt, writeOutput } from '../storage/files/output.ts';

/**
 * Call this at the start: a run must not fail at its end because of the report, and nobody may mistake the report of an
 * earlier run for this one.
 */
export function beginReport(path: string): void {
  // What reads a pipe waits for the report.
  if (destinationOf(path, true).is === 'file') writeFileAt(path, [], { force: true });
}

export async function writeReport(path: string, text: string): Promise<void> {
  await writeOutput(path, [text], { force: true });
}
