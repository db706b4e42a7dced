/** What the launcher tells Node: only settings that suit the machine and the command; those of others are set aside. */
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect } from 'vitest';
import { HAS_LAUNCHER, run, WIRETAPE } from '../support/run.ts';
import { makeExecutable } from '../support/shim.ts';
import { it, type Place } from '../support/store.ts';

const CERTIFICATES = '/etc/company.pem';

/** Takes the place of Node, and tells how it was started. */
const TELLS = `printf '%s\\n' "$NODE_OPTIONS" "\${NODE_EXTRA_CA_CERTS-none}" "\${WT_NODE_EXTRA_CA_CERTS-none}" "$@"`;

async function started(place: Place, ...words: string[]) {
  const bin = dirname(makeExecutable(join(place.dir, 'bin/node'), ['sh', '-c', TELLS, 'node']));
  const env = { ...place.env, PATH: `${bin}:${place.env.PATH}`, NODE_EXTRA_CA_CERTS: CERTIFICATES };
  const { stdout } = await run(place, [WIRETAPE, ...words], { env });
  const [options, certificates, aside, ...rest] = stdout.toString().trimEnd().split('\n');
  return { options, certificates, aside, heap: rest.filter((word) => word.startsWith('--initial-old-space-size')) };
}

describe.runIf(HAS_LAUNCHER)('Node', () => {
  it('has no more helper threads than cores beside the program', async ({ place }) => {
    const { options } = await started(place, 'ls');
    const few = cpus().length <= 4 ? ` --v8-pool-size=${Math.max(1, cpus().length - 1)}` : '';
    expect(options).toBe(`--no-warnings${few}`);
  });

  it('reads no certificates, unless something is sent', async ({ place }) => {
    expect(await started(place, 'ls')).toMatchObject({ certificates: 'none', aside: CERTIFICATES });
    const sending = await started(place, 'export', 'last', '--endpoint=https://collector');
    expect(sending).toMatchObject({ certificates: CERTIFICATES, aside: 'none', heap: [] });
  });

  it('begins with a larger heap to export and to report', async ({ place }) => {
    for (const command of ['export', 'report']) expect((await started(place, command, 'last')).heap).toHaveLength(1);
    for (const command of ['record', 'ls', 'check']) expect((await started(place, command)).heap).toEqual([]);
  });
});
