/** A row for the screen, with `***` in place of secrets: in commands, in texts, and under names such as `password`. */
import { maskSecretsInValue } from '../../model/text/secret.ts';
import type { ApprovalRow } from './row.ts';

const MASKED_FIELDS = [
  'arguments',
  'executed_arguments',
  'changed_arguments',
  'subject',
  'description',
  'feedback',
  'displays',
  'answers',
] as const;

/** The row itself if it has no secrets. */
export function maskedRow(row: ApprovalRow): ApprovalRow {
  let copy: ApprovalRow | null = null;
  for (const key of MASKED_FIELDS) {
    const value = maskSecretsInValue(row[key]);
    if (value !== row[key]) copy = { ...(copy ?? row), [key]: value };
  }
  return copy ?? row;
}
