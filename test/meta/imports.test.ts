/** Who may import whom (DESIGN section 2): the layers are only worth something if nobody cuts through them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const lib = fileURLToPath(new URL('../../lib/', import.meta.url));

/** What each folder may import of ours. Files at the top of lib are named by themselves. */
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  filter: ['core'],
  dialects: ['core'],
  proxy: ['core'],
  tape: ['core'],
  facts: ['core', 'dialects', 'filter', 'audit'],
  store: ['core', 'dialects', 'filter', 'tape', 'audit', 'facts'],
  record: ['core', 'proxy', 'tape', 'store', 'failure', 'version'],
  search: ['core', 'dialects', 'filter', 'audit', 'facts', 'tape', 'store', 'record', 'failure'],
  shim: ['core', 'failure', 'proxy', 'store'],
  audit: ['core', 'dialects', 'filter'],
  why: ['core', 'dialects', 'audit'],
  check: ['core', 'dialects', 'filter'],
  replay: ['core', 'dialects', 'filter'],
  diff: ['core', 'dialects', 'filter'],
  redact: ['core', 'dialects', 'filter'],
  terminal: ['core', 'facts', 'dialects', 'filter', 'audit', 'why', 'check', 'replay', 'diff', 'redact'],
  export: ['core', 'failure', 'dialects', 'filter', 'audit', 'check', 'replay', 'diff', 'redact', 'tape'],
  doctor: ['core', 'proxy', 'store', 'shim', 'version'],
  commands: [
    ...[
      'core',
      'dialects',
      'filter',
      'proxy',
      'tape',
      'store',
      'record',
      'shim',
      'doctor',
      'audit',
      'check',
      'replay',
      'diff',
      'why',
    ],
    ...['facts', 'search', 'redact', 'export', 'server', 'terminal', 'failure', 'io', 'version', 'plain-words'],
  ],
  failure: [],
  version: [],
  'plain-words': [],
  io: ['core', 'failure', 'proxy', 'tape'],
  index: ['core', 'facts', 'tape'],
  cli: ['core', 'commands', 'failure', 'filter', 'io', 'version'],
};

/** Each package enters through one folder. */
const PACKAGES: Record<string, string[]> = {
  commander: ['cli', 'commands'],
  chalk: ['terminal'],
  'cli-table3': ['terminal'],
  'better-sqlite3': ['store'],
  diff: ['diff'],
};

interface Import {
  file: string;
  from: string;
  to: string;
}

function sources(dir: string): string[] {
  return readdirSync(dir).flatMap((name) => {
    const path = join(dir, name);
    return statSync(path).isDirectory() ? sources(path) : name.endsWith('.ts') ? [path] : [];
  });
}

const layerOf = (path: string) => relative(lib, path).split('/')[0]!.replace(/\.ts$/, '');

const IMPORT = /^(?:import|export)\s[^;']*?from '([^']+)'|import\('([^']+)'\)/gm;

const imports: Import[] = sources(lib).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, still, lazy]) => ({
    file: relative(lib, file),
    from: layerOf(file),
    to: (still ?? lazy)!,
  })),
);

const ours = imports.filter(({ to }) => to.startsWith('.'));
const packages = imports.filter(({ to }) => !to.startsWith('.') && !to.startsWith('node:'));

describe('imports', () => {
  it('are found at all', () => {
    expect(ours.length).toBeGreaterThan(50);
  });

  it.each(ours)('$file may import $to', ({ file, from, to }) => {
    const target = resolve(lib, dirname(file), to);
    expect(existsSync(target)).toBe(true);
    const layer = layerOf(target);
    // Subcommands know the list's types, and nothing of each other.
    if (from === 'commands' && layer === 'commands')
      return expect(file === 'commands/index.ts' || to === './index.ts').toBe(true);
    if (layer !== from) expect(MAY_IMPORT[from], `a layer that is not in the list: ${from}`).toContain(layer);
  });

  it.each(packages)('$file may use the package $to', ({ from, to }) => {
    expect(PACKAGES[to], `a package that is not in the list: ${to}`).toContain(from);
  });

  it.each(['core', 'filter', 'audit', 'facts', 'why'])(
    'leave %s free of Node, of packages and of clocks: it runs in the browser',
    (layer) => {
      expect(imports.filter(({ from, to }) => from === layer && !to.startsWith('.'))).toEqual([]);
      for (const file of sources(join(lib, layer))) {
        expect(readFileSync(file, 'utf8'), file).not.toMatch(/\b(?:Buffer|process\.|performance|Date\.now)\b/);
      }
    },
  );
});
