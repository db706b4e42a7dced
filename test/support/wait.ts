/** Waiting for what must happen, without fixed sleeps: poll, and give up only long after it should have happened. */
import type { EventEmitter } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { processesWith, watchdogsOf } from './processes.ts';
import { sessionsIn } from './tape.ts';

export { pause };

/** On a busy machine a process may take seconds to start. It only ends what hangs, so it is as long as a test can bear. */
const DEADLINE_MS = 300_000;

export async function waitFor<T>(condition: () => T | Promise<T>, what = 'it', deadlineMs = DEADLINE_MS): Promise<T> {
  const start = performance.now();
  for (;;) {
    const value = await condition();
    if (value) return value;
    const waited = performance.now() - start;
    if (waited > deadlineMs) throw new Error(`${what} did not happen within ${deadlineMs} ms`);
    // Often at first: looking takes processor time, which is what the others wait for.
    await pause(Math.min(10 + waited / 20, 100));
  }
}

/** A recorder leaves before its writer process has finished the tape, if that takes long: on a busy machine it may. */
export async function sealed(tape: string): Promise<void> {
  await waitFor(() => /"final":true\}\n$/.test(readFileSync(tape, 'utf8')), `the final seal of ${tape}`);
}

/** The same without polling: looks now, and whenever `changes` emits `change`. */
export function whenever(changes: EventEmitter, condition: () => boolean, what: string): Promise<void> {
  if (condition()) return Promise.resolve();
  return new Promise((done, fail) => {
    const look = () => {
      if (condition()) finish(done);
    };
    const timer = setTimeout(
      () => finish(() => fail(new Error(`${what} did not happen within ${DEADLINE_MS} ms`))),
      DEADLINE_MS,
    );
    const finish = (tell: () => void) => {
      clearTimeout(timer);
      changes.off('change', look);
      tell();
    };
    changes.on('change', look);
  });
}

/**
 * What the agent echoed is on the disk, in both directions: a recorder that is killed now loses none of it. (It may lose
 * the chunk that it has in hand, and on a busy machine that one may be old.)
 */
export async function stored(place: { home: string }, text: string): Promise<void> {
  const times = (path: string) => (existsSync(path) ? readFileSync(path, 'latin1').split(text).length - 1 : 0);
  const isStored = () =>
    sessionsIn(place.home).some((dir) => times(join(dir, 'journal')) >= 2 || times(join(dir, 'wire.jsonl')) >= 2);
  await waitFor(isStored, `${text} on the disk`);
}

/** Everything that a test started has ended, the watchdog of that agent too. */
export async function allGone(place: { marker: string }, agent: number): Promise<void> {
  await waitFor(() => processesWith(place.marker).length === 0, 'the end of all');
  await waitFor(() => watchdogsOf(agent).length === 0, 'the end of the watchdog');
}

/**
 * Kills the recorder of that agent while its watchdog stands still, and lets that go on when the agent has seen the end: on a
 * busy machine both may otherwise come to it at once. Returns the time from which the watchdog could see the end.
 */
export async function killed(agent: number, kill: () => void, hasSeenTheEnd: () => boolean): Promise<number> {
  const [watchdog] = watchdogsOf(agent);
  process.kill(watchdog!.pid, 'SIGSTOP');
  kill();
  await waitFor(hasSeenTheEnd, 'what the agent does at the end');
  const since = Date.now();
  process.kill(watchdog!.pid, 'SIGCONT');
  return since;
}
