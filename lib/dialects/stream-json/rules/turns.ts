/** stream-json: a turn begins with system/init and ends with one result, which says how it ended. */
import type { Ledger } from '../../../model/ledger/ledger.ts';
import type { TurnRecord } from '../../../model/ledger/records.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { numberOf, objectOf, stringOf } from '../../common/fields.ts';
import type { JsonObject } from '../../dialect.ts';
import {
  type CheckedSession,
  defineRules,
  error,
  info,
  quoted,
  type RuleHit,
  textOrJson,
  warning,
} from '../../rules/rule.ts';
import { exitOf, judgeAgentOmission } from '../../rules/session-end.ts';
import { isForeign, messagesOf, StreamProgram } from './program.ts';

const REF = 'qwen-stream-json-acp-mcp';

const RULES = {
  'stream-init-first': error.agent('the agent sends system/init before anything else', `${REF} 2.1 and 2.3`),
  'stream-no-result': warning.agent('a turn ends with a result', `${REF} 2.6; claude-agent-acp#688, copilot-cli#4561`),
  'stream-prompt-ignored': error.agent('every user line becomes a turn', `${REF} 2.2 and 2.6 (interrupt when idle)`),
  'stream-result-stray': warning.agent.needsClient(
    'a result ends an open turn',
    `${REF} 2.2: one result for each user line`,
  ),
  'stream-result-contradicts': error.agent('is_error and subtype agree', `${REF} 2.3; qwen-code#8920`),
  'stream-hidden-error': info.agent('an error of the model is not reported as a success', `${REF} 2.6; qwen-code#8920`),
  'stream-interrupt': warning.agent('a turn stops when its interrupt is acknowledged', `${REF} 2.6`),
  'stream-interrupt-idle': info.client(
    'the client interrupts only an open turn',
    `${REF} 2.6: some versions then swallow the next user line`,
  ),
  'stream-session-id': warning.agent('the session id stays the same, unless system/init names another', `${REF} 2.5`),
  'stream-usage-shrinks': warning.agent(
    'the usage in results (qwen) is a total for the session, so it never shrinks',
    `${REF} 2.3`,
  ),
};

type StreamTurnRule = keyof typeof RULES;

/** Lines of a turn; others come at any time. */
const OF_A_TURN = new Set(['assistant', 'user', 'stream_event', 'result']);

class StreamTurnRules {
  readonly #program: StreamProgram;
  /** Prompts that only the sibling dialect knows: agents of this one need not take them up. */
  readonly #foreign = new Set<number>();
  /** The latest. */
  #turn: TurnRecord | null = null;
  #isInitialised = false;
  #hasReportedInit = false;
  #session: string | null = null;
  #tokens: { f: number; sum: number } | null = null;
  /** The acknowledged interrupt of the open turn. */
  #interrupted: number | null = null;

  constructor(session: CheckedSession) {
    this.#program = new StreamProgram(session);
  }

  take(read: ReadFrame): RuleHit<StreamTurnRule>[] {
    const { f, from } = read.frame;
    const hits: RuleHit<StreamTurnRule>[] = [];
    const foreign = isForeign(read);
    if (from === 'client') {
      if (foreign && read.events.some(({ kind }) => kind === 'prompt')) this.#foreign.add(f);
      return [];
    }
    // What was interrupted is judged before the frame ends the turn.
    if (from === 'agent' && !foreign) hits.push(...this.#checkInterrupt(read));
    hits.push(...this.#checkBrackets(read));
    if (from === 'agent' && !foreign) for (const line of messagesOf(read)) hits.push(...this.#checkLine(f, line));
    return hits;
  }

  end({ process, turns }: Ledger): RuleHit<StreamTurnRule>[] {
    const { why, ...how } = judgeAgentOmission(process);
    // Claude adds prompts that come while it works to the open turn.
    const merged = this.#program.isQwen ? {} : { severity: 'info' as const };
    const hits: RuleHit<StreamTurnRule>[] = this.#waiting(turns).map((f) => {
      const message = `the agent never took up the prompt, ${why}`;
      return { rule: 'stream-prompt-ignored', f, message, ...how, ...merged };
    });
    if (!this.#turn || this.#turn.answered) return hits;
    const { firstSignal } = process;
    const exit = exitOf(process);
    // A client that ends the agent during a turn needs no result, and some versions exit after an interrupt.
    const isWanted = firstSignal || exit?.signal || this.#interrupted !== null;
    const calm = isWanted ? { severity: 'info' as const } : {};
    const code = exit && exit.code !== null ? ` (exit ${exit.code})` : '';
    const message = `the turn ended without a result, ${why}${code}`;
    hits.push({ rule: 'stream-no-result', f: this.#turn.f, message, ...how, ...calm });
    return hits;
  }

  #waiting({ waitingPrompts: waiting }: Ledger['turns']): number[] {
    return [...waiting].filter((f) => !this.#foreign.has(f));
  }

  #checkBrackets({ frame: { f }, events, ledger }: ReadFrame): RuleHit<StreamTurnRule>[] {
    const hits: RuleHit<StreamTurnRule>[] = [];
    events.forEach(({ kind }, n) => {
      const { begun, answered } = ledger.notes[n]!;
      if (begun) this.#turn = begun.turn;
      if (begun || kind === 'prompt-answer') this.#interrupted = null;
      if (kind === 'prompt-answer' && !answered)
        hits.push({ rule: 'stream-result-stray', f, message: 'a result, but no turn is open' });
    });
    return hits;
  }

  /** Interrupts, and what the agent does in spite of them. */
  #checkInterrupt({ frame: { f }, message, pairing, value, ledger: { turns } }: ReadFrame): RuleHit<StreamTurnRule>[] {
    const exchange = pairing?.exchange;
    if (message.envelope === 'response' && pairing?.role === 'answers' && exchange?.method === 'interrupt') {
      if (turns.current) this.#interrupted = f;
      else if (this.#waiting(turns).length === 0) {
        const message = 'interrupt, but no turn is open';
        return [{ rule: 'stream-interrupt-idle', f: exchange.askedF, frames: [f], message }];
      }
      return [];
    }
    if (this.#interrupted === null) return [];
    const frames = [this.#interrupted];
    const { type, is_error } = objectOf(value);
    if (message.envelope === 'request' && message.method === 'can_use_tool') {
      const message = 'the agent asks to use a tool in a turn that was interrupted';
      return [{ rule: 'stream-interrupt', f, frames, message }];
    }
    if (type !== 'result' || is_error === true) return [];
    // It may have been over already, and only its result was late.
    const text = 'the turn was interrupted, but ended as a success';
    return [{ rule: 'stream-interrupt', f, frames, severity: 'info', message: text }];
  }

  #checkLine(f: number, line: JsonObject): RuleHit<StreamTurnRule>[] {
    this.#program.take(line);
    const isInit = line.type === 'system' && line.subtype === 'init';
    if (isInit) this.#isInitialised = true;
    return [
      ...this.#checkFirst(f, line),
      ...this.#checkSession(f, line, isInit),
      ...(line.type === 'result' ? this.#checkResult(f, line) : []),
    ];
  }

  #checkFirst(f: number, { type }: JsonObject): RuleHit<StreamTurnRule>[] {
    if (this.#isInitialised || this.#hasReportedInit || typeof type !== 'string' || !OF_A_TURN.has(type)) return [];
    if (type === 'result' && this.#program.printsResult) return [];
    this.#hasReportedInit = true;
    return [{ rule: 'stream-init-first', f, message: `${textOrJson(type)} before system/init` }];
  }

  #checkSession(f: number, { session_id }: JsonObject, isInit: boolean): RuleHit<StreamTurnRule>[] {
    const id = stringOf(session_id);
    const before = this.#session;
    if (id === null || id === before) return [];
    this.#session = id;
    if (before === null || isInit) return [];
    return [
      {
        rule: 'stream-session-id',
        f,
        message: `the session id changed from ${textOrJson(before)} to ${textOrJson(id)}`,
      },
    ];
  }

  #checkResult(f: number, { subtype, is_error, result, usage }: JsonObject): RuleHit<StreamTurnRule>[] {
    const hits: RuleHit<StreamTurnRule>[] = [];
    const isSuccess = subtype === 'success';
    if (typeof is_error === 'boolean' && typeof subtype === 'string' && is_error === isSuccess) {
      // Claude reports errors of the model in this way.
      const severity = isSuccess ? ('info' as const) : ('error' as const);
      const message = `the subtype is ${textOrJson(subtype)}, but is_error is ${is_error}`;
      hits.push({ rule: 'stream-result-contradicts', f, severity, message });
    } else if (isSuccess && /^\[API Error\b/.test(stringOf(result) ?? '')) {
      hits.push({
        rule: 'stream-hidden-error',
        f,
        message: `the result is a success, but its text is ${quoted(result)}`,
      });
    }
    if (this.#program.isQwen && isSuccess) hits.push(...this.#checkSum(f, objectOf(usage)));
    return hits;
  }

  #checkSum(f: number, usage: JsonObject): RuleHit<StreamTurnRule>[] {
    const sum = (numberOf(usage.input_tokens) ?? 0) + (numberOf(usage.output_tokens) ?? 0);
    const before = this.#tokens;
    this.#tokens = { f, sum };
    if (!before || sum >= before.sum) return [];
    const message = `the usage shrank from ${before.sum} tokens in f${before.f} to ${sum}`;
    return [{ rule: 'stream-usage-shrinks', f, frames: [before.f], message }];
  }
}

export const STREAM_TURN_RULES = defineRules(['stream-json'], RULES, (session) => new StreamTurnRules(session));
