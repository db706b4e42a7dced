/** Where output may go: real files, links, pipes, devices, descriptors and sockets. */
import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Failure } from '../../../../lib/model/failure.ts';
import { destinationOf } from '../../../../lib/storage/files/destination.ts';
import { copyTo, writeFileAt, writeOutput } from '../../../../lib/storage/files/output.ts';
import { makeDevice, makeFifo, makeOthersLink, makeSocket, NO_DEVICE, NO_OTHER } from '../../../support/odd-files.ts';
import { it } from '../../../support/store.ts';

const text = (path: string) => readFileSync(path, 'utf8');
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const force = { force: true };

async function failureOf(writing: Promise<unknown>): Promise<Failure> {
  const error = await writing.then(
    () => new Error('it was written'),
    (failure: Failure) => failure,
  );
  expect(error.name, error.message).toBe('Failure');
  expect((error as Failure).hint, error.message).toBeTruthy();
  return error as Failure;
}

/** All that comes through a pipe, read by another process. */
function readerOf(fifo: string): Promise<string> {
  const cat = spawn('cat', [fifo], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  cat.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  return new Promise((done) => cat.on('close', () => done(said)));
}

describe('a file', () => {
  it('is new and private, or replaced with force only', async ({ place }) => {
    const path = join(place.dir, 'out');
    expect(await writeOutput(path, ['one', Buffer.from(' two')])).toBe(7);
    expect([text(path), modeOf(path)]).toEqual(['one two', '600']);
    expect((await failureOf(writeOutput(path, ['three']))).message).toBe(`${path} already exists`);
    expect(text(path)).toBe('one two');
    chmodSync(path, 0o644);
    await writeOutput(path, ['three'], force);
    expect([text(path), modeOf(path)]).toEqual(['three', '600']);
    await writeOutput(path, ['four'], { force: true, mode: 0o755 });
    expect(modeOf(path)).toBe('755');
    expect(readdirSync(place.dir).filter((name) => name.includes('out'))).toEqual(['out']);
  });

  it('stays as it was until all is written, and if something fails', async ({ place }) => {
    const path = join(place.dir, 'out');
    writeFileSync(path, 'before');
    const { ino } = statSync(path);
    async function* pieces() {
      yield 'half';
      expect(text(path)).toBe('before');
      throw new Error('no more');
    }
    await expect(writeOutput(path, pieces(), force)).rejects.toThrow('no more');
    const refusing = { force: true, inspect: (draft: string) => expect(text(draft)).toBe('other') };
    await expect(writeOutput(path, ['whole'], refusing)).rejects.toThrow();
    expect([text(path), statSync(path).ino]).toEqual(['before', ino]);
    expect(readdirSync(place.dir).filter((name) => name.includes('out'))).toEqual(['out']);
  });

  it('that comes into being meanwhile stays', async ({ place }) => {
    const path = join(place.dir, 'out');
    async function* pieces() {
      writeFileSync(path, 'of somebody else');
      yield 'ours';
    }
    expect((await failureOf(writeOutput(path, pieces()))).message).toMatch(/already exists/);
    expect(text(path)).toBe('of somebody else');
  });

  it('that became something else meanwhile is not replaced', async ({ place }) => {
    const [path, fifo] = [join(place.dir, 'out'), join(place.dir, 'fifo')];
    writeFileSync(path, 'before');
    makeFifo(fifo);
    async function* pieces() {
      renameSync(fifo, path);
      yield 'ours';
    }
    await failureOf(writeOutput(path, pieces(), force));
    expect(lstatSync(path).isFIFO()).toBe(true);
  });

  it('has its own bytes: another name of the old one keeps what it had', async ({ place }) => {
    const [path, other] = [join(place.dir, 'out'), join(place.dir, 'other')];
    writeFileSync(path, 'before');
    linkSync(path, other);
    await writeOutput(path, ['after'], force);
    expect([text(path), text(other)]).toEqual(['after', 'before']);
  });

  it('can have the longest name', async ({ place }) => {
    for (const name of ['n'.repeat(255), '名'.repeat(85)]) {
      await writeOutput(join(place.dir, name), ['x']);
      expect(text(join(place.dir, name))).toBe('x');
    }
    const { message, hint } = await failureOf(writeOutput(join(place.dir, 'n'.repeat(256)), ['x']));
    expect([message, hint]).toEqual([expect.stringContaining('name too long'), 'choose a shorter name']);
  });

  it('is copied with the mode that is asked for', ({ place }) => {
    const [from, to] = [join(place.dir, 'from'), join(place.dir, 'to')];
    writeFileSync(from, 'x'.repeat(3 << 20));
    copyTo(to, from, { mode: 0o644 });
    expect([statSync(to).size, modeOf(to)]).toEqual([3 << 20, '644']);
  });
});

describe('a link', () => {
  it('of our own is followed, and stays a link', async ({ place }) => {
    const [path, link, second] = ['file', 'link', 'second'].map((name) => join(place.dir, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(path, 'before');
    symlinkSync('file', link);
    symlinkSync(link, second);
    expect((await failureOf(writeOutput(second, ['after']))).message).toBe(`${second} already exists`);
    await writeOutput(second, ['after'], force);
    expect([text(path), readlinkSync(link), readlinkSync(second)]).toEqual(['after', 'file', link]);
  });

  it('to nothing, or in a circle, is refused', async ({ place }) => {
    symlinkSync('nothing', join(place.dir, 'dangling'));
    symlinkSync('b', join(place.dir, 'a'));
    symlinkSync('a', join(place.dir, 'b'));
    expect((await failureOf(writeOutput(join(place.dir, 'dangling'), ['x'], force))).message).toMatch(/broken link to/);
    expect((await failureOf(writeOutput(join(place.dir, 'a'), ['x'], force))).message).toMatch(/form a loop/);
    expect(readdirSync(place.dir)).not.toContain('nothing');
  });

  it('of another user is refused', async ({ place, skip }) => {
    const [path, link] = [join(place.dir, 'file'), join(place.dir, 'link')];
    writeFileSync(path, 'before');
    if (!makeOthersLink(link, path)) return skip(NO_OTHER);
    const { message, hint } = await failureOf(writeOutput(link, ['after'], force));
    expect(message).toBe(`${link} is a link of another user`);
    expect(hint).toContain(path);
    symlinkSync(link, join(place.dir, 'ours'));
    await failureOf(writeOutput(join(place.dir, 'ours'), ['after'], force));
    expect(text(path)).toBe('before');
  });

  it('is followed in a folder of all only if nobody else can replace it', async ({ place }) => {
    const [folder, path] = [join(place.dir, 'shared'), join(place.dir, 'file')];
    mkdirSync(folder);
    writeFileSync(path, 'before');
    symlinkSync(path, join(folder, 'link'));
    chmodSync(folder, 0o777);
    expect((await failureOf(writeOutput(join(folder, 'link'), ['x'], force))).message).toMatch(/anybody may replace/);
    chmodSync(folder, 0o1777);
    await writeOutput(join(folder, 'link'), ['after'], force);
    expect(text(path)).toBe('after');
  });
});

describe('a pipe', () => {
  it('gets all of it, in either order of its two ends', async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const long = 'x'.repeat(1 << 20);
    for (const options of [{}, force]) {
      const read = readerOf(fifo);
      await writeOutput(fifo, [long], options);
      expect((await read).length).toBe(long.length);
    }
    const written = writeOutput(fifo, ['late']);
    const read = readerOf(fifo);
    await written;
    expect(await read).toBe('late');
    expect(lstatSync(fifo).isFIFO()).toBe(true);
  });

  it('whose reader has seen enough is no error', async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const head = spawn('head', ['-c', '10', fifo], { stdio: 'ignore' });
    const over = new Promise((done) => head.on('close', done));
    await writeOutput(fifo, ['x'.repeat(1 << 20)]);
    await over;
  });

  it('gets nothing of what is refused', async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const inspect = () => {
      throw new Error('refused');
    };
    await expect(writeOutput(fifo, ['secret'], { inspect })).rejects.toThrow('refused');
  });

  it('that nobody reads is an error in the end', { timeout: 60_000 }, async ({ place }) => {
    const fifo = makeFifo(join(place.dir, 'fifo'));
    const { message, hint } = await failureOf(writeOutput(fifo, ['x']));
    expect([message, hint]).toEqual([expect.stringContaining('nobody reads'), expect.stringContaining('cat')]);
  });
});

describe('a device', () => {
  it('is written to and stays', async ({ place, skip }) => {
    const device = makeDevice(join(place.dir, 'null'));
    if (!device) return skip(NO_DEVICE);
    const { ino } = lstatSync(device);
    for (const options of [{}, force]) await writeOutput(device, ['x'.repeat(1 << 20)], options);
    symlinkSync(device, join(place.dir, 'link'));
    await writeOutput(join(place.dir, 'link'), ['x'], force);
    expect([lstatSync(device).isCharacterDevice(), lstatSync(device).ino]).toEqual([true, ino]);
  });

  it('that is full says so', async ({ place, skip }) => {
    const device = makeDevice(join(place.dir, 'full'), 7);
    if (!device) return skip(NO_DEVICE);
    expect((await failureOf(writeOutput(device, ['x']))).message).toMatch(/no space left/);
  });

  it('with blocks needs force', async ({ place, skip }) => {
    const path = join(place.dir, 'loop');
    try {
      execFileSync('mknod', [path, 'b', '7', '250'], { stdio: 'ignore' });
    } catch {
      return skip(NO_DEVICE);
    }
    expect(() => destinationOf(path, false)).toThrow('block device');
    expect(destinationOf(path, true)).toMatchObject({ is: 'stream', kind: 'device' });
  });
});

describe('a descriptor', () => {
  it('that was inherited is written to, under each of its names', ({ place }) => {
    const module = new URL('../../../../lib/storage/files/output.ts', import.meta.url);
    const built = new URL(module.href.replace('/lib/', '/dist/lib/').replace('.ts', '.js'));
    const script = `const { writeOutput } = await import(${JSON.stringify(built)});
      for (const path of process.argv.slice(1)) await writeOutput(path, [path + '\\n']);`;
    const names = ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', '/dev/fd/5', '/proc/self/fd/5', '/dev/stderr'];
    const node = `exec "$0" --input-type=module -e "$1" ${names.join(' ')} >> out 5>> five 2> err`;
    writeFileSync(join(place.dir, 'out'), 'before\n');
    execFileSync('sh', ['-c', node, process.execPath, script], { cwd: place.dir });
    const said = (name: string) => text(join(place.dir, name)).trim().split('\n');
    expect(said('out')).toEqual(['before', ...names.slice(0, 3)]);
    expect(said('five')).toEqual(names.slice(3, 5));
    expect(said('err')).toEqual(names.slice(5));
  });

  it('that is closed is refused', async () => {
    const { message } = await failureOf(writeOutput('/dev/fd/999', ['x']));
    expect(message).toBe('/dev/fd/999 is not open');
  });
});

describe('everything else', () => {
  it('is refused with a hint', async ({ place }) => {
    const socket = join(place.dir, 'socket');
    const close = await makeSocket(socket);
    writeFileSync(join(place.dir, 'file'), '');
    const cases = [
      [socket, 'is a socket'],
      [place.dir, 'is a folder'],
      [join(place.dir, 'no/such/folder'), 'no such file'],
      [join(place.dir, 'file/below'), 'not a directory'],
    ] as const;
    for (const [path, why] of cases) expect((await failureOf(writeOutput(path, ['x'], force))).message).toContain(why);
    close();
    for (const path of [makeFifo(join(place.dir, 'fifo')), '/dev/stdout'])
      expect(() => writeFileAt(path, ['x'], force)).toThrow('not a file');
  });

  it('a folder where nothing can be written says so', async ({ place }) => {
    // Nobody may write there, not even the administrator.
    const { message, hint } = await failureOf(writeOutput('/proc/self/out', ['x']));
    expect([message, hint]).toEqual([expect.stringMatching(/^cannot write \/proc\/self\/out: /), expect.any(String)]);
    if (process.geteuid?.() === 0) return;
    const folder = join(place.dir, 'closed');
    mkdirSync(folder, { mode: 0o500 });
    expect((await failureOf(writeOutput(join(folder, 'out'), ['x']))).message).toContain('permission denied');
  });
});
