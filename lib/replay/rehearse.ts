/**
 * A tape that drives itself: the client of a session against the agent of the same session, in this process. It tells
 * whether a replay gives the recorded conversation.
 */
import { PassThrough } from 'node:stream';
import { AT_ONCE } from '../model/pace.ts';
import type { Session } from '../session/session.ts';
import { AgentReplay, type AgentReplayOptions, type AgentReplayResult } from './agent.ts';
import { ClientRun, type ClientRunOptions } from './client/client-run.ts';
import type { RecordedAgentExit } from './client/recorded-agent.ts';
import type { ClientReport } from './client/report.ts';
import { LineWriter } from './line-writer.ts';
import { readLines } from './message-reader.ts';
import type { ReplayReport } from './report.ts';
import { RunTape } from './run-tape.ts';

const REHEARSAL_OPTIONS: AgentReplayOptions = {
  ...{ pace: AT_ONCE, match: 'params', onMiss: 'error', keepIds: false, seed: 7, stderr: true, loop: false },
  ...{ timeout: 20, faults: [], framesOf: () => new Set(), others: [], cwd: null, print: () => {}, signals: true },
};

export interface BothReports {
  client: ClientReport;
  agent: ReplayReport;
  /** What crossed between the two, as a recorder would have it. */
  run: Session;
  /** Every byte of it is what was recorded. */
  isSame: boolean;
}

export async function replayBoth(session: Session, options: ClientRunOptions = {}): Promise<BothReports> {
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
  const agent = new AgentReplay(session, { ...REHEARSAL_OPTIONS, cwd }, new LineWriter(output), new LineWriter(stderr));
  readLines(
    input,
    (line) => agent.receive(line),
    () => agent.end(),
  );
  let settle: (end: Promise<AgentReplayResult>) => void = () => {};
  const over = new Promise<AgentReplayResult>((done) => {
    settle = done;
  });
  const exited = over.then(({ exit }) => exit as RecordedAgentExit | null);
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
  const notifyIfDone = () => {
    if (streams.every(({ readableLength, writableLength }) => readableLength + writableLength === 0))
      run.agentFinished();
  };
  // The last lines, and the reactions to them, may still be on their way.
  agent.onAllSent = () => setImmediate(notifyIfDone);
  // Now that both sides are connected.
  settle(
    agent.run().finally(() => {
      tape.isOver = true;
      output.end();
    }),
  );
  const { report } = await run.ended;
  const { report: agentReport, exit } = await over;
  if (exit) tape.event('proc', 'exit', { ...exit });
  return { client: report, agent: agentReport, run: tape.session, isSame: tape.isSame() };
}
