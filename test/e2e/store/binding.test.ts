/** No better-sqlite3: recording and reading go on without the index, and it is said once how to mend it (promise 4). */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { type Copy, copyPackage, copyProgram } from '../../support/copy.ts';
import { filesIn, INDEX } from '../../support/index.ts';
import { ls, recordCat } from '../../support/ls.ts';
import { run } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const BINARY = 'build/Release/better_sqlite3.node';

/** The package with nothing but what is loaded, without its sources. */
function copyDriver(copy: Copy): string {
  return copyPackage(copy, 'better-sqlite3', [
    'deps',
    'src',
    'build/Release/obj',
    'build/Release/obj.target',
    'build/Release/sqlite3.a',
  ]);
}

/** The binary as another version of Node would need it: the number it was built for is another. */
function makeForeign(path: string): void {
  const { modules } = process.versions;
  const binary = readFileSync(path);
  const symbol = Buffer.from(`node_register_module_v${modules}`);
  for (let at = binary.indexOf(symbol); at >= 0; at = binary.indexOf(symbol, at + 1)) {
    binary.write('1', at + symbol.length - modules.length);
    binary.write('0', at + symbol.length - 1);
  }
  // The structure by which the module registers itself begins with its version, no flags, and no handle yet.
  const head = Buffer.alloc(16);
  head.writeInt32LE(Number(modules));
  const places: number[] = [];
  for (let at = binary.indexOf(head); at >= 0; at = binary.indexOf(head, at + 1)) if (at % 8 === 0) places.push(at);
  expect(places).toHaveLength(1);
  binary.writeInt32LE(Number(modules) - 1, places[0]!);
  writeFileSync(path, binary);
}

const WAYS: [string, (place: Place) => Copy, RegExp, RegExp][] = [
  [
    'the package is missing',
    (place) => copyProgram(place, 'copy', ['better-sqlite3']),
    /better-sqlite3 does not load \(it is not installed\)/,
    /reinstall wiretape/,
  ],
  [
    'its binary is missing',
    (place) => {
      const copy = copyProgram(place, 'copy', ['better-sqlite3']);
      copyPackage(copy, 'better-sqlite3', ['deps', 'src', 'build']);
      return copy;
    },
    /\(its binary is missing\)/,
    /npm rebuild better-sqlite3/,
  ],
  [
    'its binary is broken',
    (place) => {
      const copy = copyProgram(place, 'copy', ['better-sqlite3']);
      writeFileSync(join(copyDriver(copy), BINARY), 'no program at all\n'.repeat(99));
      return copy;
    },
    /better-sqlite3 does not load \([^)]*better_sqlite3\.node[^)]*\)/,
    /npm rebuild better-sqlite3/,
  ],
  [
    'its binary is for another Node',
    (place) => {
      const copy = copyProgram(place, 'copy', ['better-sqlite3']);
      makeForeign(join(copyDriver(copy), BINARY));
      return copy;
    },
    /\(its binary was built for another version of Node\)/,
    /npm rebuild better-sqlite3/,
  ],
];

const LINES = '{"id":1,"method":"m"}\n'.repeat(100);

describe.concurrent('without better-sqlite3, because', () => {
  it.for(WAYS)('%s', async ([, make, why, mend], { place }) => {
    const { program } = make(place);
    const recorded = recordCat(place, [], program);
    try {
      recorded.write(LINES);
      await recorded.until('\n', 'stderr');
      recorded.end();
      await recorded.over();
    } finally {
      recorded.dispose();
    }
    expect(recorded.code).toBe(0);
    expect(recorded.stdout.toString()).toBe(LINES);
    expect(recorded.stderr.toString()).toMatch(/^wiretape: the index cannot be used: [^\n]*; traffic continues\n$/);
    for (const part of [why, mend]) expect(recorded.stderr.toString()).toMatch(part);
    expect(filesIn(place.home)).toEqual(['sessions']);

    const { rows, said } = await ls(place, program);
    expect(rows[0]).toMatchObject({ state: 'ended', frames: 205, exit: { code: 0, signal: null } });
    expect(said).toMatch(/^wiretape: the index cannot be used: [^\n]*; reading the tapes instead\nhint: [^\n]*\n$/);
    for (const part of [why, mend]) expect(said).toMatch(part);

    // With the whole program the same sessions are there, and the index.
    expect((await ls(place)).rows.map(({ session }) => session)).toContain(rows[0]!.session);
    expect(filesIn(place.home)).toEqual([INDEX, 'sessions']);
  });

  it('anything: tapes are shown and verified, and a strict run is stopped', async ({ place }) => {
    const { program } = copyProgram(place, 'copy', ['better-sqlite3']);
    await run(place, [program, 'record', '--', 'cat'], { input: LINES, streams: 'socket' });
    const shown = await run(place, [program, 'show', 'last', '--raw', '--from', 'agent'], { streams: 'socket' });
    expect(shown).toMatchObject({ code: 0, stdout: Buffer.from(LINES), stderr: Buffer.alloc(0) });
    const verified = await run(place, [program, 'verify'], { streams: 'socket' });
    expect(verified).toMatchObject({ code: 0, stderr: Buffer.alloc(0) });

    const strict = await run(place, [program, 'record', '--strict', '--', 'sh', '-c', 'cat; sleep 20'], {
      streams: 'socket',
    });
    expect(strict.code).toBe(125);
    expect(strict.stderr.toString()).toMatch(/^wiretape: [^\n]*; stopping the agent\n$/);
  });
});
