/** How a session ended decides who is at fault for what is missing, and how certain that is. */
import type { Ledger } from '../../model/ledger/ledger.ts';
import type { ProcessEnding, ProcessRecord } from '../../model/ledger/process.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import type { Fault, Severity } from './rule.ts';

export interface OmissionVerdict {
  severity?: Severity;
  fault?: Fault;
  why: string;
}

const INCOMPLETE_RECORDING: OmissionVerdict = { severity: 'info', fault: 'unknown', why: 'but the recording has gaps' };

/** How the agent's process ended; null if the recording does not show it. */
export function exitOf({ ending }: ProcessRecord): ProcessEnding | null {
  return ending?.event === 'exit' ? ending : null;
}

/** The client closed stdin, or a signal was sent: the agent need not finish what was open at that time. */
export function wasStopped({ clientEof, firstSignal }: ProcessRecord): boolean {
  return clientEof !== null || firstSignal !== null;
}

/** The client closes the agent's stdin with this frame. */
export function isClientClosingStdin({ frame, ledger }: ReadFrame): boolean {
  return frame.event === 'eof' && ledger.process.clientEof?.f === frame.f;
}

/** Whether the answer to the agent's request in this frame is still due. A cancel does not replace it: ACP wants both. */
export function isAnswerDue({ asks }: Ledger, f: number): boolean {
  const ask = asks.findByFrame(f);
  return !ask || (!ask.first && !ask.settled);
}

/** What the agent never did is its own fault only if nothing made it end. */
export function judgeAgentOmission(book: ProcessRecord): OmissionVerdict {
  const exit = exitOf(book);
  if (book.hasHoles) return INCOMPLETE_RECORDING;
  if (!exit) return { severity: 'info', fault: 'unknown', why: 'as far as the recording shows' };
  if (book.firstSignal || exit.signal) {
    return { severity: 'warning', fault: 'unknown', why: 'before a signal ended the agent' };
  }
  if (book.clientEof) {
    return { severity: 'warning', fault: 'unknown', why: 'before the client closed stdin and the agent ended' };
  }
  return { why: 'and the agent ended by itself' };
}

export function judgeClientOmission(book: ProcessRecord): OmissionVerdict {
  const exit = exitOf(book);
  if (book.hasHoles) return INCOMPLETE_RECORDING;
  if (!exit) return { why: 'as far as the recording shows' };
  if (book.firstSignal || exit.signal) return { why: 'before a signal ended the agent' };
  return { severity: 'info', fault: 'agent', why: 'and the agent ended without waiting for it' };
}
