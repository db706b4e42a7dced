/** The version that both sides agree on: the agent answers with the lower one of its own and the live client's. */

import { objectOf } from '../dialects/common/fields.ts';
import type { JsonObject } from '../dialects/dialect.ts';
import type { ReplayTraits } from '../dialects/traits.ts';

/** `line`: the recorded answer as it would be sent; `request`: the live client's handshake. */
export function negotiateVersion(
  line: string,
  answer: unknown,
  request: JsonObject,
  { negotiated }: ReplayTraits,
): string {
  if (!negotiated) return line;
  const requested = valueAt(request, negotiated.requested);
  const answered = valueAt(answer, negotiated.answered);
  if (!isLower(requested, answered)) return line;
  const whole = JSON.parse(line) as JsonObject;
  const path = negotiated.answered.split('.');
  const key = path.pop()!;
  objectOf(path.reduce<unknown>((value, step) => objectOf(value)[step], whole))[key] = requested;
  return JSON.stringify(whole);
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((here, key) => objectOf(here)[key], value);
}

/** Versions are numbers, or dates as text. */
function isLower(one: unknown, other: unknown): boolean {
  if (typeof one === 'number' && typeof other === 'number') return one < other;
  return typeof one === 'string' && typeof other === 'string' && one < other;
}
