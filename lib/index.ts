/** The library: reads sessions and tapes. The command line is in `cli.ts`. */

export type { ApprovalRow } from './analysis/audit/row.ts';
export { type DiffOptions, diffSessions } from './analysis/diff/diff.ts';
export type { Change, DiffEntry, SessionDiff, TurnDiff } from './analysis/diff/result.ts';
export type { Tolerance } from './analysis/diff/tolerance.ts';
export type { Facts } from './analysis/facts/facts.ts';
export type { Obligation } from './analysis/why/explain.ts';
export type { Answers, Question } from './answers.ts';
export type { Finding } from './dialects/rules/rule.ts';
export { type Exchange, Exchanges } from './model/exchange.ts';
export { Failure } from './model/failure.ts';
export type { Eol, Form, Frame, From, Metadata, Seal, Stream } from './model/frame.ts';
export { type Envelope, type Message, readMessage, textOf } from './model/message.ts';
export type { Entry, Item, Step, Timeline, Turn } from './model/timeline/entries.ts';
export { type OpenOptions, openSession, type RecordedSession } from './open-session.ts';
export type { ClientReport } from './replay/client/report.ts';
export type { ReplayReport } from './replay/report.ts';
export { ReplayMismatch } from './replay/testing/mismatch.ts';
export { type RecordOrReplayOptions, recordOrReplay } from './replay/testing/record-or-replay.ts';
export { type ReplayedAgent, type ReplayOptions, replayAgent } from './replay/testing/replay-agent.ts';
export {
  type AgentCommand,
  AgentMismatch,
  type ReplayClientOptions,
  type ReplayedClient,
  replayClient,
} from './replay/testing/replay-client.ts';
export { type ReplayProgram, replayProgram } from './replay/testing/replay-program.ts';
export type { Session, SessionNames } from './session/session.ts';
export type { Stats } from './session/stats.ts';
export type { Summary } from './session/summary.ts';
export type { FoundFrame } from './storage/search/frames.ts';
export { readMetadata, readTape, type TapeLine } from './storage/tape/read.ts';
export { UnreadableTape } from './storage/tape/unreadable.ts';
export { type Range, type Verification, verifyTape } from './storage/tape/verify.ts';
