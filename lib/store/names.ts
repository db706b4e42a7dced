/** A session's name and tags, in `meta.json` beside its tape. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionNames } from '../session/session.ts';
import { META, readOwnFile } from './home.ts';

export function readNames(dir: string): SessionNames {
  const { name, tags } = readMeta(dir);
  return { name: typeof name === 'string' ? name : null, tags: stringsOf(tags) };
}

function readMeta(dir: string): Record<string, unknown> {
  try {
    // Some editors add a byte order mark.
    const value: unknown = JSON.parse(readOwnFile(join(dir, META)).replace(/^\ufeff/, ''));
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? { ...value } : {};
  } catch {
    return {};
  }
}

/**
 * Writes a new file and renames it, so that readers see either the old names or the new ones. Unknown keys, perhaps from a
 * newer version, are kept.
 */
export function writeNames(dir: string, names: SessionNames): void {
  const draft = join(dir, `.${META}.${process.pid}-${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, `${JSON.stringify({ ...readMeta(dir), ...names })}\n`, { mode: 0o600 });
    renameSync(draft, join(dir, META));
  } finally {
    rmSync(draft, { force: true });
  }
}

export function hasNames({ name, tags }: SessionNames): boolean {
  return name !== null || Object.keys(tags).length > 0;
}

/** Parses `key=value`; null if it is not valid. */
export function parseTag(word: string): [key: string, value: string] | null {
  const at = word.indexOf('=');
  return at > 0 ? [word.slice(0, at), word.slice(at + 1)] : null;
}

function stringsOf(tags: unknown): Record<string, string> {
  if (tags === null || typeof tags !== 'object' || Array.isArray(tags)) return {};
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, text(value)]));
}
