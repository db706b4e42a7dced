/** Token counts. The input includes cached tokens (qwen, like OpenAI) or does not (Claude). */
import type { Event, Usage } from '../../model/event.ts';
import { addUsage, noUsage } from '../../model/timeline/entries.ts';
import { numberOf, objectOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** Null if there are no counts, or both are 0, as on all but the last line of an answer. */
export function usageOf(value: unknown, cachedIsInput: boolean | null): Usage | null {
  const counts = objectOf(value);
  const input = numberOf(counts.input_tokens) ?? 0;
  const output = numberOf(counts.output_tokens) ?? 0;
  if (input === 0 && output === 0) return null;
  const cache_read = numberOf(counts.cache_read_input_tokens) ?? 0;
  const cache_write = numberOf(counts.cache_creation_input_tokens) ?? 0;
  // Only Claude reports cache writes.
  const inside = cachedIsInput ?? counts.cache_creation_input_tokens === undefined;
  return { input: inside ? Math.max(0, input - cache_read) : input, cache_read, cache_write, output };
}

/** The tokens that a result reports: Claude's of its turn and, by model, of the process, qwen's of the process (rule U3). */
export class ResultUsage {
  /** The sum of Claude's turns, for versions that do not report it. */
  #sum = noUsage();

  read({ usage, modelUsage }: JsonObject, cachedIsInput: boolean | null): Event & { kind: 'usage' } {
    const reported = usageOf(usage, cachedIsInput);
    if (cachedIsInput !== false) return usageEvent(reported ?? noUsage(), true);
    if (reported) addUsage(this.#sum, reported);
    const byModel = Object.values(objectOf(modelUsage)).map(ofModel);
    return { ...usageEvent(byModel.length > 0 ? sumOf(byModel) : { ...this.#sum }, true), ofTurn: reported };
  }
}

function ofModel(value: unknown): Usage {
  const { inputTokens, cacheReadInputTokens, cacheCreationInputTokens, outputTokens } = objectOf(value);
  return {
    input: numberOf(inputTokens) ?? 0,
    cache_read: numberOf(cacheReadInputTokens) ?? 0,
    cache_write: numberOf(cacheCreationInputTokens) ?? 0,
    output: numberOf(outputTokens) ?? 0,
  };
}

function sumOf(parts: Usage[]): Usage {
  const sum = noUsage();
  for (const part of parts) addUsage(sum, part);
  return sum;
}

export function usageEvent(usage: Usage, total: boolean): Event & { kind: 'usage' } {
  return { kind: 'usage', usage, total, context: null };
}

/** What a line of an answer adds to the counts of an earlier line; null if nothing. */
export function addedUsage(usage: Usage, before: Usage | null): Usage | null {
  if (!before) return usage;
  const more = (key: keyof Usage) => Math.max(0, usage[key] - before[key]);
  const inputs = { input: more('input'), cache_read: more('cache_read'), cache_write: more('cache_write') };
  const output = more('output');
  return inputs.input || inputs.cache_read || inputs.cache_write || output ? { ...inputs, output } : null;
}
