/**
 * Tapes of real programs that are not part of the project, in a folder beside it. The run of everything reads them; so does
 * every run if the variable names their folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsAll } from './scale.ts';

const beside = fileURLToPath(new URL('../../../shared/', import.meta.url));

function folderOf(name: string, variable: string): string | null {
  const folder = process.env[variable] ?? (runsAll ? join(beside, name) : null);
  return folder !== null && existsSync(join(folder, 'TRUTH.tsv')) ? folder : null;
}

/** Null if they are not read, or not there. */
export const sharedTapesFolder = folderOf('tapes', 'WIRETAPE_TAPES');
export const othersFolder = folderOf('tapes-others', 'WIRETAPE_OTHERS');

/** What a title of tests says if they are skipped. */
export const skipped = sharedTapesFolder
  ? ''
  : ' (skipped: set WIRETAPE_TAPES, or run test:all with the tapes beside the project)';
