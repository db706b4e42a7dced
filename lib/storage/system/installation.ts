/** Where this installation is. Modules are at different depths in lib, in dist/lib and in the chunks of dist/bin. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Package {
  folder: string;
  version: string;
}

/** The nearest package above this module, if it is ours: somebody may have copied a chunk elsewhere. */
function findPackage(): Package {
  const start = dirname(fileURLToPath(import.meta.url));
  for (let folder = start; folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (name === 'wiretape') return { folder, version };
    } catch {
      // One folder further up.
    }
  }
  return { folder: start, version: 'unknown' };
}

const { folder, version } = findPackage();

export const VERSION = version;

/** A file of this installation, by its path in the package. */
export const installedPath = (path: string): string => join(folder, path);

/** This program, to start it again. */
export const PROGRAM = installedPath('dist/bin/wiretape.js');
