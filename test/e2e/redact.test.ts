/** The leak scan of a program whose redaction is broken: nothing is written, and what is left is not shown. */
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { copyProgram, rebuild } from '../support/copy.ts';
import { KEYS } from '../support/planted.ts';
import { run } from '../support/run.ts';
import { it } from '../support/store.ts';

const KEY = KEYS.find(({ kind }) => kind === 'github-token')!.text;
const TOUR = new URL('../../samples/tapes/tour.jsonl', import.meta.url);

describe('a redaction that misses something', () => {
  it('writes no tape and no session', async ({ place }) => {
    const broken = copyProgram(place, 'broken');
    rebuild(broken, 'lib/analysis/redact/detector.ts', [
      ['if (bits & FORMAT) this.#add(text, keyHit(text, at));', ''],
      ['eachRandomIn(text, this.known, (hit) => this.#add(text, hit));', ''],
    ]);
    const tape = join(place.dir, 'tour.jsonl');
    copyFileSync(TOUR, tape);
    writeFileSync(
      tape,
      readFileSync(tape, 'utf8')
        .replace('Why is the test', `Why ${KEY} is the test`)
        .replace('"text":"', `"text":"${KEY} `),
    );
    for (const to of [['-o', join(place.dir, 'out.jsonl')], []]) {
      const { code, stderr } = await run(place, [process.execPath, broken.program, 'redact', tape, ...to]);
      const said = stderr.toString();
      expect(said).toMatch(/^wiretape: \d+ leaks? found in [^\n]+\n {2}github-token in f\d+\n/);
      expect(said).not.toContain(KEY.slice(4, 14));
      expect(code).toBe(1);
    }
    expect(
      readdirSync(place.dir).filter((name) => name.includes('out') || name.startsWith('.wiretape-redact')),
    ).toEqual([]);
    expect(existsSync(join(place.home, 'sessions'))).toBe(false);
  });
});
