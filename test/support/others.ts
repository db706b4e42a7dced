/** Tapes of other agents that are not part of the project. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from '../../lib/model/frame.ts';
import { sessionOn } from './session.ts';
import { othersFolder } from './shared-folder.ts';

/** Null if they are not there. */
export const others = othersFolder;

/** The tapes of a folder, as `pi-0.73.1-rpc/allow`. */
export function othersIn(folder: string): string[] {
  if (others === null || !existsSync(join(others, folder))) return [];
  const names = readdirSync(join(others, folder)).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => `${folder}/${name.replace(/\.jsonl$/, '')}`);
}

export function readOther(tape: string): { command: string[]; frames: Frame[] } {
  const session = sessionOn(join(others!, `${tape}.jsonl`));
  const frames: Frame[] = [];
  // The buffer of a line is used again for the next one.
  for (const frame of session.frames()) frames.push({ ...frame, raw: new Uint8Array(frame.raw) });
  return { command: session.metadata.command, frames };
}
