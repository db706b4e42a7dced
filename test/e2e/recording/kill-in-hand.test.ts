/** kill -9 of a recorder that has forwarded data and not recorded it, because its disk does not answer (promise 6). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { GOOD_DISK, withBadDisk } from '../../support/bad-disk.ts';
import { Client } from '../../support/client.ts';
import { bytesOf, finished } from '../../support/killed.ts';
import { processesWith } from '../../support/processes.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

const NO_COMPILER = 'a bad disk needs a C compiler';

const dead = (place: Place) => waitFor(() => processesWith(place.marker).length === 0, 'the end of all');

// However long the recorder stands between the two: here until it is killed.
describe.concurrent('a recorder that is killed after it forwarded a chunk and before it recorded it', () => {
  const STUCK_MS = 600_000;

  it('loses this chunk of the client, and nothing before it', async ({ place, skip }) => {
    const log = join(place.dir, 'arrived');
    const env = withBadDisk(place, { file: '/journal', writeMs: STUCK_MS, text: '"n":3' });
    if (!env) return skip(NO_COMPILER);
    const client = new Client([WIRETAPE, 'record', '--', ...GOOD_DISK, 'tee', log], { ...place, env });
    for (const line of ['{"n":1}\n', '{"n":2}\n']) {
      await client.write(line);
      await client.until(line);
    }
    await client.write('{"n":3}\n{"n":4}\n');
    await waitFor(() => readFileSync(log, 'latin1').includes('"n":4'), 'the last lines at the agent');
    client.kill('SIGKILL');
    await client.over();
    await dead(place);
    const tape = finished(place);
    expect(tape.bytesFrom('client').toString()).toBe('{"n":1}\n{"n":2}\n');
    expect(tape.bytesFrom('agent').toString()).toBe('{"n":1}\n{"n":2}\n');
    client.dispose();
  });

  it('had not read another stream, though both had data', async ({ place, skip }) => {
    const env = withBadDisk(place, { file: '/journal', writeMs: STUCK_MS, text: '"last"' });
    if (!env) return skip(NO_COMPILER);
    const [go, written] = [join(place.dir, 'go'), join(place.dir, 'written')];
    const script = `echo '{"n":1}'; echo '{"n":2}' >&2; while [ ! -e ${go} ]; do sleep 0.1; done
      echo '{"last":1}'; echo '{"last":2}' >&2; echo > ${written}; cat > /dev/null`;
    const client = new Client([WIRETAPE, 'record', '--', ...GOOD_DISK, 'sh', '-c', script], { ...place, env });
    await client.until('{"n":1}\n');
    await client.until('{"n":2}\n', 'stderr');
    // Stopped, so that both streams have data when it looks again.
    client.kill('SIGSTOP');
    writeFileSync(go, '');
    await waitFor(() => existsSync(written), 'the last words of the agent');
    client.kill('SIGCONT');
    const arrived = () => `${client.stdout}${client.stderr}`.split('"last"').length - 1;
    await waitFor(() => arrived() > 0, 'one of them');
    client.kill('SIGKILL');
    await client.over();
    await dead(place);
    expect(arrived()).toBe(1);
    const tape = finished(place);
    expect(tape.bytesFrom('agent').toString()).toBe('{"n":1}\n');
    expect(tape.bytesFrom('stderr').toString()).toBe('{"n":2}\n');
    client.dispose();
  });
});

it('a recorder that is killed while its disk is slow loses the end only', async ({ place, skip }) => {
  const env = withBadDisk(place, { file: '/journal', writeMs: 300 });
  if (!env) return skip(NO_COMPILER);
  const client = new Client([WIRETAPE, 'record', '--', ...GOOD_DISK, 'cat'], { ...place, env });
  let sent = '';
  for (let i = 0; i < 60; i++) {
    const line = `{"n":${i}}\n`;
    sent += line;
    await client.write(line);
    await client.until(line);
  }
  client.kill('SIGKILL');
  await client.over();
  await dead(place);
  const { client: asked, agent: answered } = bytesOf(finished(place));
  expect(asked.length).toBeGreaterThan(0);
  for (const recorded of [asked, answered]) expect(sent.startsWith(recorded.toString())).toBe(true);
  client.dispose();
});
