/**
 * Tests import the sources of `lib` and get the built files: what users run, loaded by Node itself. That takes half the
 * time of transforming the sources in every worker. If the build is older than the sources, the sources are used.
 */
import { readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vitest/config';

const SOURCES = fileURLToPath(new URL('../../lib/', import.meta.url));
const BUILT = fileURLToPath(new URL('../../dist/lib/', import.meta.url));

const builtFileOf = (source: string) => join(BUILT, source.slice(SOURCES.length).replace(/\.ts$/, '.js'));
const writtenAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** The viewer is bundled for browsers and has no built modules. */
const VIEWER = join(SOURCES, 'output/viewer/');

const lastBuilt = writtenAt(join(BUILT, '../built'));
const isCurrent = (readdirSync(SOURCES, { recursive: true }) as string[])
  .map((name) => join(SOURCES, name))
  .every((path) => !path.endsWith('.ts') || path.startsWith(VIEWER) || writtenAt(path) < lastBuilt);

/** Nothing that Node loads itself is transformed. */
export const BUILT_LIBRARY = /\/dist\/lib\//;

export const builtLibrary: Plugin = {
  name: 'built-library',
  enforce: 'pre',
  resolveId(name, importer) {
    if (!isCurrent || !importer || !name.startsWith('.') || !name.endsWith('.ts')) return null;
    const source = resolve(dirname(importer), name);
    return source.startsWith(SOURCES) && !source.startsWith(VIEWER) ? builtFileOf(source) : null;
  },
};
