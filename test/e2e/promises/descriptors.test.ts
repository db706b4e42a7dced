// Promise 5, "something harmless opened in their place": while descriptor 0 or 1 is closed and filled again, no other
// thread may get that number (libuv aborts the process when it later closes it). Made visible by slowing `close` down.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run, WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';

const SLOW = [
  '-e',
  'trace=close,openat,pipe2,socketpair,epoll_create1,eventfd2',
  '-e',
  'inject=close:delay_exit=20000',
];

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-f', '-o', '/dev/null', ...SLOW, 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

it.skipIf(!canTrace())('nobody else gets the number of a standard stream', async ({ place }) => {
  const log = join(place.dir, 'calls');
  const command = ['strace', '-f', '-o', log, ...SLOW, WIRETAPE, 'record', '--', 'cat'];
  const { code, stdout } = await run(place, command, { input: 'hello\n' });
  expect([code, stdout.toString()]).toEqual([0, 'hello\n']);
  const calls = readFileSync(log, 'utf8').split('\n');
  const opened = calls.filter((call) => /(openat|epoll_create1|eventfd2)\(.*= [012]( |$)|\[[012], \d+\]/.test(call));
  expect(opened.filter((call) => !call.includes('"/dev/null"'))).toEqual([]);
});
