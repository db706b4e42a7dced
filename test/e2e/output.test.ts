/** Every command that writes at a path that the user names, at paths that are no regular files. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { makeDevice, makeFifo, makeOthersLink, NO_DEVICE, NO_OTHER } from '../support/odd-files.ts';
import { run, WIRETAPE, wiretape } from '../support/run.ts';
import { sample } from '../support/scale.ts';
import { it } from '../support/store.ts';

const TAPE = 'samples/tapes/approve.jsonl';
const OTHER = 'samples/tapes/hang.jsonl';

interface Writer {
  name: string;
  /** What it writes begins like this. */
  begins: string;
  code?: number;
  args: (path: string) => string[];
}

/** They write once, so they can write to anything. */
const WRITERS: readonly Writer[] = [
  { name: 'export', begins: '#', args: (path) => ['export', TAPE, '-f', 'md', '-o', path, '--force'] },
  {
    name: 'export, a page',
    begins: '<!doctype',
    args: (path) => ['export', TAPE, '-f', 'html', '-o', path, '--force'],
  },
  { name: 'report', begins: 'PK', args: (path) => ['report', TAPE, '-o', path, '--force'] },
  { name: 'report, the text', begins: '#', args: (path) => ['report', TAPE, '--md', '-o', path, '--force'] },
  { name: 'redact', begins: '{"type":"metadata"', args: (path) => ['redact', TAPE, '-o', path, '--force'] },
  {
    name: 'diff',
    begins: '<!doctype',
    code: 1,
    args: (path) => ['diff', TAPE, OTHER, '-f', 'html', '-o', path, '--force'],
  },
  { name: 'replay', begins: '{', code: 1, args: (path) => ['replay', TAPE, '--instant', '--report', path] },
];

/** They write again, or keep something beside it, or make a program of it. */
const OF_FILES: readonly Writer[] = [
  { name: 'minimize', begins: '{', args: (path) => ['minimize', TAPE, '--test', 'false', '-o', path, '--force'] },
  { name: 'shim', begins: '#!', args: (path) => ['shim', '--replay', TAPE, '--out', path] },
];

describe.for(sample(WRITERS, 3))('$name', ({ begins, code = 0, args }) => {
  it('writes through a pipe and to a device', async ({ place, skip }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const both = 'cat < "$0" > read & "$@" < /dev/null; code=$?; wait; exit $code';
    const cwd = join(place.dir, 'there');
    mkdirSync(cwd);
    const words = args(fifo).map((word) => (word.startsWith('samples/') ? join(process.cwd(), word) : word));
    const piped = await run(place, ['sh', '-c', both, fifo, WIRETAPE, ...words], { cwd });
    expect([piped.code, readFileSync(join(cwd, 'read'), 'latin1').slice(0, begins.length)]).toEqual([code, begins]);
    expect(lstatSync(fifo).isFIFO()).toBe(true);
    const device = makeDevice(join(place.dir, 'null'));
    if (!device) return skip(NO_DEVICE);
    expect((await wiretape(place, args(device))).code).toBe(code);
    expect(lstatSync(device).isCharacterDevice()).toBe(true);
  });

  it('follows a link of the user and no other, and what it writes is private', async ({ place, skip }) => {
    const [path, link, others] = [join(place.dir, 'file'), join(place.dir, 'link'), join(place.dir, 'others')];
    writeFileSync(path, 'before', { mode: 0o644 });
    symlinkSync(path, link);
    if (!makeOthersLink(others, path)) return skip(NO_OTHER);
    const refused = await wiretape(place, args(others));
    expect(refused.stderr.toString()).toMatch(/^wiretape: \S+ is a link of another user\nhint: [^\n]+\n$/);
    expect([refused.code, readFileSync(path, 'utf8')]).toEqual([2, 'before']);
    expect((await wiretape(place, args(link))).code).toBe(code);
    expect(readFileSync(path, 'latin1').slice(0, begins.length)).toBe(begins);
    expect([readlinkSync(link), statSync(path).mode & 0o777]).toEqual([path, 0o600]);
    expect(readdirSync(place.dir).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });
});

describe.for(sample([...WRITERS, ...OF_FILES], 3))('$name', ({ args }) => {
  it('says in a line that there is no such folder', async ({ place }) => {
    const path = join(place.dir, 'missing', 'out');
    const { code, stderr } = await wiretape(place, args(path));
    expect(stderr.toString()).toMatch(/^wiretape: cannot write \S+: no such file or directory\nhint: [^\n]+\n$/);
    expect(code).toBe(2);
  });
});

describe.for(OF_FILES)('$name', ({ args }) => {
  it('writes only to a file', async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const { code, stderr } = await wiretape(place, args(fifo));
    expect(stderr.toString()).toMatch(/^wiretape: [^\n]+\nhint: [^\n]+\n$/);
    expect([code, lstatSync(fifo).isFIFO(), existsSync(`${fifo}.state`)]).toEqual([2, true, false]);
  });
});

describe('a tape of its own', () => {
  it('never takes the place of anything', async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    symlinkSync('nowhere', join(place.dir, 'link'));
    for (const path of [fifo, join(place.dir, 'link')]) {
      const { code, stderr, stdout } = await wiretape(place, ['record', '--tape', path, '--', 'echo', 'hi']);
      expect(stderr.toString()).toContain('already exists; the tape is kept in the store only');
      expect([code, stdout.toString()]).toEqual([0, 'hi\n']);
    }
    expect([lstatSync(fifo).isFIFO(), readlinkSync(join(place.dir, 'link'))]).toEqual([true, 'nowhere']);
  });
});

describe('temporary files', () => {
  const NEED = [
    ['export', TAPE, '-f', 'html'],
    ['export', TAPE, '-f', 'html', '--open'],
    ['report', TAPE, '-o', 'report.zip', '--force'],
    ['redact', TAPE],
    ['minimize', TAPE, '--test', 'false', '-o', 'min.jsonl', '--force'],
    ['demo'],
  ];
  it.for(NEED.map((args) => ({ args, name: args.join(' ') })))(
    '$name without a folder for them',
    async ({ args }, { place }) => {
      const words = args.map((word) => (/^(report|min)\./.test(word) ? join(place.dir, word) : word));
      const env = { ...place.env, TMPDIR: join(place.dir, 'missing') };
      const { code, stderr } = await wiretape(place, words, { env });
      expect(stderr.toString()).toMatch(/wiretape: cannot (make a temporary folder in|write) [^\n]+\nhint: [^\n]+\n$/);
      expect([code, stderr.toString().includes('    at ')]).toEqual([2, false]);
    },
  );

  // These say it for each tape, and go on with the next.
  it.for(['verify', 'check', 'import'])('%s of a page without a folder for its tape', async (command, { place }) => {
    const page = join(place.dir, 'page.html');
    await wiretape(place, ['export', TAPE, '-f', 'html', '-o', page]);
    const env = { ...place.env, TMPDIR: join(place.dir, 'missing') };
    const { code, stdout, stderr } = await wiretape(place, [command, page], { env });
    const said = `${stdout}${stderr}`;
    expect(said).toMatch(/page\.html.*cannot make a temporary folder in \S+missing: no such file or directory/);
    expect([code, said.includes('mkdtemp')]).toEqual([command === 'import' ? 1 : 2, false]);
  });
});
