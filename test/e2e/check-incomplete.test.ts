/** `check --fail-on incomplete`: CI does not pass on a tape that does not hold everything. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../support/in-process.ts';
import { WIRETAPE } from '../support/run.ts';
import { makeSession, smallTalk } from '../support/session.ts';
import { it, type Place } from '../support/store.ts';
import { waitFor } from '../support/wait.ts';

async function check(place: Place, ...args: string[]) {
  const { code, stdout, stderr } = await wiretapeHere(place, ['check', '--all', '--json', ...args]);
  const found = stdout
    .toString()
    .split('\n')
    .flatMap((line) => (line ? [JSON.parse(line) as { rule: string; message: string; f: number }] : []));
  return { code, said: stderr.toString(), found: found.filter(({ rule }) => rule === 'io-incomplete') };
}

const STRICT = ['--fail-on', 'incomplete'];

describe('check --fail-on incomplete', () => {
  it('passes a tape that is whole', async ({ place }) => {
    makeSession(place.home, smallTalk);
    expect(await check(place, ...STRICT)).toMatchObject({ code: 0, found: [] });
  });

  it('fails on a gap, and says of what; without it, a gap is no matter', async ({ place }) => {
    makeSession(place.home, (journal) => {
      journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
      journal.event(5, { from: 'proc', event: 'gap', stream: 'agent', missing: 12 }).exit(9);
    });
    expect(await check(place)).toMatchObject({ code: 0, found: [] });
    const found = [{ f: 2, message: '12 bytes of the agent could not be recorded' }];
    expect(await check(place, ...STRICT)).toMatchObject({ code: 1, found });
    expect(await check(place, '--fail-on', 'never,incomplete')).toMatchObject({ code: 1, found });
    const junit = await wiretapeHere(place, ['check', '--all', '--junit', '--fail-on', 'never,incomplete']);
    expect(junit.stdout.toString()).toContain('<failure message="12 bytes of the agent could not be recorded"');
  });

  it('fails on a tape that is cut off, altered, or cannot be read', async ({ place }) => {
    const { tape } = makeSession(place.home, smallTalk);
    const whole = readFileSync(tape, 'utf8');
    writeFileSync(tape, whole.slice(0, -100));
    const cut = 'the tape has no end: it was cut off, or never finished';
    expect(await check(place, ...STRICT)).toMatchObject({ code: 1, found: [{ message: cut }] });
    writeFileSync(tape, whole.replace('"prompt"', '"Prompt"'));
    const altered = await check(place, ...STRICT);
    expect(altered).toMatchObject({ code: 1 });
    expect(altered.found[0]!.message).toMatch(/^the tape was altered between f\d and f\d$/);
    writeFileSync(tape, 'no tape\n');
    const unread = await check(place, ...STRICT);
    expect(unread).toMatchObject({ code: 1, found: [] });
    expect(unread.said).toContain('cannot be checked');
    expect(await check(place)).toMatchObject({ code: 2 });
  });

  it('fails while a session runs, and after its recorder was killed', async ({ place }) => {
    const recorder = spawn(WIRETAPE, ['record', '--', 'cat'], { env: place.env, stdio: 'pipe' });
    recorder.stdin.write('{}\n');
    await once(recorder.stdout, 'data');
    const running = await waitFor(async () => {
      const checked = await check(place, ...STRICT);
      expect(checked.code).toBe(1);
      // Its tape may have no line yet.
      return checked.found.length > 0 && checked;
    });
    expect(running).toMatchObject({ found: [{ message: 'it is still being recorded' }] });
    recorder.kill('SIGKILL');
    await once(recorder, 'close');
    const killed = 'the recorder was killed: what came after this is not on the tape';
    expect(await check(place, ...STRICT)).toMatchObject({ code: 1, found: [{ message: killed }] });
  });

  it('takes one level beside it', async ({ place }) => {
    makeSession(place.home, smallTalk);
    const { code, stderr } = await wiretapeHere(place, ['check', '--fail-on', 'error,warning']);
    expect(code).toBe(2);
    expect(stderr.toString()).toContain('wiretape: --fail-on "error,warning" has two severities\n');
  });
});
