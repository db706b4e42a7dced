/** Codex counts cached tokens as part of the input. */
import type { Usage } from '../../model/event.ts';
import { numberOf, tokensOf } from '../common/fields.ts';

export function codexUsage(input: unknown, cached: unknown, written: unknown, output: unknown): Usage {
  return tokensOf(Math.max(0, (numberOf(input) ?? 0) - (numberOf(cached) ?? 0)), cached, written, output);
}
