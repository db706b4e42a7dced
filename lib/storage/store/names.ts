/** A session's name and tags, in `meta.json` beside its tape. */
import { join } from 'node:path';
import { isObject } from '../../model/message.ts';
import type { SessionNames } from '../../session/session.ts';
import { attempt, META, readObject, replaceFile } from './home.ts';

export function readNames(dir: string): SessionNames {
  const { name, tags } = readMeta(dir);
  return { name: typeof name === 'string' ? name : null, tags: stringsOf(tags) };
}

function readMeta(dir: string): Record<string, unknown> {
  return attempt(() => readObject(join(dir, META)), {});
}

/** Unknown keys, perhaps from a newer version, are kept. */
export function writeNames(dir: string, names: SessionNames): void {
  replaceFile(dir, META, `${JSON.stringify({ ...readMeta(dir), ...names })}\n`);
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
  if (!isObject(tags)) return {};
  const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, text(value)]));
}
