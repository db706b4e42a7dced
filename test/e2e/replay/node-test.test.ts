/** The test in docs/library.md, run by Node's own test runner as a user would. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { recordOrReplay } from '../../../lib/index.ts';
import { Client } from '../../support/client.ts';
import { it, type Place } from '../../support/store.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const [, EXAMPLE] = /^```js test\n(.*?)^```$/ms.exec(readFileSync(join(ROOT, 'docs/library.md'), 'utf8'))!;
const HELLO = '{"jsonrpc":"2.0","id":1,"method":"hello"}';
const AGENT = `process.stdin.on('data', () => console.log('{"jsonrpc":"2.0","id":1,"result":"world"}'))`;

/** Runs the example, after `change`, in a project with a tape. */
async function tested(place: Place, change: (text: string) => string): Promise<{ code: number; stdout: string }> {
  mkdirSync(join(place.dir, 'tests/tapes'), { recursive: true });
  mkdirSync(join(place.dir, 'node_modules'));
  symlinkSync(ROOT, join(place.dir, 'node_modules/wiretape'));
  const tape = join(place.dir, 'tests/tapes/hello.jsonl');
  await recordOrReplay(tape, [process.execPath, '-e', AGENT], { home: place.home }).use(async ({ path }) => {
    const client = new Client([path], { env: place.env });
    void client.write(`${HELLO}\n`);
    await client.until('world', 'stdout');
    client.end();
  });
  writeFileSync(join(place.dir, 'hello.test.mjs'), change(EXAMPLE!));
  const options = { cwd: place.dir, env: place.env };
  const run = promisify(execFile)(process.execPath, ['--test', '--test-reporter=spec', 'hello.test.mjs'], options);
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

describe.concurrent('the test in docs/library.md', () => {
  it('is green', async ({ place }) => {
    expect(await tested(place, (text) => text)).toMatchObject({ code: 0 });
  });

  it('is red if the client does something else and takes the error', async ({ place }) => {
    const { code, stdout } = await tested(place, (text) =>
      text.replace('"method":"hello"', '"method":"hallo"').replace(/^.*assert\.equal.*$/m, ''),
    );
    expect(code).toBe(1);
    expect(stdout).toContain('hallo is not on the tape');
    expect(stdout).toContain('the client never sent hello (f2)');
  });

  it('shows what else failed', async ({ place }) => {
    const { code, stdout } = await tested(place, (text) => text.replace('"method":"hello"', '"method":"hallo"'));
    expect(code).toBe(1);
    expect(stdout).toContain('hallo is not on the tape');
    expect(stdout).toMatch(/the test failed, too: .*world/s);
  });
});
