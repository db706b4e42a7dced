/** Waiting for what must happen, without fixed sleeps: poll, and give up only long after it should have happened. */
import { setTimeout as pause } from 'node:timers/promises';
import { processesWith, watchdogsOf } from './processes.ts';

export { pause };

export async function waitFor<T>(condition: () => T | Promise<T>, what = 'it', deadlineMs = 15_000): Promise<T> {
  const deadline = Date.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > deadline) throw new Error(`${what} did not happen within ${deadlineMs} ms`);
    await pause(10);
  }
}

/** Everything that a test started has ended, the watchdog of that agent too. */
export async function allGone(place: { marker: string }, agent: number): Promise<void> {
  await waitFor(() => processesWith(place.marker).length === 0, 'the end of all');
  await waitFor(() => watchdogsOf(agent).length === 0, 'the end of the watchdog');
}
