/** Indexes that were set aside: the newest is kept, for whoever wants to know what happened, and that not for ever. */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PARTS } from './index-guard.ts';

const ASIDE = /^index-\d+\.db\.damaged-(\d{14})-[0-9a-f]{4}$/;

/** Moves the index out of the way, with what belongs to it; returns its new name, or null if there is none. */
export function setAside(path: string): string | null {
  const aside = `${path}.damaged-${stampOf(Date.now())}-${digits(4)}`;
  if (!moveAll(path, aside)) return null;
  const home = dirname(path);
  for (const name of asideIn(home)) if (name !== basename(aside)) removeAll(join(home, name));
  return aside;
}

/** The file first: nobody opens it any more, and only we may make a new one. False if there is none. */
export function moveAll(from: string, to: string): boolean {
  for (const part of PARTS) {
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
  for (const part of PARTS) rmSync(`${path}${part}`, { force: true });
}

/** The names of those that were set aside, without what belongs to them, oldest first. */
export function asideIn(home: string): string[] {
  const when = (name: string) => ASIDE.exec(name)![1]!;
  return readdirSync(home)
    .filter((name) => ASIDE.test(name))
    .sort((a, b) => (when(a) < when(b) ? -1 : 1));
}

/** Those that were set aside before that time. */
export function asideBefore(home: string, time: number): string[] {
  return asideIn(home).filter((name) => ASIDE.exec(name)![1]! < stampOf(time));
}

function stampOf(time: number): string {
  return new Date(time).toISOString().replace(/\D/g, '').slice(0, 14);
}

/** Hexadecimal digits for a name. What has that name already is not touched. */
export function digits(count: number): string {
  return Math.floor(Math.random() * 16 ** count)
    .toString(16)
    .padStart(count, '0');
}
