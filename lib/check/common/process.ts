/** The process at the other end and the recording of it: how it ended, who left too early, what is missing. */
import type { Event } from '../../core/event.ts';
import type { Frame } from '../../core/frame.ts';
import { Recent } from '../../core/recent.ts';
import { idText } from '../../dialects/fields.ts';
import type { ReadFrame } from '../../session/read.ts';
import { error, info, type SessionToCheck, type Told, warning, watch, word } from '../rule.ts';
import { exitOf, isAwaited, isClientLeaving } from './ending.ts';

/** Wire has rules of its own for how its agents are left, and how they exit. */
const NOT_WIRE = ['stream-json', 'qwen-rfc', 'acp', 'mcp', 'jsonrpc'];

const HEADS = {
  'io-early-eof': error.client(
    'the client does not close stdin while the agent waits for its answer',
    'claude-agent-sdk-python#1105, claude-code#76204; qwen-stream-json-acp-mcp 2.4 ("Input closed")',
    { dialects: NOT_WIRE },
  ),
  'io-exit-success': warning.agent(
    'a run whose only turn failed does not exit with 0',
    'qwen-code#8920, opencode#36413',
    { dialects: NOT_WIRE },
  ),
  'io-exit-failure': warning.agent(
    'an agent that answered its last prompt well exits with 0',
    'kimi-cli#826, perry#9400',
    { dialects: NOT_WIRE },
  ),
  'io-crash': error.agent(
    'the agent does not die of its own fault',
    'signal(7): SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGTRAP',
  ),
  'io-after-exit': warning.agent(
    'nothing is written to stdout after the agent has ended',
    'qwen-stream-json-acp-mcp 3, the relaunch trap',
  ),
  'io-gap': info.unknown(
    'the recording has no gaps',
    'wiretape: a gap says how many bytes of which stream are missing',
  ),
  'io-lost': info.unknown(
    'the recording goes to the end of the session',
    'wiretape: the recorder was killed, or left the pipe to a grandchild',
  ),
  'io-undelivered': info.unknown(
    'what was written was read by the other side',
    'wiretape: bytes that were received and could not be handed on',
  ),
};

type Id = keyof typeof HEADS;

const OWN_FAULT = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);
/** What a pipe still held when the process ended is read by then. */
const DRAINED = 0.5;
/** Dialects without turns: how they exit is all there is. */
const NO_TURNS = new Set(['mcp', 'jsonrpc']);

class ProcessWatcher {
  readonly #session: SessionToCheck;
  /** Requests of the agent that the client has not answered, by their frames. */
  readonly #questions = new Recent<number, { method: string; name: string | null }>();
  #oneShot = false;
  /** As of the latest line: when the process ends, so does its turn. */
  #turnIsOpen = false;
  /** Of the last prompt, as long as the client has said nothing since. */
  #answer: { f: number; ok: boolean; status: string } | null = null;
  #lastOfAgent: { f: number; t: number } | null = null;
  #toldAfterExit = false;

  constructor(session: SessionToCheck) {
    this.#session = session;
  }

  take(read: ReadFrame): Told<Id>[] {
    const { frame, ledger } = read;
    if (frame.form === 'event') return this.#happens(read);
    this.#pairs(read);
    if (frame.from === 'client') this.#answer = null;
    for (const event of read.events) this.#event(frame, event);
    this.#turnIsOpen = ledger.turns.current !== null;
    return this.#afterExit(read);
  }

  #pairs({ frame: { f, from }, pairing, message }: ReadFrame): void {
    const exchange = pairing?.exchange;
    if (exchange?.asker !== 'agent') return;
    if (from === 'client') this.#questions.delete(exchange.askedF);
    else if (pairing?.role === 'asks') this.#questions.set(f, { method: exchange.method, name: idText(message.id) });
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

  #withdraw(name: string): void {
    for (const [f, question] of this.#questions.entries()) if (question.name === name) this.#questions.delete(f);
  }

  #happens(read: ReadFrame): Told<Id>[] {
    const { frame } = read;
    const { f, event, detail } = frame;
    switch (event) {
      case 'eof':
        return isClientLeaving(read) ? this.#clientLeaves(read) : [];
      case 'exit':
        return [...this.#exits(read), ...this.#wroteOn(frame), ...undelivered(frame)];
      case 'gap':
        return [{ rule: 'io-gap', f, message: `the recording lacks ${detail.missing ?? 'some'} bytes${of(detail)}` }];
      case 'lost':
        return [{ rule: 'io-lost', f, message: 'the recorder was killed here' }];
      case 'abandoned':
        return [{ rule: 'io-lost', f, message: 'the agent ended, but another process kept its pipes open' }];
      default:
        return [];
    }
  }

  #clientLeaves({ frame: { f }, ledger }: ReadFrame): Told<Id>[] {
    const awaited = [...this.#questions.entries()].filter(([asked]) => isAwaited(ledger, asked));
    return awaited.map(([asked, { method }]) => {
      const message = `the client closed stdin while ${word(method)} of f${asked} was waiting for its answer`;
      return { rule: 'io-early-eof', f, frames: [asked], message };
    });
  }

  #exits({ frame: { f }, ledger }: ReadFrame): Told<Id>[] {
    const { code, signal } = exitOf(ledger.process)!;
    if (signal !== null) {
      return OWN_FAULT.has(signal) ? [{ rule: 'io-crash', f, message: `the agent died of ${signal}` }] : [];
    }
    if (code === null || ledger.process.firstSignal || this.#turnIsOpen) return [];
    const answer = this.#answer;
    if (code === 0 && answer && !answer.ok && this.#oneShot) {
      const message = `the agent exits with 0, though its prompt ended with "${word(answer.status)}" in f${answer.f}`;
      return [{ rule: 'io-exit-success', f, frames: [answer.f], message }];
    }
    if (code === 0 || (answer ? !answer.ok : !NO_TURNS.has(this.#session.dialect))) return [];
    const after = answer ? `, though its last prompt ended with "${word(answer.status)}" in f${answer.f}` : '';
    const message = `the agent exits with ${code}${after}`;
    return [{ rule: 'io-exit-failure', f, frames: answer ? [answer.f] : [], message }];
  }

  /** Of our own tapes the exit is the last frame, and says when the process itself ended. */
  #wroteOn({ f, detail }: Frame): Told<Id>[] {
    const { ended } = detail;
    const last = this.#lastOfAgent;
    if (typeof ended !== 'number' || !last || last.t - ended < DRAINED) return [];
    return [afterExit(last.f, f, last.t - ended)];
  }

  #afterExit({ frame: { f, t, from }, ledger }: ReadFrame): Told<Id>[] {
    const exit = exitOf(ledger.process);
    if (from === 'agent') this.#lastOfAgent = { f, t };
    if (from !== 'agent' || !exit || t - exit.t < DRAINED || this.#toldAfterExit) return [];
    this.#toldAfterExit = true;
    return [afterExit(f, exit.f, t - exit.t)];
  }
}

function afterExit(f: number, exitF: number, seconds: number): Told<Id> {
  const message = `written ${seconds.toFixed(1)} s after the agent ended: another process still has its stdout`;
  return { rule: 'io-after-exit', f, frames: [exitF], message };
}

function undelivered({ f, detail }: Frame): Told<Id>[] {
  const counts = Object.entries((detail.undelivered ?? {}) as Record<string, unknown>).filter(
    ([, bytes]) => Number(bytes) > 0,
  );
  return counts.map(([stream, bytes]) => {
    return { rule: 'io-undelivered', f, message: `${bytes} bytes of the ${stream} were never read by the other side` };
  });
}

function of({ stream }: Record<string, unknown>): string {
  return typeof stream === 'string' ? ` of the ${stream}` : '';
}

export const PROCESS_RULES = watch(null, HEADS, (session) => new ProcessWatcher(session));
