/** The tokens of one of the model's answers. Whether the prompt includes cached tokens follows from the sum. */
import type { Event } from '../../model/event.ts';
import { numberOf, tokensOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

export function usageOf(statistics: JsonObject): Event {
  const count = (key: string) => numberOf(statistics[key]) ?? 0;
  const prompt = count('prompt_tokens');
  const output = count('completion_tokens');
  const cached = count('cached_input_tokens');
  const written = count('cache_write_tokens');
  const inside = count('total_tokens') < prompt + output + cached + written;
  const input = inside ? Math.max(0, prompt - cached - written) : prompt;
  const used = numberOf(statistics.context_tokens);
  const context = used === null ? null : { used, size: null, share: null };
  return { kind: 'usage', usage: tokensOf(input, cached, written, output), total: false, context };
}
