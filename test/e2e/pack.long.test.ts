/** The package as users get it: packed, installed globally into an empty prefix, recording. CI also builds its binding. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('installs globally and records', async () => {
  const script = fileURLToPath(new URL('../pack/install.sh', import.meta.url));
  const { stdout } = await promisify(execFile)('bash', [script, '--quick']);
  expect(stdout).toMatch(/packed, installed, recorded: ok\n$/);
});
