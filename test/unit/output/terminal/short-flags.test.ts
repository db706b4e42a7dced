/** Flags in a table are short, no two are alike, and the help has the legend. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { APPROVALS_HELP } from '../../../../lib/output/terminal/approvals-help.ts';
import { flagLegend, shortFlags } from '../../../../lib/output/terminal/short-flags.ts';

/** Those that the documentation explains. */
const FLAGS = readFileSync('docs/audit.md', 'utf8')
  .split('## Flags')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .flatMap((line) => /^\| `([a-z-]+)` \|/.exec(line)?.[1] ?? []);

describe('flags', () => {
  it('are short and distinct', () => {
    const short = FLAGS.map((flag) => shortFlags([flag])).filter((word) => word !== '');
    expect(FLAGS.length).toBeGreaterThan(35);
    expect(new Set(short).size).toBe(short.length);
    expect(short.filter((word) => word.length > 10)).toEqual([]);
  });

  it('are in the legend if they are shortened', () => {
    for (const flag of FLAGS) {
      const short = shortFlags([flag]);
      if (short !== '' && short !== flag) expect(APPROVALS_HELP).toContain(`${short} = ${flag}`);
    }
    expect(flagLegend(76).filter((line) => line.length > 76)).toEqual([]);
  });
});
