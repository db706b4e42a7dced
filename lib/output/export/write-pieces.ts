/** Exports are written whole or not at all, and nothing is printed before everything has been scanned. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { writeOutput } from '../../storage/files/output.ts';
import { temporaryFolder } from '../../storage/files/temporary-folder.ts';
import type { ExportPieces } from './index.ts';

type InspectDraft = (draft: string) => void | Promise<void>;

/**
 * Returns the size. Overwrites an existing file only with `force`. `inspect` may look at the draft, and refuse it by
 * throwing.
 */
export async function writePieces(
  path: string,
  force: boolean,
  pieces: ExportPieces,
  inspect?: InspectDraft,
): Promise<number> {
  return await writeOutput(path, pieces, { force, ...(inspect && { inspect }) });
}

export async function* inspectedPieces(pieces: ExportPieces, inspect: InspectDraft): AsyncGenerator<Uint8Array> {
  const folder = temporaryFolder('wiretape-export-');
  try {
    const draft = join(folder.path, 'draft');
    await writePieces(draft, false, pieces, inspect);
    for await (const piece of createReadStream(draft)) yield piece as Uint8Array;
  } finally {
    folder.remove();
  }
}
