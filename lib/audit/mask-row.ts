/** A row for the screen, with `***` in place of secrets: in commands, in texts, and under names such as `password`. */
import { isSecretName, masked } from '../core/secret.ts';
import type { ApprovalRow } from './row.ts';

/** Deeper values are shown by nobody. */
const DEEPEST = 32;

const MASKED = ['arguments', 'executed_arguments', 'description', 'feedback', 'displays', 'answers'] as const;

/** The row itself if it has no secrets. */
export function maskedRow(row: ApprovalRow): ApprovalRow {
  return changed(row, MASKED, (_, value) => maskedValue(value, 0));
}

function maskedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return masked(value);
  if (depth > DEEPEST || value === null || typeof value !== 'object') return value;
  const of = value as Record<string, unknown>;
  return changed(of, Object.keys(of), (key, one) =>
    typeof one === 'string' && isSecretName(key)
      ? masked(`${key}=${one}`).slice(key.length + 1)
      : maskedValue(one, depth + 1),
  );
}

/** A copy with other values under these keys; the same object if they stay as they are. */
function changed<T extends object>(
  of: T,
  keys: readonly (keyof T)[],
  change: (key: string, value: unknown) => unknown,
): T {
  let copy: T | null = null;
  for (const key of keys) {
    const value = change(key as string, of[key]);
    if (value === of[key]) continue;
    copy ??= Array.isArray(of) ? ([...of] as T) : { ...of };
    copy[key] = value as T[keyof T];
  }
  return copy ?? of;
}
