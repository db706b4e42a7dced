/** A session that has just begun is empty so far: no reader of the whole store fails because of it. */

import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { thisProcess } from '../../../lib/storage/store/owner.ts';
import { TestJournal } from '../../support/journal.ts';
import { wiretape } from '../../support/run.ts';
import { makeSession, smallTalk } from '../../support/session.ts';
import { it } from '../../support/store.ts';

const BEGUN = '20261116T022912-n3w9';

describe('a session that has just begun', () => {
  it('has no frames yet, which is no failure', async ({ place }) => {
    makeSession(place.home, smallTalk);
    const { dir, tape } = makeSession(place.home, smallTalk, { id: BEGUN });
    truncateSync(tape, 0);
    new TestJournal(join(dir, 'journal'), { session: BEGUN }).journal.close();
    writeFileSync(join(dir, 'owner.json'), JSON.stringify(thisProcess()));
    const asked = async (...args: string[]) => {
      const { code, stdout, stderr } = await wiretape(place, args);
      return { code, out: stdout.toString().trim().split('\n'), said: stderr.toString() };
    };
    expect(await asked('filter', 'envelope:request', '--count')).toEqual({ code: 0, out: ['1'], said: '' });
    expect(await asked('filter', 'method:nothing')).toMatchObject({ code: 1, said: '' });
    expect(await asked('filter', 'f:*', BEGUN, '--count')).toEqual({ code: 1, out: ['0'], said: '' });
    expect(await asked('approvals')).toMatchObject({
      code: 1,
      // The other session is plain JSON-RPC; this one counts for nothing.
      said: 'wiretape: cannot tell what was asked or run in one session\n',
    });
    expect(await asked('ls', 'state:running', '--json')).toMatchObject({
      code: 0,
      out: [expect.stringContaining(`"session":"${BEGUN}"`)],
      said: '',
    });
    expect((await asked('ls', '--all')).out).toHaveLength(3);
  });
});
