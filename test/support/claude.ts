/** Recorded sessions of Claude Code: test/fixtures/claude. */
import { fileURLToPath } from 'node:url';
import { streamJson } from '../../lib/dialects/stream-json/index.ts';
import type { Frame } from '../../lib/model/frame.ts';
import { type Audited, auditFrames } from './audit.ts';
import { sessionOn } from './session.ts';
import { type Built, build } from './timeline.ts';

export function claudeTape(name: string): { command: string[]; frames: Frame[] } {
  const session = sessionOn(fileURLToPath(new URL(`../fixtures/claude/${name}.jsonl`, import.meta.url)));
  const frames: Frame[] = [];
  // The buffer of a line is used again for the next one.
  for (const frame of session.frames()) frames.push({ ...frame, raw: new Uint8Array(frame.raw) });
  return { command: session.metadata.command, frames };
}

export function buildClaude(name: string): Built {
  const { command, frames } = claudeTape(name);
  return build(streamJson, frames, command);
}

export function auditClaude(name: string): Audited {
  const { command, frames } = claudeTape(name);
  return auditFrames(streamJson, frames, command);
}
