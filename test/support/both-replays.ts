/** A tape that drives itself: the client of a session against the agent of the same session, in this process. */
import { PassThrough } from 'node:stream';
import { AT_ONCE } from '../../lib/core/pace.ts';
import { AgentReplay } from '../../lib/replay/agent.ts';
import type { AgentExit } from '../../lib/replay/client/recorded-agent.ts';
import type { ClientReport } from '../../lib/replay/client/report.ts';
import { ClientRun, type RunOptions } from '../../lib/replay/client/run.ts';
import { readLines } from '../../lib/replay/lines-in.ts';
import { Outlet } from '../../lib/replay/outlet.ts';
import type { ReplayReport } from '../../lib/replay/report.ts';
import type { Session } from '../../lib/session/session.ts';
import { REPLAY_OPTIONS } from './replaying.ts';

export interface BothReports {
  client: ClientReport;
  agent: ReplayReport;
}

export async function replayBoth(session: Session, options: RunOptions = {}): Promise<BothReports> {
  const [input, output, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  stderr.resume();
  const agent = new AgentReplay(
    session,
    { ...REPLAY_OPTIONS, cwd: process.cwd() },
    new Outlet(output),
    new Outlet(stderr),
  );
  readLines(
    input,
    (line) => agent.hear(line),
    () => agent.end(),
  );
  const over = agent.run().finally(() => output.end());
  const exited = over.then(({ exit }) => exit as AgentExit | null);
  const signal = (name: string) => agent.signal(name);
  const run = new ClientRun(session, { input, output, exited, signal }, { pace: AT_ONCE, timeout: 20, ...options });
  const { report } = await run.ended;
  return { client: report, agent: (await over).report };
}
