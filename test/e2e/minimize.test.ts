/** Searches for the smallest session with real tests: interrupted, parallel, hanging, and unreliable ones. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { makeTalk } from '../support/played.ts';
import { processesWith } from '../support/processes.ts';
import { WIRETAPE, wiretape } from '../support/run.ts';
import { it, type Place } from '../support/store.ts';
import { waitFor } from '../support/wait.ts';

/** The environment with a folder for temporary files that a test can look into. */
function envOf(place: Place): NodeJS.ProcessEnv {
  const temporary = join(place.dir, 'tmp');
  mkdirSync(temporary, { recursive: true });
  return { ...place.env, TMPDIR: temporary };
}

const leftIn = (place: Place) => readdirSync(join(place.dir, 'tmp'));

async function minimize(place: Place, test: string, ...args: string[]) {
  const output = join(place.dir, 'small.jsonl');
  const command = ['minimize', 'last', '--test', test, '-o', output, '--json', ...args];
  const { code, stdout, stderr } = await wiretape(place, command, { env: envOf(place), cwd: place.dir });
  const found = stdout.length > 0 ? JSON.parse(stdout.toString()) : null;
  return { code, found, said: stderr.toString(), output };
}

/** Killed processes are there until the system has taken them away; those that nobody ends would sleep on. */
const allEnded = (place: Place) => waitFor(() => processesWith(place.marker).length === 0, 'the end of all tests');

/** Fails as long as the tape has the word. */
const has = (word: string) => `! grep -q ${word} {}`;

describe.concurrent('minimize', () => {
  it('leaves what the test needs, as a tape that is intact', async ({ place }) => {
    makeTalk(place.home);
    const { code, found, output } = await minimize(place, has('ToolResult'));
    expect(code).toBe(0);
    expect(found).toMatchObject({ frames_before: 19, turns_before: 2, turns: 1, reliable: true, tape: output });
    // The handshake, the turn, its step, the call with what it was asked about, and the exit.
    expect(found.kept).toBe('1-5,8,11-13,19');
    const verified = await wiretape(place, ['verify', output]);
    expect(verified.stdout.toString()).toContain('intact');
    const shown = (await wiretape(place, ['show', output])).stdout.toString();
    expect(shown).toContain('minimized from 20261116T022911-k3f9: frames 1-5,8,11-13,19 of 19');
    expect(shown).toMatch(/^f6 .* Shell {2}ok/m);
    expect([leftIn(place), existsSync(`${output}.state`)]).toEqual([[], false]);
  });

  it('finds the same with several tests at once, each with a tape of its own', async ({ place }) => {
    makeTalk(place.home);
    const one = await minimize(place, has('ToolResult'));
    const test = `[ $WIRETAPE_TAPE = {} ] && echo {} >> tapes; ${has('ToolResult')}`;
    const four = await minimize(place, test, '--jobs', '4', '--force');
    expect(four.found.kept).toBe(one.found.kept);
    const tapes = readFileSync(join(place.dir, 'tapes'), 'utf8').trim().split('\n');
    expect(new Set(tapes).size).toBe(tapes.length);
    expect(leftIn(place)).toEqual([]);
  });

  it('goes on after it was interrupted, and leaves the smallest so far', async ({ place }) => {
    makeTalk(place.home);
    const output = join(place.dir, 'small.jsonl');
    // The fourth test waits for somebody to interrupt it.
    const test = `echo >> runs; [ $(wc -l < runs) -ne 4 ] || { touch waiting; sleep 1000; }; ${has('ToolResult')}`;
    const args = ['minimize', 'last', '--test', test, '-o', output];
    const search = new Client([WIRETAPE, ...args], { env: envOf(place), cwd: place.dir });
    try {
      await waitFor(() => existsSync(join(place.dir, 'waiting')), 'the fourth test');
      search.kill('SIGINT');
      await search.over();
      expect(search.code).toBe(130);
      expect(search.stderr.toString()).toContain('hint: run the same command again to continue');
      expect(search.stderr.toString()).toMatch(/the smallest so far is .*small\.jsonl, with \d+ of 19 frames/);
      await allEnded(place);
      expect(leftIn(place)).toEqual([]);
      expect((await wiretape(place, ['verify', output])).code).toBe(0);
    } finally {
      search.dispose();
    }
    const known = readFileSync(`${output}.state`, 'utf8').trim().split('\n').length - 1;
    expect(known).toBeGreaterThan(0);
    const { found, said } = await minimize(place, test);
    expect(said).toContain(`continuing from ${output}.state: ${known} known`);
    expect(found.kept).toBe('1-5,8,11-13,19');
    expect(existsSync(`${output}.state`)).toBe(false);
  });

  it('does not go on with another test', async ({ place }) => {
    makeTalk(place.home);
    writeFileSync(join(place.dir, 'small.jsonl.state'), '{"type":"minimize","tape":"x","test":"y"}\n');
    const { code, said } = await minimize(place, has('ToolResult'));
    expect(code).toBe(2);
    expect(said).toContain('small.jsonl.state belongs to another session or test');
  });

  it('searches for a hang, if that is what the whole session does', async ({ place }) => {
    makeTalk(place.home);
    const { found } = await minimize(place, '! grep -q thanks {} || sleep 1000', '--timeout', '3s');
    expect(found).toMatchObject({ turns: 1, reliable: true });
    expect(found.kept).toBe('1-2,14-15,17-19');
    await allEnded(place);
  });

  it('does not take a test that hangs for one that fails', async ({ place }) => {
    makeTalk(place.home);
    // Without the second turn it hangs; with it, it fails.
    const { found } = await minimize(place, 'grep -q thanks {} && exit 1; sleep 1000', '--timeout', '3s');
    expect(found.kept).toBe('1-2,14-15,17-19');
  });

  it('lets a test take as long as it may, also if that is longer than a timer can run', async ({ place }) => {
    makeTalk(place.home);
    const { found, said } = await minimize(place, `sleep 0.05; ${has('ToolResult')}`, '--timeout', '700h');
    expect(said).not.toContain('Warning');
    expect(found.kept).toBe('1-5,8,11-13,19');
  });

  it('ends what a test leaves behind', async ({ place }) => {
    makeTalk(place.home);
    const { code } = await minimize(place, `sleep 1000 & ${has('ToolResult')}`);
    expect(code).toBe(0);
    await allEnded(place);
  });

  it('says that a test is not reliable', async ({ place }) => {
    makeTalk(place.home);
    const { found, said } = await minimize(place, 'echo >> runs; [ $(wc -l < runs) -gt 2 ]');
    expect(found.reliable).toBe(false);
    expect(said).toContain('it is not reliable');
  });
});
