/**
 * Second part of `npm run build`: bundles the program into dist/bin. Node takes longer to find 200 small modules than to
 * run a command, so they become a few CommonJS chunks, which load fastest. dist/lib keeps the modules as tsc writes them:
 * they are the library. The viewer is built by viewer.mjs.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildViewer } from './viewer.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'dist/bin');
/** As deep in dist as a source file is in the repository, so that paths relative to a module work in both. */
const CHUNKS = 'chunks';
const WRITER = 'recording/recorder/writer';
/** Programs that run in threads. */
const THREADS = ['replay/rehearsal-worker', 'output/export/inspection-worker'];
/** One that is small and starts at once: it loads no chunk of the program. */
const PACKER = 'output/export/packer-worker';

/** The modules that these need: themselves and everything they import, except lazy imports. */
const start = neededBy('cli', 'output/terminal/io', 'recording/proxy/signals');
const record = neededBy('commands/record');
const writer = neededBy(WRITER);
const ls = neededBy('commands/ls', 'output/terminal/theme');
const filter = neededBy('commands/filter', 'output/terminal/hit-line');
const approvals = neededBy('commands/approvals');
const why = neededBy('commands/why');
const check = neededBy('commands/check');
const show = neededBy('commands/show', 'commands/stats');

/**
 * The shared chunks. A module goes into the first chunk that wants it, so a chunk needs only earlier chunks, and a command
 * loads little that it does not use. A module that no chunk wants goes where it is used.
 */
const SHARED = {
  base: either(start, both(record, either(writer, ls)), both(writer, ls)),
  recorder: record,
  list: ls,
  line: both(filter, either(approvals, writer, why, check)),
  audit: both(approvals, either(writer, why, check, show)),
  tape: writer,
  read: both(show, either(why, check)),
  query: both(filter, show),
  show,
};

/** @typedef {(id: string, context: import('rolldown').ChunkingContext) => boolean} Wish */

/** @returns {Wish} */
function neededBy(...modules) {
  const paths = modules.map((name) => join(root, 'lib', `${name}.ts`));
  for (const path of paths) if (!existsSync(path)) throw new Error(`bin/bundle.mjs names ${path}, which is not there`);
  let needed = null;
  return (id, context) => {
    needed ??= closure(paths, (module) => context.getModuleInfo(module)?.importedIds ?? []);
    return needed.has(id);
  };
}

function closure(roots, next) {
  const found = new Set(roots);
  for (const one of found) for (const other of next(one)) found.add(other);
  return found;
}

/** @returns {Wish} */
function either(...wishes) {
  return (id, context) => wishes.some((wish) => wish(id, context));
}

/** @returns {Wish} */
function both(...wishes) {
  return (id, context) => wishes.every((wish) => wish(id, context));
}

function chunkOf(id, context) {
  // The writer starts when its module is loaded, so it must not be part of a shared chunk.
  if (context.getModuleInfo(id)?.isEntry) return null;
  return Object.keys(SHARED).find((name) => SHARED[name](id, context)) ?? null;
}

async function bundle(input, groups = []) {
  const build = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    tsconfig: false,
    external: ['better-sqlite3'],
    // We tell chalk whether to use colours, so it does not need to detect them.
    resolve: { alias: { '#supports-color': join(root, 'node_modules/chalk/source/vendor/supports-color/browser.js') } },
    preserveEntrySignatures: false,
    // A lazy import of an already loaded module is harmless.
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    dir: bin,
    format: 'cjs',
    // Keeps stack traces readable; smaller files would not start faster.
    minify: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: '[name].js',
    chunkFileNames: `${CHUNKS}/[name].js`,
    ...(groups.length > 0 && { codeSplitting: { includeDependenciesRecursively: false, groups } }),
  });
  await build.close();
  return output;
}

const entryOf = (path) => [`${CHUNKS}/${basename(path)}`, `lib/${path}.ts`];

/** The licenses of the bundled packages. */
function licensesOf(output) {
  const ids = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const folders = new Set(ids.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const texts = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
    if (file === undefined) throw new Error(`${name} is bundled but has no license file`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  return `The files beside this one contain parts of these packages.\n\n${texts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** Removes the files of earlier builds, including Node's compile cache. */
function removeOthers(written) {
  const kept = new Set([...written, CHUNKS, 'package.json', 'licenses.txt', 'wiretape', 'launch']);
  for (const folder of ['', CHUNKS])
    for (const name of readdirSync(join(bin, folder)))
      if (!kept.has(join(folder, name))) rmSync(join(bin, folder, name), { recursive: true });
}

/** Writes a file atomically, and only if it changed: the program may be running, and tests may build again. */
function save(name, content) {
  const path = join(bin, name);
  if (existsSync(path) && readFileSync(path, 'utf8') === content) return;
  const draft = `${path}.${process.pid}.tmp`;
  writeFileSync(draft, content);
  renameSync(draft, path);
}

const output = [
  ...(await bundle(
    {
      wiretape: 'bin/wiretape.ts',
      [`${CHUNKS}/writer`]: `lib/${WRITER}.ts`,
      ...Object.fromEntries(THREADS.map(entryOf)),
    },
    [{ name: chunkOf, debugName: 'shared' }],
  )),
  // On their own, so that they share no chunk with the program.
  ...(await bundle({ install: 'bin/install.ts' })),
  ...(await bundle(Object.fromEntries([entryOf(PACKER)]))),
];
mkdirSync(join(bin, CHUNKS), { recursive: true });
for (const file of output) save(file.fileName, file.type === 'chunk' ? file.code : file.source);
save('package.json', '{ "type": "commonjs" }\n');
save('licenses.txt', licensesOf(output));
removeOthers(output.map(({ fileName }) => fileName));
await buildViewer(root);
