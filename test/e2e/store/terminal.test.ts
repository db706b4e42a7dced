/** What somebody at a terminal sees. */
import { describe, expect } from 'vitest';
import { run, WIRETAPE } from '../../support/run.ts';
import { makeSession, rpc, smallTalk } from '../../support/session.ts';
import { it } from '../../support/store.ts';

describe('a pager', () => {
  it('has the screen to itself: what is said beside the list comes when it is gone', async ({ place }) => {
    makeSession(place.home, smallTalk, { id: '20260101T000000-bbbb' });
    makeSession(
      place.home,
      (j) => {
        j.data('client', 10, rpc({ id: 1, method: 'initialize' })).data('agent', 20, rpc({ id: 1, result: {} }));
        j.exit(30);
      },
      { id: '20260101T000001-cccc' },
    );
    const env = { ...place.env, TERM: 'xterm', WIRETAPE_PAGER: 'sleep 0.5; sed "s/^/paged: /"' };
    const { code, stdout } = await run(place, ['script', '-qec', `'${WIRETAPE}' ls`, '/dev/null'], { env });
    expect(code).toBe(0);
    const lines = stdout.toString().replaceAll('\r', '').trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain('paged: 20260101T000000-bbbb');
    expect(lines[2]).toBe('wiretape: 1 probe session hidden; show with --all');
  });
});
