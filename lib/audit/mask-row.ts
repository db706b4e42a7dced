/** A row for the screen, with `***` in place of secrets: in commands, in texts, and under names such as `password`. */
import { isObject } from '../core/message.ts';
import { isSecretName, masked } from '../core/secret.ts';
import type { ApprovalRow } from './row.ts';

/** Deeper values are shown by nobody. */
const DEEPEST = 32;

export function maskedRow(row: ApprovalRow): ApprovalRow {
  return {
    ...row,
    arguments: maskedValue(row.arguments),
    executed_arguments: maskedValue(row.executed_arguments),
    description: row.description === null ? null : masked(row.description),
    feedback: row.feedback === null ? null : masked(row.feedback),
    displays: maskedValue(row.displays) as ApprovalRow['displays'],
    answers: maskedValue(row.answers),
  };
}

function maskedValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return masked(value);
  if (depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((one) => maskedValue(one, depth + 1));
  if (!isObject(value)) return value;
  const told = ([key, one]: [string, unknown]) => [
    key,
    typeof one === 'string' && isSecretName(key)
      ? masked(`${key}=${one}`).slice(key.length + 1)
      : maskedValue(one, depth + 1),
  ];
  return Object.fromEntries(Object.entries(value).map(told));
}
