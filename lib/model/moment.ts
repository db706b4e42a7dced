/** The moment at which a session is examined: what the system knows of it then. */
import type { Stream } from './frame.ts';

export interface SessionMoment {
  /** Seconds since the session started: now, or its end. */
  t: number;
  running: boolean;
  process: AgentProcess | null;
  /** Lines that have not ended yet. */
  unfinished: UnfinishedLine[];
}

/** The agent's process, as the operating system reports it. */
export interface AgentProcess {
  pid: number;
  /** Seconds of processor time that it and its group have used; null if unknown. */
  cpu: number | null;
  state: 'running' | 'sleeping' | 'waiting for a device' | 'stopped' | 'zombie' | 'gone';
}

export interface UnfinishedLine {
  from: Stream;
  bytes: number;
  /** The length that a header announces, if it is the body of a Content-Length frame. */
  of?: number | null;
  /** Its first characters. */
  head: string;
  /** When its first byte arrived, in seconds since the start. */
  t: number;
}
