/** Limits under which Node cannot start, or not record: the agent runs all the same, and every other command says why not. */
import { spawnSync } from 'node:child_process';
import { describe, expect } from 'vitest';
import { HAS_LAUNCHER, NO_LAUNCHER, run, WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const under = (limit: string, words: readonly string[]) => ['sh', '-c', `ulimit ${limit} && exec "$@"`, 'sh', ...words];
const SCRIPT = `${WIRETAPE}.js`;
const AGENT = ['sh', '-c', 'cat; exit 7'];

/** Of another user: the administrator may start as many processes as there is room for. */
const AS_OTHER = ['prlimit', '--nproc=6', 'setpriv', '--reuid', '64000', '--clear-groups'];
const CAN_CHANGE = spawnSync(AS_OTHER[0]!, [...AS_OTHER.slice(1), 'true']).status === 0;

async function recording(place: Place, command: readonly string[]) {
  const { code, stdout, stderr } = await run(place, command, { input: 'hello\n' });
  return { code, stdout: stdout.toString(), stderr: stderr.toString() };
}

const unrecorded = (what: string) => ({
  code: 7,
  stdout: 'hello\n',
  stderr: expect.stringMatching(
    new RegExp(`^wiretape: the ${what} is too low \\(ulimit -.\\); the agent runs unrecorded\n$`),
  ),
});

describe.runIf(HAS_LAUNCHER)(`the agent runs (${NO_LAUNCHER})`, () => {
  it.for(['40', '30', '20', '10', '8'])('with %s open files', async (files, { place }) => {
    const seen = await recording(place, under(`-n ${files}`, [WIRETAPE, 'record', '--name', 'x', '--', ...AGENT]));
    expect(seen).toEqual(unrecorded('limit of open files'));
  });

  it('with little memory', async ({ place }) => {
    for (const kilobytes of [200_000, 600_000, 700_000]) {
      const seen = await recording(place, under(`-v ${kilobytes}`, [WIRETAPE, 'record', ...AGENT]));
      expect(seen).toEqual(unrecorded('memory limit'));
    }
  });

  it.runIf(CAN_CHANGE)('with few processes', async ({ place }) => {
    const words = [WIRETAPE, 'record', '--store', '/tmp/nowhere', '--', ...AGENT];
    expect(await recording(place, [...AS_OTHER, ...words])).toEqual(unrecorded('limit of processes'));
  });

  it('but not with --strict, and nothing runs that is not there', async ({ place }) => {
    const strict = await recording(place, under('-n 10', [WIRETAPE, 'record', '--strict', '--', ...AGENT]));
    expect(strict).toMatchObject({ code: 125, stdout: '' });
    expect(strict.stderr).toMatch(/^wiretape: [^\n]+; the agent is not started\n$/);
    expect((await recording(place, under('-n 10', [WIRETAPE, 'record', 'no-such-agent']))).code).toBe(127);
    expect((await recording(place, under('-n 10', [WIRETAPE, 'record', '/']))).code).toBe(126);
    expect((await recording(place, under('-n 10', [WIRETAPE, 'record']))).code).toBe(125);
  });

  it('and other commands say why not', async ({ place }) => {
    for (const words of [['ls'], ['show', 'samples/tapes/approve.jsonl'], ['--help']]) {
      const { code, stderr } = await recording(place, under('-n 10', [WIRETAPE, ...words]));
      expect([code, stderr]).toEqual([2, 'wiretape: the limit of open files is too low (ulimit -n)\n']);
    }
  });

  it('with the limit that it would have had', async ({ place }) => {
    const { stdout } = await recording(place, under('-Sn 100', [WIRETAPE, 'record', 'sh', '-c', 'ulimit -Sn']));
    expect(stdout).toBe('100\n');
  });
});

describe('without a launcher', () => {
  it('the agent runs where Node starts', async ({ place }) => {
    const words = [process.execPath, SCRIPT, 'record', ...AGENT];
    expect(await recording(place, under('-n 28', words))).toEqual(unrecorded('limit of open files'));
  });

  it('a driven agent has the same', async ({ place }) => {
    const words = [process.execPath, SCRIPT, 'replay', 'samples/tapes/approve.jsonl', '--timeout', '1s', '--', 'cat'];
    const { code, stderr } = await recording(place, under('-n 34', words));
    expect(stderr).toMatch(/^wiretape: the limit of open files is too low \(ulimit -n\); the agent runs unrecorded\n/);
    expect([code, stderr.includes('    at ')]).toEqual([1, false]);
  });
});

describe('a limit of the size of files', () => {
  it('costs the recording and not the traffic', async ({ place }) => {
    const { code, stdout, stderr } = await run(place, under('-f 1', [WIRETAPE, 'record', ...AGENT]), {
      input: 'x'.repeat(300_000),
    });
    expect([code, stdout.length]).toEqual([7, 300_000]);
    expect(stderr.toString()).toMatch(/^wiretape: [^\n]+; traffic continues\n$/);
  });

  it('leaves no half of an export', async ({ place }) => {
    const words = [WIRETAPE, 'export', 'samples/tapes/approve.jsonl', '-f', 'html', '-o', `${place.dir}/out`];
    const { code, stderr } = await recording(place, under('-f 1', words));
    expect(stderr).toMatch(/^wiretape: cannot write [^\n]+: file too large\nhint: [^\n]+\n$/);
    expect(code).toBe(2);
  });
});
