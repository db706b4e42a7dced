/**
 * `npm run build`: compiles the library into dist/lib and bundles the program and the viewer, unless nothing that they are
 * made of changed since the last build. A build that failed left no stamp, so it is done again.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamp = join(root, 'dist/built');
const RESULTS = ['dist/lib/index.js', 'dist/bin/wiretape.js', 'dist/bin/install.js', 'dist/viewer/viewer.js'];
const SOURCES = ['lib', 'bin', 'package-lock.json', 'tsconfig.json'];

/** When the newest of these was written; folders count, because a file may have been removed from one. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  const inside = readdirSync(path, { recursive: true }).map((name) => statSync(join(path, name)).mtimeMs);
  return Math.max(stats.mtimeMs, ...inside);
}

const isBuilt = [stamp, ...RESULTS.map((name) => join(root, name))].every((path) => existsSync(path));
const run = (...args) => execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });

if (!isBuilt || SOURCES.some((name) => newest(join(root, name)) >= statSync(stamp).mtimeMs)) {
  const begun = new Date();
  rmSync(stamp, { force: true });
  run(
    join(dirname(fileURLToPath(import.meta.resolve('typescript/package.json'))), 'bin/tsc'),
    '-p',
    '.',
    '--incremental',
    '--tsBuildInfoFile',
    'dist/tsconfig.tsbuildinfo',
  );
  run('bin/bundle.mjs');
  writeFileSync(stamp, '');
  // What was written while it was built is built the next time.
  utimesSync(stamp, begun, begun);
}
// Also for a build that is up to date: a package has a script where a checkout has the compiled launcher.
run('dist/bin/install.js');
