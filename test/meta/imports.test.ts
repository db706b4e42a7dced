/** Who may import whom (the table of ARCHITECTURE): the layers are only worth something if nobody cuts through them. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const lib = fileURLToPath(new URL('../../lib/', import.meta.url));

/** The folders of lib, from the bottom to the top: each may import those before it. */
const LAYERS = [
  ...['model', 'dialects', 'session', 'analysis', 'storage', 'recording', 'replay', 'output', 'commands'],
  // The program and the library, beside the folders.
  'lib',
];

/** Folders in a layer, likewise. A layer that is not named here has no order inside. */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  analysis: ['audit', 'facts', 'query', 'check', 'why', 'diff', 'redact'],
  storage: ['system', 'files', 'tape', 'store', 'index', 'search'],
  recording: ['proxy', 'shim', 'recorder', 'doctor'],
  output: ['terminal', 'report', 'page', 'export', 'play', 'viewer'],
};

/** Without Node, packages and clocks: they run in a browser. */
const PURE = ['model', 'dialects', 'session', 'analysis', 'output/page'];
const isPure = (folder: string) => PURE.includes(folder) || PURE.includes(folder.split('/')[0]!);

/** Each package enters through one folder. */
const PACKAGES: Record<string, string[]> = {
  commander: ['lib', 'commands', 'commands/shared'],
  chalk: ['output/terminal'],
  'cli-table3': ['output/terminal'],
  'better-sqlite3': ['storage/index'],
  diff: ['analysis/diff'],
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

/** A folder of lib, and the folder in it: `storage/tape`; `lib` for the files beside the folders. */
function folderOf(path: string): string {
  const parts = relative(lib, path).split('/');
  return parts.length === 1 ? 'lib' : parts.slice(0, Math.min(2, parts.length - 1)).join('/');
}

const IMPORT = /^(?:import|export)\s[^;']*?from '([^']+)'|import\('([^']+)'\)/gm;

const imports: Import[] = sources(lib).flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, still, lazy]) => ({
    file: relative(lib, file),
    from: folderOf(file),
    to: (still ?? lazy)!,
  })),
);

const ours = imports.filter(({ to }) => to.startsWith('.'));
const packages = imports.filter(({ to }) => !to.startsWith('.') && !to.startsWith('node:'));

/** Why this import is forbidden; null if it is allowed. */
function objection({ file, from, to }: Import): string | null {
  const target = resolve(lib, dirname(file), to);
  if (!existsSync(target)) return `${to} does not exist`;
  const other = folderOf(target);
  const [layer, folder] = from.split('/') as [string, string?];
  const [below, inside] = other.split('/') as [string, string?];
  for (const name of [layer, below]) if (!LAYERS.includes(name)) return `${name} is not in LAYERS`;
  const needsPure = isPure(from) || from === 'output/viewer';
  if (needsPure && from !== other && !isPure(other)) return `${from} runs in a browser, ${other} does not`;
  // Subcommands know the list's types, and nothing of each other.
  if (other === 'commands' && layer === 'commands')
    return file === 'commands/index.ts' || to.endsWith('/index.ts') ? null : 'a subcommand imports another one';
  if (layer !== below) {
    return LAYERS.indexOf(below) < LAYERS.indexOf(layer) ? null : `${layer} is below ${below}`;
  }
  const order = INSIDE[layer];
  if (!order || folder === inside || folder === undefined || inside === undefined) return null;
  for (const name of [folder, inside]) if (!order.includes(name)) return `${layer}/${name} is not in INSIDE`;
  return order.indexOf(inside) < order.indexOf(folder) ? null : `${from} is below ${other}`;
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
      { file: 'model/id.ts', from: 'model', to: '../storage/tape/read.ts' },
      { file: 'model/id.ts', from: 'model', to: './no-such-file.ts' },
      { file: 'storage/tape/read.ts', from: 'storage/tape', to: '../store/open.ts' },
      { file: 'output/viewer/main.ts', from: 'output/viewer', to: '../terminal/tree.ts' },
      { file: 'commands/ls.ts', from: 'commands', to: './show.ts' },
      { file: 'new/thing.ts', from: 'new', to: '../model/id.ts' },
    ];
    expect(violations(wrong, objection)).toHaveLength(wrong.length);
  });

  it('stay within the layers', () => {
    expect(violations(ours, objection)).toEqual([]);
  });

  it('have at most nine layers, which are the folders of lib', () => {
    const folders = readdirSync(lib).filter((name) => statSync(join(lib, name)).isDirectory());
    expect(folders.sort()).toEqual(LAYERS.filter((name) => name !== 'lib').sort());
    expect(folders.length).toBeLessThanOrEqual(9);
  });

  it('use a package only in its own folder', () => {
    const object = ({ from, to }: Import) => (PACKAGES[to]?.includes(from) ? null : `${from} may not use it`);
    expect(violations(packages, object)).toEqual([]);
  });

  it('leave the pure layers free of Node, packages and clocks: they run in a browser', () => {
    // The package `diff` is pure too.
    const impure = imports.filter(({ from, to }) => isPure(from) && !to.startsWith('.') && to !== 'diff');
    expect(violations(impure, ({ from }) => `${from} is pure`)).toEqual([]);
    const files = PURE.flatMap((folder) => sources(join(lib, folder)));
    const OF_NODE = /(?<![\w/.#])(?:Buffer|process\.\w|performance|Date\.now|new Date\(\)|setTimeout|setInterval)/;
    const found = files.flatMap((file) => {
      const use = OF_NODE.exec(readFileSync(file, 'utf8'));
      return use ? [`${relative(lib, file)} uses ${use[0]}`] : [];
    });
    expect(files.length).toBeGreaterThan(50);
    expect(found).toEqual([]);
  });
});
