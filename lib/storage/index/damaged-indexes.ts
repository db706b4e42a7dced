/** Damaged indexes that were set aside. The newest is kept for a while, to find out what happened. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { INDEX_FILE_SUFFIXES } from './file-checks.ts';

const DAMAGED_NAME = /^index-\d+\.db\.damaged-(\d{14})-[0-9a-f]{4}$/;

/** Renames the index and the files that belong to it; returns the new name, or null if there is no index. */
export function setAside(path: string): string | null {
  const aside = `${path}.damaged-${stampOf(Date.now())}-${randomDigits(4)}`;
  if (!moveAll(path, aside)) return null;
  const home = dirname(path);
  for (const name of damagedIndexesIn(home)) if (name !== basename(aside)) removeAll(join(home, name));
  return aside;
}

/** Moves the index file first, so that no other process opens it. False if there is none. */
export function moveAll(from: string, to: string): boolean {
  for (const part of INDEX_FILE_SUFFIXES) {
    try {
      renameSync(`${from}${part}`, `${to}${part}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (part === '') return false;
    }
  }
  return true;
}

export function removeAll(path: string): void {
  for (const part of INDEX_FILE_SUFFIXES) rmSync(`${path}${part}`, { force: true });
}

/** The names of the indexes that were set aside, oldest first. */
export function damagedIndexesIn(home: string): string[] {
  const when = (name: string) => DAMAGED_NAME.exec(name)![1]!;
  return readdirSync(home)
    .filter((name) => DAMAGED_NAME.test(name))
    .sort((a, b) => (when(a) < when(b) ? -1 : 1));
}

/** Those that were set aside before that time. */
export function damagedIndexesBefore(home: string, time: number): string[] {
  return damagedIndexesIn(home).filter((name) => DAMAGED_NAME.exec(name)![1]! < stampOf(time));
}

function stampOf(time: number): string {
  return new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** Random hexadecimal digits for a file name. */
export function randomDigits(count: number): string {
  return Math.floor(Math.random() * 16 ** count)
    .toString(16)
    .padStart(count, '0');
}
