/** Debug Adapter Protocol: requests and answers by their numbers, and the handshake. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import { pairingRules } from '../../rules/pairing.ts';
import { error, info, ofParts, quoted, type RuleDefinition, type Told, watch, word } from '../../rules/rule.ts';

const SPEC = 'DAP, Base Protocol';

const HEADS = {
  'dap-message': error.unknown('a message is a request, a response or an event, with its required fields', SPEC),
  'dap-seq': info.unknown('each side numbers its messages, and counts up (reported once per side)', `${SPEC}, seq`),
  'dap-initialize-first': error.client.needsClient(
    'the first request is initialize, and nothing is sent before its answer',
    'DAP, Overview, Initialization',
  ),
};

type Id = keyof typeof HEADS;

class Messages {
  readonly #last = new Map<string, number>();
  readonly #told = new Set<string>();
  #asked: number | null = null;
  #answered = false;

  take({ frame, value, message, pairing }: ReadFrame): Told<Id>[] {
    const { f, from, form } = frame;
    if (form === 'event' || !isObject(value) || (from !== 'client' && from !== 'agent')) return [];
    if (message.envelope === 'none') {
      const keys = Object.keys(value).slice(0, 5).join(', ');
      const text = `not a request, a response or an event (its keys: ${word(keys) || 'none'})`;
      return [{ rule: 'dap-message', f, fault: from, message: text }];
    }
    if (pairing?.role === 'answers' && pairing.exchange!.askedF === this.#asked) this.#answered = true;
    const told = this.#seq(f, from, value.seq);
    if (from === 'client' && message.envelope === 'request') told.push(...this.#first(f, message.method!));
    return told;
  }

  #seq(f: number, from: 'client' | 'agent', seq: unknown): Told<Id>[] {
    const before = this.#last.get(from) ?? 0;
    this.#last.set(from, Number(seq));
    if (Number(seq) > before || this.#told.has(from)) return [];
    this.#told.add(from);
    return [{ rule: 'dap-seq', f, fault: from, message: `seq is ${quoted(seq)} after ${before}` }];
  }

  #first(f: number, command: string): Told<Id>[] {
    if (command === 'initialize' && this.#asked === null) {
      this.#asked = f;
      return [];
    }
    if (this.#answered) return [];
    const frames = this.#asked === null ? [] : [this.#asked];
    const when = this.#asked === null ? 'initialize' : 'initialize was answered';
    return [{ rule: 'dap-initialize-first', f, frames, message: `${word(command)} before ${when}` }];
  }
}

export const DAP_RULES: readonly RuleDefinition[] = ofParts([
  // A request that was cancelled is answered all the same.
  ...pairingRules({ prefix: 'dap', dialects: ['dap'], source: SPEC, withdraws: () => undefined }),
  ...watch(['dap'], HEADS, () => new Messages()),
]);
