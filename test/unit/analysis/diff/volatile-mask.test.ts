/** What is volatile by its form, and what only looks like it. */
import { describe, expect, it } from 'vitest';
import { VolatileMask } from '../../../../lib/analysis/diff/volatile-mask.ts';

const mask = new VolatileMask(['/work/project'], [/\.kimi\/plans\/([\w-]+)\.md/g]);
mask.learnId('call_8f3a');
mask.learnId('word');

describe('masks', () => {
  it.each([
    ['id 0f8fad5b-d9cb-469f-a165-70867728950e.', 'id <uuid>.'],
    ['0e413f93c7ff43fda52b858845692e16', '<uuid>'],
    ['at 2026-11-16T05:05:05.123Z', 'at <time>'],
    ['at 2026-11-16 05:05:05, then', 'at <time>, then'],
    ['rollout-2026-11-16T18-40-49-abc.jsonl', 'rollout-<time>-abc.jsonl'],
    ['/tmp/client-error-2026-11-16T18-29-35-922Z.json', '/tmp/client-error-<time>.json'],
    ['/srv/sessions/2026/11/16/a.jsonl', '/srv/sessions/<time>/a.jsonl'],
    ['on 2026/11/16', 'on 2026/11/16'],
    ['2026-11-16-18-29', '2026-11-16-18-29'],
    ['/work/project/src and /work/project', '<cwd>/src and <cwd>'],
    ['/work/project-2/src', '/work/project-2/src'],
    ['see /work/project.', 'see <cwd>.'],
    ['/tmp/run-x7Kq2Z/out.txt', '<tmp>/out.txt'],
    ['/tmp/tmpab12cd34', '<tmp>'],
    ['/tmp/cc-socks/30192.sock', '/tmp/cc-socks/<pid>.sock'],
    ['/run/app/7.pid and /run/app/v7.pid', '/run/app/<pid>.pid and /run/app/v7.pid'],
    ['/tmp/report.txt', '/tmp/report.txt'],
    ['/var/folders/zz/abc123/T/build-9Xk2Lm/a', '<tmp>/a'],
    ['/home/me/.kimi/plans/drax-rogue-fire.md', '~/.kimi/plans/<name>.md'],
    ['the call call_8f3a failed', 'the call <id> failed'],
    ['a word is no id', 'a word is no id'],
    ['wait 5 s on 2026-11-16', 'wait 5 s on 2026-11-16'],
  ])('plain: %s', (text, masked) => {
    expect(mask.text(text, 'plain')).toBe(masked);
  });

  it.each([
    ['took 0.12 s, then 3 minutes', 'took <duration>, then <duration>'],
    ['phase=settings durationMs=5 totalMs=6 items=7', 'phase=settings <duration> <duration> items=7'],
    ['Process Group PGID: 6899', 'Process Group <pid>'],
    ['(node:1234) Warning', '<pid> Warning'],
    ['listening on 127.0.0.1:43567', 'listening on <port>'],
    ['object at 0x7f3a2b1c', 'object at <address>'],
    ['12:30:45 INFO ready', '<time> INFO ready'],
    ['used 2,436 tokens', 'used <tokens>'],
    ['https://a.example/?client_id=a1&state=Hn4Y__M7&scope=x', 'https://a.example/?client_id=a1&state=<id>&scope=x'],
    ['fallback ID: router-1794853765731-bcfc4cd4e5e23', 'fallback ID: router-<time>'],
    ['exit code 3, 4 files, v1.24.0', 'exit code 3, 4 files, v1.24.0'],
  ])('output: %s', (text, masked) => {
    expect(mask.text(text, 'output')).toBe(masked);
    if (text !== masked) expect(mask.text(text, 'plain')).toBe(text);
  });

  it('knows the folder where only a part of its path is shown', () => {
    const own = new VolatileMask(['/work/runs/app-1.2-two']);
    expect(own.text('Creating .../runs/app-1.2-two/src/hello.txt', 'plain')).toBe('Creating <cwd>/src/hello.txt');
    expect(own.text('Creating ...1.2-two/src/hello.txt', 'plain')).toBe('Creating <cwd>/src/hello.txt');
    expect(own.text('Creating …elsewhere/app-1.2-two/a', 'plain')).toBe('Creating <cwd>/a');
    expect(own.text('see ...other/src/hello.txt', 'plain')).toBe('see ...other/src/hello.txt');
    expect(own.text('allow access to app-1.2-two/ and echo', 'plain')).toBe('allow access to <cwd>/ and echo');
    expect(own.text('always in `app-1.2-two`', 'plain')).toBe('always in `<cwd>`');
    expect(own.text('app-1.2-two, /lib/app-1.2-two/a', 'plain')).toBe('app-1.2-two, /lib/app-1.2-two/a');
    expect(own.text('/data/projects/-work-runs-app-1-2-two/memory/', 'plain')).toBe('/data/projects/<cwd>/memory/');
    expect(own.text('/data/projects/-private-work-runs-app/memory/', 'plain')).toBe('/data/projects/<cwd>/memory/');
    expect(own.text('/data/-work-runs-app-1-2-two/memory/', 'plain')).toBe('/data/<cwd>/memory/');
    // Words occur anyway.
    expect(mask.text('the project is a project/', 'plain')).toBe('the project is a project/');
  });

  it('learns further folders', () => {
    const own = new VolatileMask(['/work']);
    own.learnFolder('/work/runs/two/');
    own.learnFolder(7);
    expect(own.text('/work/runs/two/a.txt in /work', 'plain')).toBe('<cwd>/a.txt in <cwd>');
  });

  it('learns the ids that programs report', () => {
    const own = new VolatileMask(['/']);
    own.learnFrom('task_id: bash-z7an0cyo\nkind: bash');
    expect(own.text('Started bash-z7an0cyo in /', 'output')).toBe('Started <id> in /');
  });

  it('takes no long time for long texts', () => {
    const text = `${'a-1/'.repeat(200_000)}${' /tmp/x'.repeat(50_000)}`;
    expect(mask.text(text, 'output')).toHaveLength(text.length);
  });
});
