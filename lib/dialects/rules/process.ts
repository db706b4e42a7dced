/** The process of the agent: how it ended, who left too early, who wrote after the end. Only what is certain is reported. */
import type { Event } from '../../model/event.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Frame } from '../../model/frame.ts';
import { LimitedMap } from '../../model/limited-map.ts';
import type { ReadFrame } from '../../model/read-frame.ts';
import { idText } from '../common/fields.ts';
import { noticeHint } from '../common/notices.ts';
import type { Traits } from '../traits.ts';
import { excerpt, hasJsonLines } from './lines.ts';
import {
  type CheckedSession,
  defineRules,
  error,
  NOTHING,
  quoted,
  type RuleHit,
  textOrJson,
  warning,
  withBatchParts,
} from './rule.ts';
import { exitOf, isAnswerDue, isClientClosingStdin } from './session-end.ts';

/** Dialects in which a client talks with the agent, so that either can leave too early. */
const hasConversation = ({ linesAreJson, needsNoClient }: Traits): boolean => linesAreJson && !needsNoClient;

const RULES = {
  'io-not-started': error.agent(
    'the agent starts, instead of printing a text and exiting',
    'kimi-cli 1.52.0, which prints that it is no longer maintained and exits with 0',
    { dialects: hasJsonLines },
  ),
  'io-early-eof': error.client(
    'the client does not close stdin while the agent waits for its answer',
    'claude-agent-sdk-python#1105, claude-code#76204; qwen-stream-json-acp-mcp 2.4 ("Input closed")',
    { dialects: hasConversation },
  ),
  'io-exit-success': warning.agent(
    'a run whose only turn failed does not exit with 0',
    'qwen-code#8920, opencode#36413',
    { dialects: hasConversation },
  ),
  'io-exit-failure': warning.agent(
    'an agent that answered its last prompt successfully exits with 0',
    'kimi-cli#826, perry#9400',
    { dialects: hasConversation },
  ),
  'io-crash': error.agent('the agent does not crash', 'signal(7): SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP'),
  'io-after-exit': warning.agent(
    'nothing is written to stdout after the agent has ended',
    'qwen-stream-json-acp-mcp 3, the relaunch trap',
  ),
};

type ProcessRule = keyof typeof RULES;

const CRASH_SIGNALS = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);
/** Seconds after the end in which the rest of the pipe is read: a reader that pauses for longer is reported as stalled. */
const DRAIN_SECONDS = 1;

class ProcessRules {
  readonly #session: CheckedSession;
  /** Requests of the agent that the client has not answered, and their ids as text. */
  readonly #agentRequests = new LimitedMap<Exchange, string | null>();
  #oneShot = false;
  /** As of the latest line: when the process ends, its turn ends too. */
  #turnIsOpen = false;
  /** The answer to the last prompt, as long as the client has sent nothing since. */
  #lastAnswer: { f: number; ok: boolean; status: string } | null = null;
  /** The agent's last line; 0: there is none. */
  #lastF = 0;
  #lastT = 0;
  /** Until then, lines of the agent waited for the client to read, so it is not known when they were written. */
  #stalledUntil = 0;
  #isStalled = false;
  /** The client closed the agent's stdout: that makes most programs fail. */
  #clientStoppedReading = false;
  #hasReportedAfterExit = false;
  /** The agent's first line that is not a message, as long as it has sent no message. */
  #firstText: { f: number; text: string } | null = null;
  #agentSpoke = false;

  constructor(session: CheckedSession) {
    this.#session = session;
  }

  take(read: ReadFrame): readonly RuleHit<ProcessRule>[] {
    const { frame, ledger } = read;
    if (frame.form === 'event') return this.#takeEvent(read);
    this.#trackRequests(read);
    if (frame.from === 'agent' && !this.#agentSpoke) this.#rememberFirstText(read);
    if (frame.from === 'client') this.#lastAnswer = null;
    for (let n = 0; n < read.events.length; n++) this.#trackEvent(frame, read.events[n]!);
    this.#turnIsOpen = ledger.turns.current !== null;
    return this.#checkAfterExit(read);
  }

  #trackRequests({ frame: { from }, pairing, message }: ReadFrame): void {
    const exchange = pairing?.exchange;
    if (exchange?.asker !== 'agent') return;
    if (from === 'client') this.#agentRequests.delete(exchange);
    else if (pairing?.role === 'asks') this.#agentRequests.set(exchange, idText(message.id));
  }

  #trackEvent({ f, from }: Frame, event: Event): void {
    if (event.flags?.includes('replayed')) return;
    if (event.takes === 0) this.#oneShot = true;
    if (event.kind === 'cancel' && event.of !== null && from === 'agent') this.#withdraw(event.of);
    else if (event.kind === 'prompt-answer') {
      const ok = event.code === null && !event.status.startsWith('error');
      this.#lastAnswer = { f, ok, status: event.status };
    }
  }

  #rememberFirstText({ frame: { f, raw }, value }: ReadFrame): void {
    this.#agentSpoke = typeof value === 'object' && value !== null;
    const text = excerpt(raw).trim();
    if (text !== '') this.#firstText ??= { f, text };
  }

  #withdraw(name: string): void {
    for (const [exchange, id] of this.#agentRequests.entries()) if (id === name) this.#agentRequests.delete(exchange);
  }

  #takeEvent(read: ReadFrame): RuleHit<ProcessRule>[] {
    const { frame } = read;
    const { event, detail } = frame;
    switch (event) {
      case 'eof':
        if (frame.from === 'agent' && detail.by === 'client') this.#clientStoppedReading = true;
        return isClientClosingStdin(read) ? this.#checkEarlyEof(read) : [];
      case 'stalled':
        if (detail.stream === 'agent') this.#isStalled = true;
        return [];
      case 'exit':
        return [...this.#checkNotStarted(read), ...this.#checkExit(read), ...this.#checkLateOutput(frame)];
      default:
        return [];
    }
  }

  #checkEarlyEof({ frame: { f }, ledger }: ReadFrame): RuleHit<ProcessRule>[] {
    const awaited = [...this.#agentRequests.keys()].filter(({ askedF }) => isAnswerDue(ledger, askedF));
    return awaited.map(({ askedF, method }) => {
      const message = `the client closed stdin while ${textOrJson(method)} (f${askedF}) was waiting for its answer`;
      return { rule: 'io-early-eof', f, frames: [askedF], message };
    });
  }

  #checkNotStarted({ frame: { f }, ledger }: ReadFrame): RuleHit<ProcessRule>[] {
    const notice = this.#agentSpoke ? null : this.#firstText;
    const { code } = exitOf(ledger.process)!;
    if (!notice || code === null || ledger.process.firstSignal) return [];
    const known = noticeHint(notice.text);
    const message = `the agent printed a text and exited with ${code} instead of starting: ${known ?? quoted(notice.text)}`;
    return [{ rule: 'io-not-started', f: notice.f, frames: [f], message }];
  }

  #checkExit({ frame: { f }, ledger }: ReadFrame): RuleHit<ProcessRule>[] {
    const { code, signal } = exitOf(ledger.process)!;
    if (signal !== null) {
      return CRASH_SIGNALS.has(signal) ? [{ rule: 'io-crash', f, message: `the agent crashed with ${signal}` }] : [];
    }
    if (code === null || ledger.process.firstSignal || this.#turnIsOpen) return [];
    const answer = this.#lastAnswer;
    if (code === 0 && answer && !answer.ok && this.#oneShot) {
      const message = `the agent exited with 0, although its prompt ended with "${textOrJson(answer.status)}" in f${answer.f}`;
      return [{ rule: 'io-exit-success', f, frames: [answer.f], message }];
    }
    if (code === 0 || this.#clientStoppedReading || (answer ? !answer.ok : this.#session.traits.hasTurns)) return [];
    const after = answer ? `, although its last prompt ended with "${textOrJson(answer.status)}" in f${answer.f}` : '';
    const message = `the agent exited with ${code}${after}`;
    return [{ rule: 'io-exit-failure', f, frames: answer ? [answer.f] : [], message }];
  }

  /** In wiretape's own tapes, the exit is the last frame, and has the time at which the process itself ended. */
  #checkLateOutput({ f, detail }: Frame): RuleHit<ProcessRule>[] {
    const { ended } = detail;
    if (typeof ended !== 'number' || this.#lastF === 0 || !this.#isLate(this.#lastT, ended)) return [];
    return [makeLateOutputHit(this.#lastF, f, this.#lastT - ended)];
  }

  #checkAfterExit({ frame, ledger }: ReadFrame): readonly RuleHit<ProcessRule>[] {
    if (frame.from !== 'agent') return NOTHING;
    const exit = exitOf(ledger.process);
    const t = arrivalTime(frame);
    this.#lastF = frame.f;
    this.#lastT = t;
    if (this.#isStalled) this.#stalledUntil = t;
    this.#isStalled = false;
    if (!exit || !this.#isLate(t, exit.t) || this.#hasReportedAfterExit) return NOTHING;
    this.#hasReportedAfterExit = true;
    return [makeLateOutputHit(frame.f, exit.f, t - exit.t)];
  }

  #isLate(t: number, ended: number): boolean {
    return t - Math.max(ended, this.#stalledUntil) >= DRAIN_SECONDS;
  }
}

/** The time of a line that is cut off is when the recorder gave up waiting for its end. */
function arrivalTime({ t, t0, eol }: Frame): number {
  return eol === '' ? (t0 ?? t) : t;
}

function makeLateOutputHit(f: number, exitF: number, seconds: number): RuleHit<ProcessRule> {
  const message = `written ${seconds.toFixed(1)} s after the agent ended: another process still has its stdout open`;
  return { rule: 'io-after-exit', f, frames: [exitF], message, timed: true };
}

export const PROCESS_RULES = withBatchParts(defineRules(null, RULES, (session) => new ProcessRules(session)));
