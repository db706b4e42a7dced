/**
 * Runs something with less patience for regular expressions than the program's two seconds: what never ends does not end
 * sooner or later.
 */
import { Script } from 'node:vm';
import { vi } from 'vitest';

const PATIENCE_MS = 50;

export async function givingUpSoon<T>(work: () => Promise<T>): Promise<T> {
  const { runInThisContext } = Script.prototype;
  const spy = vi.spyOn(Script.prototype, 'runInThisContext').mockImplementation(function (this: Script, options) {
    return runInThisContext.call(this, { ...options, timeout: PATIENCE_MS });
  });
  return await work().finally(() => spy.mockRestore());
}
