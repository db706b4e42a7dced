/** Follows a path through a message, using only own keys and array elements: never the prototype. */
import { isObject } from '../../model/message.ts';
import type { Step } from './ast.ts';

/** Whether a value at the path passes. Null is a value. */
export function leadsTo(value: unknown, path: readonly Step[], passes: (value: unknown) => boolean, from = 0): boolean {
  let here = value;
  for (let i = from; i < path.length; i++) {
    const step = path[i]!;
    if ('any' in step) return anyOf(here, path, passes, i + 1);
    if ('index' in step) {
      if (!Array.isArray(here) || step.index >= here.length) return false;
      here = here[step.index];
    } else {
      if (!isObject(here) || !Object.hasOwn(here, step.key)) return false;
      here = here[step.key];
    }
  }
  return here !== undefined && passes(here);
}

function anyOf(value: unknown, path: readonly Step[], passes: (value: unknown) => boolean, from: number): boolean {
  if (Array.isArray(value)) return value.some((element) => leadsTo(element, path, passes, from));
  return isObject(value) && Object.values(value).some((element) => leadsTo(element, path, passes, from));
}

/** A value as text to compare; null for objects, arrays and null. */
export function textOfValue(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? null : String(value);
}
