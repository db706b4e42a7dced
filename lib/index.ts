/** The library: reads sessions and tapes. The command line is in `cli.ts`. */

export type { ApprovalRow } from './audit/row.ts';
export type { Finding } from './check/rule.ts';
export { type Exchange, Exchanges } from './core/exchange.ts';
export type { Eol, Form, Frame, From, Metadata, Seal, Stream } from './core/frame.ts';
export { type Envelope, type Message, readMessage, textOf } from './core/message.ts';
export type { Entry, Item, Step, Timeline, Turn } from './core/timeline/shape.ts';
export { type DiffOptions, diffSessions } from './diff/diff.ts';
export type { Change, DiffEntry, SessionDiff, TurnDiff } from './diff/result.ts';
export type { Tolerance } from './diff/tolerance.ts';
export type { Facts } from './facts/facts.ts';
export { Failure } from './failure.ts';
export type { Answers, Question } from './library/answers.ts';
export { ReplayMismatch } from './library/mismatch.ts';
export { type OpenOptions, openSession, type RecordedSession } from './library/open-session.ts';
export { type RecordOrReplayOptions, recordOrReplay } from './library/record-or-replay.ts';
export { type ReplayedAgent, type ReplayOptions, replayAgent } from './library/replay-agent.ts';
export {
  type AgentCommand,
  AgentMismatch,
  type ReplayClientOptions,
  type ReplayedClient,
  replayClient,
} from './library/replay-client.ts';
export { type ReplayProgram, replayProgram } from './library/replay-program.ts';
export type { ClientReport } from './replay/client/report.ts';
export type { ReplayReport } from './replay/report.ts';
export type { FoundFrame } from './search/frames.ts';
export type { Session, SessionNames } from './session/session.ts';
export type { Stats } from './session/stats.ts';
export type { Summary } from './session/summary.ts';
export { readMetadata, readTape, type TapeLine } from './tape/read.ts';
export { UnreadableTape } from './tape/unreadable.ts';
export { type Range, type Verification, verifyTape } from './tape/verify.ts';
export type { Obligation } from './why/explain.ts';
