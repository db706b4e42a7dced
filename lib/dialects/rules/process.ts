/** The process of the agent: how it ended, who left too early, who wrote after the end. Only what is certain is reported. */
import type { Event } from '../../model/event.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Frame } from '../../model/frame.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { Recent } from '../../model/recent.ts';
import { idText } from '../common/fields.ts';
import { noticeHint } from '../common/notices.ts';
import type { Traits } from '../traits.ts';
import { exitOf, isAwaited, isClientLeaving } from './ending.ts';
import { excerpt, ofJsonLines } from './lines.ts';
import { type CheckedSession, error, NOTHING, ofParts, quoted, type Told, warning, watch, word } from './rule.ts';

/** Dialects in which a client talks with the agent, so that either can leave too early. */
const ofConversations = ({ linesAreJson, needsNoClient }: Traits): boolean => linesAreJson && !needsNoClient;

const HEADS = {
  'io-not-started': error.agent(
    'the agent starts, instead of printing a text and exiting',
    'kimi-cli 1.52.0, which prints that it is no longer maintained and exits with 0',
    { dialects: ofJsonLines },
  ),
  'io-early-eof': error.client(
    'the client does not close stdin while the agent waits for its answer',
    'claude-agent-sdk-python#1105, claude-code#76204; qwen-stream-json-acp-mcp 2.4 ("Input closed")',
    { dialects: ofConversations },
  ),
  'io-exit-success': warning.agent(
    'a run whose only turn failed does not exit with 0',
    'qwen-code#8920, opencode#36413',
    { dialects: ofConversations },
  ),
  'io-exit-failure': warning.agent(
    'an agent that answered its last prompt successfully exits with 0',
    'kimi-cli#826, perry#9400',
    { dialects: ofConversations },
  ),
  'io-crash': error.agent('the agent does not crash', 'signal(7): SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP'),
  'io-after-exit': warning.agent(
    'nothing is written to stdout after the agent has ended',
    'qwen-stream-json-acp-mcp 3, the relaunch trap',
  ),
};

type Id = keyof typeof HEADS;

const OWN_FAULT = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);
/** Seconds after the end in which the rest of the pipe is read: a reader that pauses for longer is reported as stalled. */
const DRAINED = 1;

class ProcessWatcher {
  readonly #session: CheckedSession;
  /** Requests of the agent that the client has not answered, and their ids as text. */
  readonly #questions = new Recent<Exchange, string | null>();
  #oneShot = false;
  /** As of the latest line: when the process ends, its turn ends too. */
  #turnIsOpen = false;
  /** The answer to the last prompt, as long as the client has sent nothing since. */
  #answer: { f: number; ok: boolean; status: string } | null = null;
  /** The agent's last line; 0: there is none. */
  #lastF = 0;
  #lastT = 0;
  /** Until then, lines of the agent waited for the client to read, so it is not known when they were written. */
  #heldUntil = 0;
  #isHeld = false;
  /** The client closed the agent's stdout: that makes most programs fail. */
  #clientStoppedReading = false;
  #toldAfterExit = false;
  /** The agent's first line that is not a message, as long as it has sent no message. */
  #notice: { f: number; text: string } | null = null;
  #agentSpoke = false;

  constructor(session: CheckedSession) {
    this.#session = session;
  }

  take(read: ReadFrame): readonly Told<Id>[] {
    const { frame, ledger } = read;
    if (frame.form === 'event') return this.#happens(read);
    this.#pairs(read);
    if (frame.from === 'agent' && !this.#agentSpoke) this.#listen(read);
    if (frame.from === 'client') this.#answer = null;
    for (let n = 0; n < read.events.length; n++) this.#event(frame, read.events[n]!);
    this.#turnIsOpen = ledger.turns.current !== null;
    return this.#afterExit(read);
  }

  #pairs({ frame: { from }, pairing, message }: ReadFrame): void {
    const exchange = pairing?.exchange;
    if (exchange?.asker !== 'agent') return;
    if (from === 'client') this.#questions.delete(exchange);
    else if (pairing?.role === 'asks') this.#questions.set(exchange, idText(message.id));
  }

  #event({ f, from }: Frame, event: Event): void {
    if (event.flags?.includes('replayed')) return;
    if (event.takes === 0) this.#oneShot = true;
    if (event.kind === 'cancel' && event.of !== null && from === 'agent') this.#withdraw(event.of);
    else if (event.kind === 'prompt-answer') {
      const ok = event.code === null && !event.status.startsWith('error');
      this.#answer = { f, ok, status: event.status };
    }
  }

  #listen({ frame: { f, raw }, value }: ReadFrame): void {
    this.#agentSpoke = typeof value === 'object' && value !== null;
    const text = excerpt(raw).trim();
    if (text !== '') this.#notice ??= { f, text };
  }

  #withdraw(name: string): void {
    for (const [exchange, id] of this.#questions.entries()) if (id === name) this.#questions.delete(exchange);
  }

  #happens(read: ReadFrame): Told<Id>[] {
    const { frame } = read;
    const { event, detail } = frame;
    switch (event) {
      case 'eof':
        if (frame.from === 'agent' && detail.by === 'client') this.#clientStoppedReading = true;
        return isClientLeaving(read) ? this.#clientLeaves(read) : [];
      case 'stalled':
        if (detail.stream === 'agent') this.#isHeld = true;
        return [];
      case 'exit':
        return [...this.#printed(read), ...this.#exits(read), ...this.#wroteOn(frame)];
      default:
        return [];
    }
  }

  #clientLeaves({ frame: { f }, ledger }: ReadFrame): Told<Id>[] {
    const awaited = [...this.#questions.keys()].filter(({ askedF }) => isAwaited(ledger, askedF));
    return awaited.map(({ askedF, method }) => {
      const message = `the client closed stdin while ${word(method)} (f${askedF}) was waiting for its answer`;
      return { rule: 'io-early-eof', f, frames: [askedF], message };
    });
  }

  #printed({ frame: { f }, ledger }: ReadFrame): Told<Id>[] {
    const notice = this.#agentSpoke ? null : this.#notice;
    const { code } = exitOf(ledger.process)!;
    if (!notice || code === null || ledger.process.firstSignal) return [];
    const known = noticeHint(notice.text);
    const message = `the agent printed a text and exited with ${code} instead of starting: ${known ?? quoted(notice.text)}`;
    return [{ rule: 'io-not-started', f: notice.f, frames: [f], message }];
  }

  #exits({ frame: { f }, ledger }: ReadFrame): Told<Id>[] {
    const { code, signal } = exitOf(ledger.process)!;
    if (signal !== null) {
      return OWN_FAULT.has(signal) ? [{ rule: 'io-crash', f, message: `the agent crashed with ${signal}` }] : [];
    }
    if (code === null || ledger.process.firstSignal || this.#turnIsOpen) return [];
    const answer = this.#answer;
    if (code === 0 && answer && !answer.ok && this.#oneShot) {
      const message = `the agent exited with 0, although its prompt ended with "${word(answer.status)}" in f${answer.f}`;
      return [{ rule: 'io-exit-success', f, frames: [answer.f], message }];
    }
    if (code === 0 || this.#clientStoppedReading || (answer ? !answer.ok : this.#session.traits.hasTurns)) return [];
    const after = answer ? `, although its last prompt ended with "${word(answer.status)}" in f${answer.f}` : '';
    const message = `the agent exited with ${code}${after}`;
    return [{ rule: 'io-exit-failure', f, frames: answer ? [answer.f] : [], message }];
  }

  /** In wiretape's own tapes, the exit is the last frame, and has the time at which the process itself ended. */
  #wroteOn({ f, detail }: Frame): Told<Id>[] {
    const { ended } = detail;
    if (typeof ended !== 'number' || this.#lastF === 0 || !this.#isLate(this.#lastT, ended)) return [];
    return [afterExit(this.#lastF, f, this.#lastT - ended)];
  }

  #afterExit({ frame, ledger }: ReadFrame): readonly Told<Id>[] {
    if (frame.from !== 'agent') return NOTHING;
    const exit = exitOf(ledger.process);
    const t = arrival(frame);
    this.#lastF = frame.f;
    this.#lastT = t;
    if (this.#isHeld) this.#heldUntil = t;
    this.#isHeld = false;
    if (!exit || !this.#isLate(t, exit.t) || this.#toldAfterExit) return NOTHING;
    this.#toldAfterExit = true;
    return [afterExit(frame.f, exit.f, t - exit.t)];
  }

  #isLate(t: number, ended: number): boolean {
    return t - Math.max(ended, this.#heldUntil) >= DRAINED;
  }
}

/** The time of a line that is cut off is when the recorder gave up waiting for its end. */
function arrival({ t, t0, eol }: Frame): number {
  return eol === '' ? (t0 ?? t) : t;
}

function afterExit(f: number, exitF: number, seconds: number): Told<Id> {
  const message = `written ${seconds.toFixed(1)} s after the agent ended: another process still has its stdout open`;
  return { rule: 'io-after-exit', f, frames: [exitF], message, timed: true };
}

export const PROCESS_RULES = ofParts(watch(null, HEADS, (session) => new ProcessWatcher(session)));
