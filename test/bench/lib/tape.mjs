// The tape that a flood left in a store: when it was complete, whoever completed it.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './run.mjs';

/** Node's monotonic clock, in seconds: the one that peer.c reads. */
const seconds = () => Number(process.hrtime.bigint()) / 1e9;

function sessionIn(home) {
  const sessions = join(home, 'sessions');
  const names = readdirSync(sessions).filter((name) => !name.startsWith('.'));
  if (names.length !== 1) throw new Error(`${names.length} sessions where there should be one`);
  const dir = join(sessions, names[0]);
  return { tape: join(dir, 'wire.jsonl'), journal: join(dir, 'journal') };
}

/** The final seal of a tape, or null while there is none. */
export function finalSeal(tape) {
  const fd = openSync(tape, 'r');
  try {
    const { size } = fstatSync(fd);
    const tail = Buffer.alloc(Math.min(size, 1024));
    readSync(fd, tail, 0, tail.length, size - tail.length);
    const last = tail.toString('latin1').trimEnd().split('\n').at(-1);
    const seal = last.startsWith('{"type":"seal"') ? JSON.parse(last) : {};
    return seal.final ? seal : null;
  } finally {
    closeSync(fd);
  }
}

/**
 * Called when the recorder has exited. If its worker got to the final seal, that was at the tape's last write; else the
 * next reader finishes it, and the journal goes at the end of that.
 */
export async function completeTape(bench, env, home) {
  const { tape, journal } = sessionIn(home);
  const seal = finalSeal(tape);
  if (seal) {
    const agoMs = Date.now() - statSync(tape).mtimeMs;
    return { at: seconds() - agoMs / 1000, by: 'worker', seal };
  }
  let at = null;
  const looking = setInterval(() => {
    if (!existsSync(journal)) at ??= seconds();
  }, 5);
  try {
    await run([bench.program, 'verify', 'last'], env);
  } finally {
    clearInterval(looking);
  }
  return { at: at ?? seconds(), by: 'reader', seal: finalSeal(tape) };
}
