/**
 * A program that a test hands to its client, and its runs. They communicate through the files beside it: each run
 * leaves one when it starts, keeps a report of what came so far, in case that it is killed, and writes its report when it
 * ends. All runs end when the program is removed.
 */
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { quote } from '../model/text/shell.ts';
import { isRunning } from '../storage/store/owner.ts';
import { jsonOf, type ReplayReport } from './report.ts';

const STARTED_SUFFIX = '.started';
const REPORT_SUFFIX = '.json';
const SO_FAR_SUFFIX = '.so-far';

export interface ProgramRun {
  pid: number;
  /** It has exited, or has written its report. */
  isOver: boolean;
  /** Its report at its end, or the latest one before it was killed; null if there is none. */
  report: ReplayReport | null;
}

/** The text of the program. `report`: a path that the command can write its report to, which the shell completes. */
export function programText(folder: string, command: (report: string) => string): string {
  const run = `${quote(`${folder}/`)}$$`;
  return `#!/bin/sh\n: > ${run}${STARTED_SUFFIX}\nexec ${command(`${run}${REPORT_SUFFIX}`)}\n`;
}

/** The runs of the program in this folder, in the order in which they began. */
export function runsIn(folder: string): ProgramRun[] {
  const started = readdirSync(folder).filter((name) => name.endsWith(STARTED_SUFFIX));
  const times = new Map(started.map((name) => [name, statSync(join(folder, name)).mtimeMs]));
  return started
    .sort((a, b) => times.get(a)! - times.get(b)!)
    .map((name) => {
      const pid = Number(basename(name, STARTED_SUFFIX));
      const path = join(folder, `${pid}${REPORT_SUFFIX}`);
      // Before the report is looked for: it is written before the end.
      const isRunningStill = isRunning(pid);
      const report = reportIn(path);
      const isOver = report !== null || !isRunningStill;
      return { pid, isOver, report: report ?? (isOver ? reportIn(path + SO_FAR_SUFFIX) : null) };
    });
}

function reportIn(path: string): ReplayReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ReplayReport;
  } catch {
    // There is none yet.
    return null;
  }
}

/** A reader sees all of it or the one before. The test may be over, and the folder gone. */
export function writeReportSoFar(path: string | undefined, report: ReplayReport): void {
  if (path === undefined) return;
  try {
    writeFileSync(`${path}${SO_FAR_SUFFIX}.new`, jsonOf(report));
    renameSync(`${path}${SO_FAR_SUFFIX}.new`, path + SO_FAR_SUFFIX);
  } catch {
    // Nobody will read it.
  }
}

/**
 * Seconds that a client in a test has for what it sends on its own. A client that does not send it fails the test, so it
 * may take long, and the machine may be busy.
 */
export const TEST_GRACE_SECONDS = 10;

const POLL_MS = 25;

export function whenRemoved(program: string, onRemoved: () => void): void {
  const timer = setInterval(() => {
    if (existsSync(program)) return;
    clearInterval(timer);
    onRemoved();
  }, POLL_MS);
  timer.unref();
}
