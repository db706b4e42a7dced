/** Things that a path can lead to and that are no regular files. */
import { execFileSync } from 'node:child_process';
import { closeSync, lchownSync, openSync, symlinkSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';

export function makeFifo(path: string): string {
  execFileSync('mkfifo', ['-m', '600', path]);
  return path;
}

/** A device of our own that swallows everything, never that of the system; null where that is not allowed. */
export function makeDevice(path: string, minor = 3): string | null {
  try {
    execFileSync('mknod', [path, 'c', '1', String(minor)], { stdio: 'ignore' });
    const fd = openSync(path, 'w');
    try {
      if (minor === 3) writeSync(fd, 'x');
    } finally {
      closeSync(fd);
    }
    return path;
  } catch {
    return null;
  }
}

export const NO_DEVICE = 'only the administrator makes devices, and not everywhere';

/** A link of another user; null where that is not allowed. */
export function makeOthersLink(path: string, target: string): string | null {
  symlinkSync(target, path);
  try {
    lchownSync(path, 1, 1);
    return path;
  } catch {
    return null;
  }
}

export const NO_OTHER = 'only the administrator makes links of others';

export async function makeSocket(path: string): Promise<() => void> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(path, done));
  return () => server.close();
}
