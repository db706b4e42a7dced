// On what the numbers were measured: a ratio means little on a machine that does something else.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
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
/** So much of the machine may others use. */
const TOLERATED = 0.12;

/** Waits until others leave the processors alone, as long as there is patience left (`{ ms }`, shared by a whole run). */
export async function untilQuiet(patience) {
  while (patience.ms > 0) {
    const others = watchOthers();
    await sleep(LOOK_MS);
    if (!others(0)) return;
    patience.ms -= LOOK_MS;
  }
}

/**
 * Begins to watch the processors. The function returned tells whether others used too much of them since then: more
 * than this process and the `ours` seconds of those that it started.
 */
export function watchOthers() {
  const before = cpuTimes();
  const usage = process.cpuUsage();
  return (ours) => {
    const after = cpuTimes();
    const { user, system } = process.cpuUsage(usage);
    const all = after.all - before.all;
    const idle = after.idle - before.idle;
    return all > 0 && (all - idle - ours * 1000 - (user + system) / 1000) / all > TOLERATED;
  };
}

/** In milliseconds, summed over the processors. */
function cpuTimes() {
  let idle = 0;
  let all = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    for (const time of Object.values(times)) all += time;
  }
  return { idle, all };
}

/**
 * Has the system find so much memory for file contents, and gives it back. In a virtual machine the first use of a page
 * may cost its host four times what writing to it costs, which is no concern of the program that happens to write.
 */
export function touchPages(file, bytes) {
  const block = Buffer.alloc(1 << 20, 1);
  const fd = openSync(file, 'w');
  try {
    for (let done = 0; done < bytes; done += block.length) writeSync(fd, block);
  } finally {
    closeSync(fd);
    rmSync(file, { force: true });
  }
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
