// On what the numbers were measured: a ratio means little on a machine that does something else.
import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export function machine() {
  return {
    node: process.version,
    platform: `${process.platform} ${release()} ${process.arch}`,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    load: loadavg().map((load) => Number(load.toFixed(2))),
  };
}

export function describeMachine({ node, platform, cpu, cores, memory_gb, load }) {
  return `node ${node}, ${platform}, ${cpu}, ${cores} cores, ${memory_gb} GB, load ${load.join(' ')}`;
}

const LOOK_MS = 100;
const BUSY = 0.15;

/**
 * Waits until others leave the processors alone, as long as there is patience left (`{ ms }`, shared by a whole run).
 * False if they did not.
 */
export async function untilQuiet(patience) {
  for (;;) {
    const before = cpuTimes();
    await sleep(LOOK_MS);
    const after = cpuTimes();
    const busy = 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
    if (busy < BUSY) return true;
    if (patience.ms <= 0) return false;
    patience.ms -= LOOK_MS;
  }
}

function cpuTimes() {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const time of Object.values(times)) all += time;
  }
  return { idle, all };
}

/** The processors that we may run on; null where the system does not tell. */
export function processors() {
  try {
    const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))[1];
    return list.split(',').flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number);
      return Array.from({ length: last - first + 1 }, (_, i) => first + i);
    });
  } catch {
    return null;
  }
}
