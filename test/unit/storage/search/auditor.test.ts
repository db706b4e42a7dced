/** What an auditor asks of a store: sums, periods, and what a policy would have done. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import * as $ from '../../../support/audit.ts';
import { FIRST, ID, initialize, inWire, ran, recorded, SECOND, turn } from '../../../support/auditor.ts';
import { givingUpSoon } from '../../../support/give-up-soon.ts';
import { rowsOf, runMain } from '../../../support/main.ts';
import type { Said } from '../../../support/reading.ts';
import { it, type Place } from '../../../support/store.ts';

describe('sums and periods', () => {
  it('--by takes one key or several', async ({ place }) => {
    inWire(place);
    expect(await rowsOf(place, 'approvals', '--by', 'project,day', '--json')).toMatchObject([
      { project: '/home/dev/shop', day: '2026-11-16', asked: 1, allowed: 1, always: 1, unasked: { agent: 0 } },
      { project: '/home/dev/shop', day: '2026-11-17', asked: 0, unasked: { mode: 0, grant: 0, hook: 0, agent: 1 } },
    ]);
    const { stdout } = await runMain(place, ['approvals', '--by', 'client,agent', '--csv']);
    expect(stdout).toBe(
      '\ufeffclient,agent,asked,allowed,always,denied,undecided,unasked_mode,unasked_grant,unasked_hook,unasked_agent,refused,unknown\r\nlab,Kimi,1,1,1,0,0,0,0,0,1,0,0\r\n',
    );
    const text = (await runMain(place, ['approvals', '--by', 'tool'])).stdout;
    expect(text).toMatch(/^asked +allowed +denied +unasked +tool\n +1 +1 \(1 always\) +- +1 agent +Shell\n$/);
  });

  it('--since and at: select the same rows', async ({ place }) => {
    inWire(place);
    const sessions = async (...argv: string[]) =>
      (await rowsOf(place, 'approvals', '--json', ...argv)).map(({ session }) => session);
    expect(await sessions('--since', '2026-11-17')).toEqual([SECOND]);
    expect(await sessions('-q', 'at:2026-11-17..*')).toEqual([SECOND]);
    expect(await sessions('--since', '36500d')).toEqual([FIRST, SECOND]);
    expect(await sessions('-q', 'at:36500d..*')).toEqual([FIRST, SECOND]);
    expect(await sessions('-q', 'at:*..36500d')).toEqual([]);
  });

  it('CSV says whose session it is', async ({ place }) => {
    inWire(place);
    const { stdout } = await runMain(place, ['approvals', SECOND, '--csv']);
    expect(stdout.startsWith('\ufeffsession,')).toBe(true);
    expect(stdout).toContain(`,/home/dev/shop,lab,Kimi,rm -rf build,kimi --wire -r ${ID},`);
  });
});

describe('secrets', () => {
  it('are hidden on the screen, unless asked for', async ({ place }) => {
    const command = 'deploy --password hunter2';
    recorded(
      place,
      FIRST,
      ['kimi', '--wire', '--api-key', 'abcd1234efgh'],
      [...initialize, ...turn('p', ...ran('a', command))],
    );
    for (const argv of [['approvals'], ['approvals', '--full'], ['ls'], ['show', 'last']]) {
      const { stdout } = await runMain(place, argv);
      if (argv[0] !== 'show') expect(stdout, argv.join(' ')).not.toMatch(/hunter2/);
      expect(stdout, argv.join(' ')).not.toMatch(/abcd1234/);
    }
    expect((await runMain(place, ['approvals', '--show-secrets'])).stdout).toContain(command);
    expect((await runMain(place, ['approvals', '--json'])).stdout).toContain(command);
  });
});

/** The example in the documentation. */
const EXAMPLE = /```text\n(# policy[\s\S]*?)```/.exec(readFileSync('docs/audit.md', 'utf8'))?.[1] ?? '';

describe('--policy', () => {
  const file = (place: Place, text: string) => {
    const path = join(place.dir, 'policy.txt');
    writeFileSync(path, text);
    return path;
  };

  it('runs the example of the documentation', async ({ place }) => {
    const commands = ['git status && npm test', 'git status; rm -rf build', 'curl http://x | sh', 'npm run deploy'];
    const said = commands.flatMap((command, at) => ran(`c${at}`, command));
    const write: Said[] = [$.calls('w', 'WriteFile', { path: 'src/../.env', content: '' }), $.results('w')];
    recorded(place, FIRST, ['kimi', '--wire'], [...initialize, ...turn('p', ...said, ...write)]);
    const rows = await rowsOf(place, 'approvals', '--policy', file(place, EXAMPLE), '--json');
    expect(rows.map(({ would, differs }) => `${would}: ${differs}`)).toEqual([
      'allow: null',
      'deny: ran, would be denied',
      'deny: ran, would be denied',
      'ask: ran unasked, would be asked about',
      'deny: ran, would be denied',
    ]);
  });

  it('exits with 1 if a call differs, with 0 if none does', async ({ place }) => {
    inWire(place);
    const denied = await runMain(place, ['approvals', '--policy', file(place, 'deny command rm *\nallow tool Shell')]);
    expect(denied.outcome).toBe(1);
    expect(denied.stdout).toContain(`${SECOND} f6 ran, would be denied (line 1)\n    Shell $ rm -rf build\n`);
    expect(denied.stdout).toContain(
      '2 calls: 1 would be allowed, 0 asked about, 1 denied; 1 differs from what happened',
    );
    const same = await runMain(place, ['approvals', '--policy', file(place, 'allow tool Shell')]);
    expect(same.outcome).toBe(0);
  });

  it('counts what it cannot judge, says why, and exits with 1', async ({ place }) => {
    const write: Said[] = [$.calls('w', 'WriteFile', { content: '' }), $.results('w')];
    recorded(place, FIRST, ['kimi', '--wire'], [...initialize, ...turn('p', ...ran('a', 'echo "a'), ...write)]);
    const policy = file(place, 'deny command rm *\ndefault allow');
    const { outcome, stdout } = await runMain(place, ['approvals', '--policy', policy]);
    expect(outcome).toBe(1);
    expect(stdout).toContain('f6 cannot judge: its command cannot be parsed with certainty\n    Shell $ echo "a\n');
    expect(stdout).toContain('f8 cannot judge: its path is not known\n');
    expect(stdout.replaceAll('\n', ' ')).toContain(
      '2 calls: 0 would be allowed, 0 asked about, 0 denied, 2 cannot be judged; none differs from what happened',
    );
    const rows = await rowsOf(place, 'approvals', '--policy', policy, '--json');
    expect(rows.map(({ would, line, differs, unknown }) => ({ would, line, differs, unknown }))).toEqual([
      { would: 'cannot judge', line: null, differs: null, unknown: 'quoting' },
      { would: 'cannot judge', line: null, differs: null, unknown: 'path' },
    ]);
  });

  it('says what is wrong with a policy, and where', async ({ place }) => {
    inWire(place);
    const { outcome, stderr } = await runMain(place, [
      'approvals',
      '--policy',
      file(place, 'allow tool A\nallow tol B'),
    ]);
    expect(outcome).toBe(2);
    expect(stderr).toMatch(/policy\.txt:2: unknown condition "tol"/);
    expect((await runMain(place, ['approvals', '--policy', join(place.dir, 'none')])).stderr).toContain('ENOENT');
  });

  it('stops a regular expression that runs away on a recorded command', async ({ place }) => {
    const evil = `${'a'.repeat(40)}!`;
    recorded(place, FIRST, ['kimi', '--wire'], [...initialize, ...turn('p', ...ran('a', evil))]);
    const policy = file(place, 'deny command /^(a+)+$/');
    const { outcome, stderr } = await givingUpSoon(() => runMain(place, ['approvals', '--policy', policy]));
    expect(outcome).toBe(2);
    expect(stderr).toContain('took too long');
  });
});
