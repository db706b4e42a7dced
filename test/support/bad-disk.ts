/** A disk that is slow or broken for some files, for programs that are started with this environment. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Place } from './store.ts';

export interface BadDisk {
  /** Which files: a part of their path. */
  file: string;
  writeMs?: number;
  syncMs?: number;
  errno?: number;
  /** Bytes that are written before errors begin. */
  after?: number;
  /** Only writes that contain this are slow or fail. */
  text?: string;
}

/** Compiled once; null where no C compiler is at hand. */
let library: string | null | undefined;

function compiled(): string | null {
  try {
    const source = fileURLToPath(new URL('../fixtures/disk/bad-disk.c', import.meta.url));
    const made = join(mkdtempSync(join(tmpdir(), 'wiretape-disk-')), 'bad-disk.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', made, source, '-ldl']);
    return made;
  } catch {
    return null;
  }
}

/** The environment with such a disk; null where no C compiler is at hand. */
export function withBadDisk(place: Place, disk: BadDisk): NodeJS.ProcessEnv | null {
  if (library === undefined) library = compiled();
  if (library === null) return null;
  return {
    ...place.env,
    LD_PRELOAD: library,
    BAD_FILE: disk.file,
    BAD_WRITE_MS: String(disk.writeMs ?? 0),
    BAD_SYNC_MS: String(disk.syncMs ?? 0),
    BAD_ERRNO: String(disk.errno ?? 0),
    BAD_AFTER: String(disk.after ?? 0),
    BAD_TEXT: disk.text ?? '',
  };
}

/** In front of an agent, which has a good disk. */
export const GOOD_DISK = ['env', '-u', 'LD_PRELOAD'];
