/** A bug of ours: one line and a hint, wherever it is thrown, and a stack trace only for who wants to mend it. */
import { describe, expect } from 'vitest';
import { type Copy, copyProgram, rebuild } from '../support/copy.ts';
import { run } from '../support/run.ts';
import { sample } from '../support/scale.ts';
import { it, type Place } from '../support/store.ts';

const BUG = 'undefined.bug();';
const ONE_LINE =
  /^wiretape: internal error: TypeError: [^\n]+\nhint: this is a bug in wiretape; [^\n]*WIRETAPE_DEBUG=1[^\n]*\n$/;

function broken(place: Place, file: string, from: string, bug: string): Copy {
  const copy = copyProgram(place, 'broken');
  rebuild(copy, file, [[from, `${from}\n${bug}`]]);
  return copy;
}

const CASES = [
  { name: 'thrown', bug: BUG },
  { name: 'thrown later', bug: `await new Promise(() => setTimeout(() => { ${BUG} }, 10));` },
  { name: 'rejected where nobody looks', bug: `void (async () => { ${BUG} })(); await new Promise(() => {});` },
];

/** Each builds a program of its own. */
const SLOW = { timeout: 240_000 };

describe('an internal error', SLOW, () => {
  it.for(sample(CASES, 1))('$name', async ({ bug }, { place }) => {
    const { program } = broken(
      place,
      'lib/commands/verify.ts',
      '.action(async (words: string[], options: VerifyOptions) => {',
      bug,
    );
    const command = [process.execPath, program, 'verify', 'samples/tapes/approve.jsonl'];
    const { code, stderr } = await run(place, command);
    expect(stderr.toString()).toMatch(ONE_LINE);
    expect(code).toBe(2);
    const asked = await run(place, command, { env: { ...place.env, WIRETAPE_DEBUG: '1' } });
    expect(asked.stderr.toString()).toMatch(/^wiretape: internal error: TypeError: [^\n]+\n {4}at /);
  });

  it('of the recorder is its own failure', async ({ place }) => {
    const { program } = broken(place, 'lib/recording/recorder/run.ts', '  const watchdog = startWatchdog();', BUG);
    const { code, stderr } = await run(place, [process.execPath, program, 'record', 'cat']);
    expect(stderr.toString()).toMatch(ONE_LINE);
    expect(code).toBe(125);
  });
});
