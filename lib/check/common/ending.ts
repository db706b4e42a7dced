/** How a session ended, as far as its frames told so far: what was never done can only be judged by that. */
import type { Frame } from '../../core/frame.ts';
import type { Fault, Severity } from '../rule.ts';

/** The client closed its side; an agent that closes its own, or ends, ends that stream too. */
export function isClientLeaving({ from, event, detail }: Pick<Frame, 'from' | 'event' | 'detail'>): boolean {
  return event === 'eof' && from === 'client' && detail.by !== 'agent';
}

export class Ending {
  /** The client closed the agent's stdin. */
  clientEof: number | null = null;
  /** Somebody sent the agent a signal that ends processes. */
  signalled: number | null = null;
  exit: { f: number; t: number; code: number | null; signal: string | null } | null = null;
  /** Frames are missing from the tape. */
  holes = false;
  clientSpoke = false;
  agentSpoke = false;

  take({ f, t, from, form, event, detail }: Frame): void {
    if (form !== 'event') {
      if (from === 'client') this.clientSpoke = true;
      else if (from === 'agent') this.agentSpoke = true;
    } else if (isClientLeaving({ from, event, detail })) this.clientEof ??= f;
    else if (event === 'signal') this.signalled ??= f;
    else if (event === 'gap' || event === 'lost') this.holes = true;
    else if (event === 'exit') {
      const { code, signal } = detail;
      this.exit = { f, t, code: typeof code === 'number' ? code : null, signal: signal ? String(signal) : null };
    }
  }

  /** What the agent still owed when it was over: its own doing only if nobody made it end. */
  owedByAgent(): { severity?: Severity; fault?: Fault; why: string } {
    if (this.holes) return { severity: 'info', fault: 'unknown', why: 'but the recording has holes' };
    if (!this.exit) return { severity: 'info', fault: 'unknown', why: 'as far as the recording goes' };
    if (this.signalled !== null || this.exit.signal) {
      return { severity: 'warning', fault: 'unknown', why: 'until the agent was ended by a signal' };
    }
    if (this.clientEof !== null) {
      return { severity: 'warning', fault: 'unknown', why: 'until the client closed stdin and the agent ended' };
    }
    return { why: 'and the agent ended by itself' };
  }

  /** What the client still owed. */
  owedByClient(): { severity?: Severity; fault?: Fault; why: string } {
    if (this.holes) return { severity: 'info', fault: 'unknown', why: 'but the recording has holes' };
    if (!this.exit) return { why: 'as far as the recording goes' };
    if (this.signalled !== null || this.exit.signal) return { why: 'until the agent was ended by a signal' };
    return { severity: 'info', fault: 'agent', why: 'and the agent ended without waiting for it' };
  }
}
