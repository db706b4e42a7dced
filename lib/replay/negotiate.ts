/** The version that both sides agree on: the agent answers with the lower one of its own and the live client's. */

import { objectOf } from '../dialects/common/fields.ts';
import type { Json } from '../dialects/dialect.ts';
import type { Replay } from '../dialects/traits.ts';

/** `line`: the recorded answer as it would be sent; `request`: the live client's handshake. */
export function negotiate(line: string, answer: unknown, request: Json, { negotiated }: Replay): string {
  if (!negotiated) return line;
  const asked = valueAt(request, negotiated.asked);
  const answered = valueAt(answer, negotiated.answered);
  if (!isLower(asked, answered)) return line;
  const whole = JSON.parse(line) as Json;
  const path = negotiated.answered.split('.');
  const key = path.pop()!;
  objectOf(path.reduce<unknown>((value, step) => objectOf(value)[step], whole))[key] = asked;
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
