/**
 * Tokens in ACP (rule U4). `totalTokens` tells whether the input includes cached tokens. Whether the answer to a prompt
 * counts its turn or the session so far, agents do not say: it follows from what the numbers do from answer to answer.
 */
import type { Usage } from '../../model/event.ts';
import { addUsage, noUsage, subtractUsage } from '../../model/timeline/entries.ts';
import { numberOf, objectOf, tokensOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** `isOfTurn`: agents that count in this way count turns, until the numbers show otherwise. */
interface ReportedUsage {
  usage: Usage;
  isOfTurn: boolean;
}

/** Tokens with the keys of ACP; null if there are none. */
export function usageOf(value: unknown): Usage | null {
  return readUsage(objectOf(value))?.usage ?? null;
}

/** The tokens in the answer to a prompt. Gemini has them in `_meta`, and counts turns. */
function answeredUsage({ usage, _meta }: JsonObject): ReportedUsage | null {
  const reported = readUsage(objectOf(usage));
  if (reported) return reported;
  const count = objectOf(objectOf(objectOf(_meta).quota).token_count);
  const input = numberOf(count.input_tokens) ?? numberOf(count.inputTokens);
  if (input === null) return null;
  const output = numberOf(count.output_tokens) ?? numberOf(count.outputTokens) ?? 0;
  return { usage: { ...noUsage(), input, output }, isOfTurn: true };
}

function readUsage(counts: JsonObject): ReportedUsage | null {
  const input = numberOf(counts.inputTokens);
  if (input === null) return null;
  const cache_read = numberOf(counts.cachedReadTokens) ?? 0;
  const cache_write = numberOf(counts.cachedWriteTokens) ?? 0;
  const output = numberOf(counts.outputTokens) ?? 0;
  const thoughts = numberOf(counts.thoughtTokens) ?? 0;
  const cached = cache_read + cache_write;
  // What the total has besides input and output: cached tokens, thoughts, both, or nothing.
  const remainder = (numberOf(counts.totalTokens) ?? input + output) - input - output;
  const isBeside = cached > 0 && (cached > input || (remainder >= cached && remainder !== thoughts));
  const isThought = thoughts > 0 && remainder === (isBeside ? cached : 0) + thoughts;
  const usage = {
    input: isBeside ? input : Math.max(0, input - cached),
    cache_read,
    cache_write,
    output: isThought ? output + thoughts : output,
  };
  return { usage, isOfTurn: isBeside };
}

/** A session is taken to be summed up if its numbers have grown like a sum this often. */
const STEADY = 2;

/** The tokens of one session, from answer to answer. */
export class AcpTally {
  /** The size of the context, if the agent has reported it since the last answer. */
  level: number | null = null;
  /** What the session has used so far. */
  sum = noUsage();
  #last: Usage | null = null;
  /** What it had used before this process went on with it. */
  #before = noUsage();
  /** All answers added up. */
  readonly #added = noUsage();
  /** The numbers have shown that they count turns. */
  #isOfTurn = false;
  /** An answer has counted in the way of agents that count turns. */
  #isLikeTurns = false;
  #growth = 0;

  /** vibe tells what a session has used when it is loaded. */
  loaded({ promptTokens, cachedTokens, completionTokens }: JsonObject): void {
    if (this.#last || typeof promptTokens !== 'number') return;
    const cached = numberOf(cachedTokens) ?? 0;
    this.#before = tokensOf(Math.max(0, promptTokens - cached), cached, 0, completionTokens);
    this.#last = this.#before;
  }

  /** What this answer says that its turn used; null if it says nothing. */
  answer(result: JsonObject): Usage | null {
    const reported = answeredUsage(result);
    const level = this.level;
    this.level = null;
    if (!reported) return null;
    const { usage } = reported;
    if (this.#last) this.#compare(usage, this.#last, level);
    addUsage(this.#added, usage);
    this.#isLikeTurns ||= reported.isOfTurn;
    const isOfTurn = this.#isOfTurn || (this.#isLikeTurns && this.#growth < STEADY);
    const used = isOfTurn || !this.#last ? usage : subtractUsage(usage, this.#last);
    this.sum = isOfTurn ? { ...this.#added } : subtractUsage(usage, this.#before);
    this.#last = usage;
    return used;
  }

  /**
   * A sum never shrinks, and grows by at least the context of the last request. Equal numbers show nothing, and neither does
   * a context that is larger than all tokens of the session: the agent only estimates it.
   */
  #compare(usage: Usage, last: Usage, level: number | null): void {
    if (KEYS.some((key) => usage[key] < last[key])) this.#isOfTurn = true;
    const grown = sizeOf(usage) - sizeOf(last);
    if (grown <= 0 || level === null || level > sizeOf(usage)) return;
    if (grown < level / 2) this.#isOfTurn = true;
    else this.#growth = grown >= level ? this.#growth + 1 : 0;
  }
}

const KEYS = ['input', 'cache_read', 'cache_write', 'output'] as const;

const sizeOf = (usage: Usage): number => KEYS.reduce((size, key) => size + usage[key], 0);
