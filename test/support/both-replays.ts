/** A tape that drives itself: the client of a session against the agent of the same session, in this process. */
import { PassThrough } from 'node:stream';
import type { Frame, From } from '../../lib/core/frame.ts';
import { AT_ONCE } from '../../lib/core/pace.ts';
import { AgentReplay } from '../../lib/replay/agent.ts';
import type { AgentExit } from '../../lib/replay/client/recorded-agent.ts';
import type { ClientReport } from '../../lib/replay/client/report.ts';
import { ClientRun, type RunOptions } from '../../lib/replay/client/run.ts';
import { readLines } from '../../lib/replay/lines-in.ts';
import { Outlet } from '../../lib/replay/outlet.ts';
import type { ReplayReport } from '../../lib/replay/report.ts';
import { type Session, sessionInMemory } from '../../lib/session/session.ts';
import { REPLAY_OPTIONS } from './replaying.ts';

export interface BothReports {
  client: ClientReport;
  agent: ReplayReport;
  /** What crossed between the two, as a session with the command of the tape. */
  live: Session;
}

class Witness {
  readonly frames: Frame[] = [];

  saw(from: From, text: string | null, event: string | null = null, detail: Frame['detail'] = {}): void {
    const f = this.frames.length + 1;
    const [form, raw] = [event === null ? 'text' : 'event', Buffer.from(text ?? '')] as const;
    this.frames.push({ f, t: f / 1000, t0: null, from, form, raw, text, eol: '\n', event, detail });
  }
}

export async function replayBoth(recorded: Session, options: RunOptions = {}): Promise<BothReports> {
  // In the folder that it was recorded in.
  const session: Session = { ...recorded, metadata: { ...recorded.metadata, cwd: process.cwd() } };
  const [input, output, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const witness = new Witness();
  witness.saw('proc', null, 'spawn', { pid: 7 });
  const nothing = () => {};
  readLines(stderr, (line) => witness.saw('stderr', line), nothing);
  const agent = new AgentReplay(
    session,
    { ...REPLAY_OPTIONS, cwd: process.cwd() },
    new Outlet(output),
    new Outlet(stderr),
  );
  readLines(
    input,
    (line) => {
      witness.saw('client', line);
      agent.hear(line);
    },
    () => {
      witness.saw('client', null, 'eof');
      agent.end();
    },
  );
  // It begins when everybody listens.
  const over = new Promise(setImmediate).then(() => agent.run()).finally(() => output.end());
  const exited = over.then(({ exit }) => exit as AgentExit | null);
  const signal = (name: string) => {
    witness.saw('proc', null, 'signal', { signal: name });
    agent.signal(name);
  };
  readLines(output, (line) => witness.saw('agent', line), nothing);
  const run = new ClientRun(session, { input, output, exited, signal }, { pace: AT_ONCE, timeout: 20, ...options });
  const { report } = await run.ended;
  const { exit, report: ofAgent } = await over;
  if (exit) witness.saw('proc', null, 'exit', { ...exit });
  const metadata = { ...recorded.metadata, replay_of: session.id };
  return { client: report, agent: ofAgent, live: sessionInMemory(metadata, witness.frames) };
}
