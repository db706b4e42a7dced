/** Who may import whom (the table of ARCHITECTURE): the layers are only worth something if nobody cuts through them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const lib = fileURLToPath(new URL('../../lib/', import.meta.url));

/** What each folder may import of ours. Files at the top of lib are named by themselves. */
const PURE = ['core', 'dialects', 'session', 'filter', 'facts', 'audit', 'check', 'why', 'diff', 'redact', 'page'];
const MAY_IMPORT: Record<string, string[]> = {
  core: [],
  filter: ['core', 'facts'],
  dialects: ['core'],
  session: ['core', 'dialects'],
  audit: ['core', 'dialects', 'session'],
  facts: ['core', 'dialects', 'session', 'audit'],
  check: ['core', 'dialects', 'session'],
  why: ['core', 'dialects', 'session', 'audit', 'check'],
  diff: ['core', 'dialects', 'session', 'audit', 'check'],
  redact: ['core', 'dialects', 'session'],
  page: ['core', 'dialects', 'session', 'audit', 'facts', 'filter', 'check', 'why', 'diff', 'redact'],
  // In a browser: only what is pure.
  viewer: ['core', 'dialects', 'session', 'audit', 'facts', 'filter', 'check', 'why', 'diff', 'page'],
  files: ['core', 'failure'],
  proxy: ['core', 'files'],
  // A page has a tape in it.
  tape: ['core', 'page'],
  store: ['core', 'session', 'files', 'tape', 'failure', 'version'],
  index: ['core', 'session', 'filter', 'facts', 'audit', 'tape', 'store', 'failure'],
  record: ['core', 'session', 'failure', 'proxy', 'tape', 'store', 'index', 'version'],
  replay: [
    'core',
    'dialects',
    'session',
    'filter',
    'facts',
    'audit',
    'diff',
    'files',
    'tape',
    'store',
    'failure',
    'thread',
    'version',
  ],
  search: [
    'bounded',
    'core',
    'dialects',
    'session',
    'filter',
    'audit',
    'facts',
    'why',
    'tape',
    'store',
    'index',
    'failure',
  ],
  shim: ['core', 'failure', 'files', 'proxy', 'store'],
  minimize: ['core', 'session', 'facts', 'failure', 'files', 'search', 'tape'],
  play: ['core', 'dialects', 'session', 'failure', 'io', 'keyboard', 'screen', 'search', 'store', 'terminal'],
  demo: ['core', 'failure', 'files', 'replay', 'store'],
  terminal: ['core', 'dialects', 'session', 'facts', 'filter', 'audit', 'why', 'check', 'diff', 'redact'],
  report: [...PURE, 'terminal'],
  export: [...PURE, 'failure', 'files', 'report', 'tape', 'terminal', 'thread', 'user-patterns', 'version'],
  compare: ['core', 'session', 'diff', 'export', 'failure', 'io', 'redaction', 'search', 'store', 'tape', 'terminal'],
  doctor: ['core', 'proxy', 'store', 'index', 'shim', 'version'],
  commands: [
    ...PURE,
    ...[
      'proxy',
      'tape',
      'store',
      'index',
      'record',
      'replay',
      'search',
      'shim',
      'terminal',
      'export',
      'report',
      'doctor',
    ],
    ...[
      'compare',
      'files',
      'minimize',
      'play',
      'demo',
      'failure',
      'io',
      'options',
      'redaction',
      'screen',
      'selection',
      'stop',
      'version',
    ],
  ],
  failure: [],
  options: ['core', 'failure', 'filter', 'store'],
  redaction: ['export', 'failure', 'io', 'options', 'redact', 'session', 'tape', 'user-patterns'],
  'user-patterns': ['bounded', 'core', 'failure', 'filter', 'redact'],
  bounded: [],
  selection: ['options', 'store'],
  version: [],
  io: ['core', 'failure', 'files', 'proxy', 'screen', 'tape'],
  screen: ['core'],
  keyboard: ['screen'],
  stop: [],
  thread: ['failure'],
  library: [...PURE, 'failure', 'files', 'replay', 'search', 'shim', 'store', 'tape'],
  hints: [],
  cli: ['core', 'commands', 'failure', 'filter', 'hints', 'io', 'store', 'tape', 'version'],
};

/** Each package enters through one folder. */
const PACKAGES: Record<string, string[]> = {
  commander: ['cli', 'commands'],
  chalk: ['terminal'],
  'cli-table3': ['terminal'],
  'better-sqlite3': ['index'],
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

/** The library's entry is beside the folder of that name. */
const layerOf = (path: string) =>
  relative(lib, path)
    .replace(/^index\.ts$/, 'library')
    .split('/')[0]!
    .replace(/\.ts$/, '');

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

/** Why this import is forbidden; null if it is allowed. */
function objection({ file, from, to }: Import): string | null {
  const target = resolve(lib, dirname(file), to);
  if (!existsSync(target)) return `${to} does not exist`;
  const layer = layerOf(target);
  // Subcommands know the list's types, and nothing of each other.
  if (from === 'commands' && layer === 'commands')
    return file === 'commands/index.ts' || to === './index.ts' ? null : 'a subcommand imports another one';
  if (layer === from) return null;
  const allowed = MAY_IMPORT[from];
  if (!allowed) return `${from} is not in MAY_IMPORT`;
  return allowed.includes(layer) ? null : `${from} may not import ${layer}`;
}

/** Each import that has an objection, with it. */
function violations(of: readonly Import[], object: (one: Import) => string | null): string[] {
  return of.flatMap((one) => {
    const why = object(one);
    return why === null ? [] : [`${one.file} imports ${one.to}: ${why}`];
  });
}

describe('imports', () => {
  it('are found at all', () => {
    expect(ours.length).toBeGreaterThan(50);
    expect(packages.length).toBeGreaterThan(Object.keys(PACKAGES).length - 1);
  });

  it('are caught when they break the rules', () => {
    const wrong: Import[] = [
      { file: 'core/id.ts', from: 'core', to: '../tape/read.ts' },
      { file: 'core/id.ts', from: 'core', to: './no-such-file.ts' },
      { file: 'commands/ls.ts', from: 'commands', to: './show.ts' },
      { file: 'new/thing.ts', from: 'new', to: '../core/id.ts' },
    ];
    expect(violations(wrong, objection)).toHaveLength(wrong.length);
  });

  it('stay within the layers', () => {
    expect(violations(ours, objection)).toEqual([]);
  });

  it('use a package only in its own folder', () => {
    const object = ({ from, to }: Import) => (PACKAGES[to]?.includes(from) ? null : `${from} may not use it`);
    expect(violations(packages, object)).toEqual([]);
  });

  it('leave the pure layers free of Node, packages and clocks: they run in a browser', () => {
    // The package `diff` is pure too.
    const impure = imports.filter(({ from, to }) => PURE.includes(from) && !to.startsWith('.') && to !== 'diff');
    expect(violations(impure, ({ from }) => `${from} is pure`)).toEqual([]);
    const files = PURE.filter((layer) => existsSync(join(lib, layer))).flatMap((layer) => sources(join(lib, layer)));
    const OF_NODE = /(?<![\w/.])(?:Buffer|process\.\w|performance|Date\.now|new Date\(\)|setTimeout|setInterval)/;
    const found = files.flatMap((file) => {
      const use = OF_NODE.exec(readFileSync(file, 'utf8'));
      return use ? [`${relative(lib, file)} uses ${use[0]}`] : [];
    });
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});
