/** Follows a path through a message, using only own keys and array elements: never the prototype. */
import { isObject } from '../../model/message.ts';
import type { PathStep } from './ast.ts';

/** Whether a value at the path passes. Null is a value. */
export function somePathValue(
  value: unknown,
  path: readonly PathStep[],
  passes: (value: unknown) => boolean,
  from = 0,
): boolean {
  let current = value;
  for (let i = from; i < path.length; i++) {
    const step = path[i]!;
    if ('any' in step) return anyOf(current, path, passes, i + 1);
    if ('index' in step) {
      if (!Array.isArray(current) || step.index >= current.length) return false;
      current = current[step.index];
    } else {
      if (!isObject(current) || !Object.hasOwn(current, step.key)) return false;
      current = current[step.key];
    }
  }
  return current !== undefined && passes(current);
}

function anyOf(value: unknown, path: readonly PathStep[], passes: (value: unknown) => boolean, from: number): boolean {
  if (Array.isArray(value)) return value.some((element) => somePathValue(element, path, passes, from));
  return isObject(value) && Object.values(value).some((element) => somePathValue(element, path, passes, from));
}

/** A value as text to compare; null for objects, arrays and null. */
export function textOfValue(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? null : String(value);
}
