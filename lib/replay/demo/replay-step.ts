/** The demo's recording in place of the agent: does the same client get the same from it? */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { humanSeconds, visible } from '../../model/text/text.ts';
import { temporaryFolder } from '../../storage/files/temporary-folder.ts';
import { PROGRAM } from '../../storage/system/installation.ts';
import { mismatches, type ReplayReport } from '../report.ts';
import { runSampleClient, type SampleClientRun } from './sample-client.ts';

/** A line for people. */
export interface ReplayStep {
  isSame: boolean;
  text: string;
}

export async function replayToSameClient(
  session: string,
  scenario: string,
  recorded: SampleClientRun,
): Promise<ReplayStep> {
  const scratch = temporaryFolder('wiretape-demo-');
  const file = join(scratch.path, 'report.json');
  const agent = [PROGRAM, 'replay', session, '--instant', '--no-stderr', '--report', file];
  try {
    const start = performance.now();
    const live = await runSampleClient({ scenario, agent, stderr: 'pipe' });
    const took = humanSeconds((performance.now() - start) / 1000);
    const report: ReplayReport | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    const difference = differenceBetween(recorded, live, report);
    return difference === null
      ? { isSame: true, text: `the client got the same ${report!.sent} lines and did the same, in ${took}` }
      : { isSame: false, text: `not the same: ${visible(difference)}` };
  } finally {
    scratch.remove();
  }
}

/** The first difference in the report or in the client's output; null if there is none. */
export function differenceBetween(
  recorded: SampleClientRun,
  live: SampleClientRun,
  report: ReplayReport | null,
): string | null {
  if (report === null) return live.stderr.trimEnd().split('\n').at(-1) || 'the replay ended without a report';
  if (!report.ok) return mismatches(report)[0]!.trim();
  const unsent = report.unsent + report.unread;
  if (unsent > 0) return `${unsent} of the recorded lines did not reach the client`;
  if (report.made_up.length > 0) return `the replay sent a line that is not on the tape: ${report.made_up[0]}`;
  // Calls that run side by side may be asked about in any order.
  const [missing] = withoutEach(recorded.talk, live.talk);
  if (missing !== undefined) return `the client no longer says "${missing}"`;
  const [added] = withoutEach(live.talk, recorded.talk);
  if (added !== undefined) return `the client also says "${added}"`;
  return recorded.code === live.code ? null : `the client exited with ${live.code} instead of ${recorded.code}`;
}

/** What is left of these lines when each of the others has taken away one like it. */
function withoutEach(lines: readonly string[], others: readonly string[]): string[] {
  const left = [...lines];
  for (const other of others) {
    const at = left.indexOf(other);
    if (at >= 0) left.splice(at, 1);
  }
  return left;
}
