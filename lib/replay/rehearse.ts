/**
 * A tape that drives itself: the client of a session against the agent of the same session, in this process. It tells
 * whether a replay gives the recorded conversation.
 */
import { PassThrough } from 'node:stream';
import { AT_ONCE } from '../model/pace.ts';
import type { Session } from '../session/session.ts';
import { type AgentEnd, type AgentOptions, AgentReplay } from './agent.ts';
import type { AgentExit } from './client/recorded-agent.ts';
import type { ClientReport } from './client/report.ts';
import { ClientRun, type RunOptions } from './client/run.ts';
import { readLines } from './lines-in.ts';
import { Outlet } from './outlet.ts';
import type { ReplayReport } from './report.ts';
import { RunTape } from './run-tape.ts';

const OPTIONS: AgentOptions = {
  ...{ pace: AT_ONCE, match: 'params', onMiss: 'error', keepIds: false, seed: 7, stderr: true, loop: false },
  ...{ timeout: 20, faults: [], framesOf: () => new Set(), others: [], cwd: null, say: () => {}, signals: true },
};

export interface BothReports {
  client: ClientReport;
  agent: ReplayReport;
  /** What crossed between the two, as a recorder would have it. */
  run: Session;
  /** Every byte of it is what was recorded. */
  isSame: boolean;
}

export async function replayBoth(session: Session, options: RunOptions = {}): Promise<BothReports> {
  const [input, output, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const tape = new RunTape(session);
  for (const [from, stream] of [
    ['client', input],
    ['agent', output],
    ['stderr', stderr],
  ] as const)
    tape.listen(from, stream);
  // Both sides are where they were: nothing is moved to another folder.
  const { cwd } = session.metadata;
  const agent = new AgentReplay(session, { ...OPTIONS, cwd }, new Outlet(output), new Outlet(stderr));
  readLines(
    input,
    (line) => agent.hear(line),
    () => agent.end(),
  );
  let settle: (end: Promise<AgentEnd>) => void = () => {};
  const over = new Promise<AgentEnd>((done) => {
    settle = done;
  });
  const exited = over.then(({ exit }) => exit as AgentExit | null);
  const signal = (name: string) => {
    tape.event('proc', 'signal', { signal: name });
    agent.signal(name);
  };
  const run = new ClientRun(
    session,
    { input, output, exited, signal },
    { pace: AT_ONCE, timeout: 20, cwd, ...options },
  );
  const streams = [input, output];
  const hush = () => {
    if (streams.every(({ readableLength, writableLength }) => readableLength + writableLength === 0)) run.hushed();
  };
  // The last lines, and the reactions to them, may still be on their way.
  agent.onSaid = () => setImmediate(hush);
  // Now that both sides are connected.
  settle(
    agent.run().finally(() => {
      tape.isOver = true;
      output.end();
    }),
  );
  const { report } = await run.ended;
  const { report: heard, exit } = await over;
  if (exit) tape.event('proc', 'exit', { ...exit });
  return { client: report, agent: heard, run: tape.session, isSame: tape.isSame() };
}
