/** Debug Adapter Protocol: requests and answers by their numbers, and the handshake. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { pairingRules } from '../../rules/pairing.ts';
import {
  defineRules,
  error,
  info,
  quoted,
  type RuleDefinition,
  type RuleHit,
  textOrJson,
  withBatchParts,
} from '../../rules/rule.ts';

const SPEC = 'DAP, Base Protocol';

const RULES = {
  'dap-message': error.unknown('a message is a request, a response or an event, with its required fields', SPEC),
  'dap-seq': info.unknown('each side numbers its messages, and counts up (reported once per side)', `${SPEC}, seq`),
  'dap-initialize-first': error.client.needsClient(
    'the first request is initialize, and nothing is sent before its answer',
    'DAP, Overview, Initialization',
  ),
};

type DapRule = keyof typeof RULES;

class DapRules {
  readonly #last = new Map<string, number>();
  readonly #reportedSides = new Set<string>();
  #initializeF: number | null = null;
  #isInitialized = false;

  take({ frame, value, message, pairing }: ReadFrame): RuleHit<DapRule>[] {
    const { f, from, form } = frame;
    if (form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return [];
    if (message.envelope === 'none') {
      const keys = Object.keys(value).slice(0, 5).join(', ');
      const text = `not a request, a response or an event (its keys: ${textOrJson(keys) || 'none'})`;
      return [{ rule: 'dap-message', f, fault: from, message: text }];
    }
    if (pairing?.role === 'answers' && pairing.exchange!.askedF === this.#initializeF) this.#isInitialized = true;
    const hits = this.#checkSeq(f, from, value.seq);
    if (from === 'client' && message.envelope === 'request') hits.push(...this.#checkFirst(f, message.method!));
    return hits;
  }

  #checkSeq(f: number, from: 'client' | 'agent', seq: unknown): RuleHit<DapRule>[] {
    const before = this.#last.get(from) ?? 0;
    this.#last.set(from, Number(seq));
    if (Number(seq) > before || this.#reportedSides.has(from)) return [];
    this.#reportedSides.add(from);
    return [{ rule: 'dap-seq', f, fault: from, message: `seq is ${quoted(seq)} after ${before}` }];
  }

  #checkFirst(f: number, command: string): RuleHit<DapRule>[] {
    if (command === 'initialize' && this.#initializeF === null) {
      this.#initializeF = f;
      return [];
    }
    if (this.#isInitialized) return [];
    const frames = this.#initializeF === null ? [] : [this.#initializeF];
    const when = this.#initializeF === null ? 'initialize' : 'initialize was answered';
    return [{ rule: 'dap-initialize-first', f, frames, message: `${textOrJson(command)} before ${when}` }];
  }
}

export const DAP_RULES: readonly RuleDefinition[] = withBatchParts([
  // A request that was cancelled is answered all the same.
  ...pairingRules({ prefix: 'dap', dialects: ['dap'], source: SPEC, withdraws: () => undefined }),
  ...defineRules(['dap'], RULES, () => new DapRules()),
]);
