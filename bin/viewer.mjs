/**
 * Part of `npm run build`: the viewer, the program inside every page of `export --format html`, as one script and one
 * style sheet in dist/viewer. Both are put into pages as they are, so they must not be able to end their own element.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/** Decompression streams, which every page needs, came with Chrome 80, Firefox 113 and Safari 16.4. */
const BROWSERS = ['chrome109', 'firefox115', 'safari16.4'];
/** Bytes of both files: pages are sent by mail and attached to issues. */
const MOST = { plain: 450 * 1024, zipped: 150 * 1024 };
/** What would end the element that the text is in, or change how its rest is read. */
const UNSAFE = { 'viewer.js': /<\/script|<!--|<script/i, 'viewer.css': /<\/style|<!--/i };

/** Every page has these texts, so that it is readable without them being in the repository twice. */
export async function buildViewer(root) {
  const files = { 'viewer.js': await scriptOf(root), 'viewer.css': stylesOf(join(root, 'lib/output/viewer/styles')) };
  const folder = join(root, 'dist/viewer');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const found = UNSAFE[name].exec(text);
    if (found) throw new Error(`${name} has ${found[0]}, which a page cannot hold`);
    if (/[\r\0\ufeff]/.test(text)) throw new Error(`${name} has a character that a browser changes before hashing`);
    writeFileSync(join(folder, name), text);
  }
  reportSize(Object.values(files).join(''));
}

async function scriptOf(root) {
  const build = await rolldown({
    cwd: root,
    input: 'lib/output/viewer/main.ts',
    platform: 'browser',
    tsconfig: false,
    transform: { target: BROWSERS },
    // No module does anything by being loaded: what is not used is left out.
    treeshake: { moduleSideEffects: false },
    checks: { ineffectiveDynamicImport: false },
  });
  const { output } = await build.generate({
    format: 'iife',
    minify: true,
    comments: false,
    codeSplitting: false,
  });
  await build.close();
  if (output.length !== 1) throw new Error(`the viewer must be one file: ${output.map((file) => file.fileName)}`);
  return escaped(output[0].code);
}

/**
 * The minifier writes these as they are where the source has an escape; a browser would change some of them, and then the
 * hash of the script would be wrong. They are only in strings, templates and regular expressions, where an escape means
 * the same.
 */
function escaped(code) {
  const control = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
  return code.replace(control, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** All style sheets in the order of their names; the tokens, which the others use, first. */
function stylesOf(folder) {
  const first = 'tokens.css';
  const names = readdirSync(folder).filter((name) => name.endsWith('.css') && name !== first);
  return [first, ...names.sort()].map((name) => slim(join(folder, name))).join('\n');
}

/** Without comments, and without white space that means nothing. Our style sheets have no strings with either. */
function slim(path) {
  return readFileSync(path, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replace(/: /g, ':')
    .replaceAll(';}', '}')
    .trim();
}

/** A viewer that is too large is a defect, but one that can be seen in a page; so it is said, not refused. */
function reportSize(text) {
  const plain = Buffer.byteLength(text);
  const zipped = gzipSync(text, { level: 9 }).length;
  const kib = (bytes) => `${(bytes / 1024).toFixed(1)} KiB`;
  const isOver = plain > MOST.plain || zipped > MOST.zipped;
  const limit = isOver ? `, over the limit of ${kib(MOST.plain)} and ${kib(MOST.zipped)}` : '';
  process.stderr.write(`viewer: ${kib(plain)}, ${kib(zipped)} compressed${limit}\n`);
}
