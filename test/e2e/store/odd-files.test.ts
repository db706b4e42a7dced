/** A pipe where the index or its lock should be: nobody waits for it, and readers answer from the tapes (promise 4). */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { INDEX, indexOf } from '../../support/index.ts';
import { wiretape } from '../../support/run.ts';
import { makeSession, smallTalk } from '../../support/session.ts';
import { it } from '../../support/store.ts';

const COMMANDS = [
  ...[['ls'], ['filter', 'envelope:request', '--count'], ['approvals', '--summary'], ['stats', '--all'], ['doctor']],
  ...[
    ['prune', '--keep', '9'],
    ['ls', 'method:prompt'],
  ],
];
const CODES: Record<string, number> = { approvals: 1, doctor: 1 };

describe.concurrent('a pipe as', () => {
  it.for(['', '.lock', '-wal', '-shm'])(`${INDEX}%s keeps nobody waiting`, async (part, { place }) => {
    makeSession(place.home, smallTalk);
    if (part === '-wal' || part === '-shm') await wiretape(place, ['ls']);
    execFileSync('mkfifo', [`${indexOf(place.home)}${part}`]);
    const odd = new RegExp(
      `^wiretape: the index cannot be used \\(${INDEX}${part} is not a regular file\\); reading the tapes`,
    );
    for (const args of COMMANDS) {
      const { code, stderr } = await wiretape(place, args);
      // Without an index there is none to be looked at.
      const expected = args[0] === 'doctor' && part === '.lock' ? 0 : (CODES[args[0]!] ?? 0);
      expect({ args, code, stderr: stderr.toString() }).toMatchObject({ args, code: expected });
      if (args[0] === 'ls') expect(stderr.toString()).toMatch(odd);
    }
    // A recorder says it and goes on.
    const recorded = await wiretape(place, ['record', '--', 'echo', 'hi']);
    expect({ code: recorded.code, out: recorded.stdout.toString() }).toEqual({ code: 0, out: 'hi\n' });
    expect((await wiretape(place, ['filter', 'from:agent', '--count'])).stdout.toString()).toBe('3\n');
    const remade = await wiretape(place, ['reindex']);
    expect(remade.code).toBe(2);
    expect(remade.stderr.toString()).toMatch(/is not a regular file\)\nhint: remove "/);
  });

  it('a folder neither', async ({ place }) => {
    makeSession(place.home, smallTalk);
    mkdirSync(indexOf(place.home));
    expect((await wiretape(place, ['ls'])).code).toBe(0);
  });
});
