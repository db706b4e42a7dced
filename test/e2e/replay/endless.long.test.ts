/** Clients and agents that never come to an end: the replay ends, says why in a line, and takes bounded memory. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect } from 'vitest';
import { memoryOf } from '../../support/processes.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';

const TAPE = 'samples/tapes/approve.jsonl';
const MB = 1 << 20;
const MOST = 300 * MB;

interface Seen {
  code: number | null;
  said: string[];
  most: number;
}

/** Runs the replay, and writes to it for as long as it takes. */
async function replay(place: Place, args: string[], feed: Iterable<Buffer> = [], reads = true): Promise<Seen> {
  const child = spawn(WIRETAPE, ['replay', TAPE, '--instant', ...args], { env: place.env, stdio: 'pipe' });
  let said = '';
  let most = 0;
  const look = () => {
    const now = memoryOf(child.pid!, 'VmHWM');
    if (now > most) most = now;
  };
  const looking = setInterval(look, 20);
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  if (reads) child.stdout.resume();
  let isOver = false;
  const over = once(child, 'exit').then(([code]) => {
    isOver = true;
    return code as number | null;
  });
  child.stdin.on('error', () => {});
  for (const block of feed) {
    if (isOver) break;
    if (!child.stdin.write(block)) await Promise.race([once(child.stdin, 'drain').catch(() => {}), over]);
    look();
  }
  const code = await over;
  clearInterval(looking);
  return { code, said: said.trimEnd().split('\n'), most };
}

function* forever(block: Buffer): Generator<Buffer> {
  for (;;) yield block;
}

const REFUSED = Buffer.from('{"jsonrpc":"2.0","id":"x","method":"nosuch","params":{}}\n'.repeat(200));

/** A busy machine takes long to send 500 MB. */
const SLOW = { timeout: 240_000 };

describe('a client', SLOW, () => {
  it('that says a line without an end', async ({ place }) => {
    const { code, said, most } = await replay(place, [], forever(Buffer.alloc(MB, 'A')));
    expect(said).toContain('wiretape: the client departed from the tape: it sent a line of more than 537 MB');
    expect(code).toBe(1);
    expect(most).toBeLessThan(MOST);
  });

  it('that asks and asks without reading the answers', async ({ place }) => {
    const { code, said, most } = await replay(place, ['--timeout', '1s'], forever(REFUSED), false);
    expect(said).toContain('wiretape: the client departed from the tape: it did not read in time');
    // What the report has no room for is not said either.
    expect(said.length).toBeLessThan(1100);
    expect(code).toBe(1);
    expect(most).toBeLessThan(MOST);
  });
});

const EVENT = '{"jsonrpc":"2.0","method":"event","params":{"type":"ContentPart","payload":{"type":"text","text":"x"}}}';
const STATUS = '{"jsonrpc":"2.0","method":"event","params":{"type":"StatusUpdate","payload":{}}}';

describe('an agent', SLOW, () => {
  const driving = (place: Place, command: string) => replay(place, ['--timeout', '1s', '--', 'sh', '-c', command]);

  it('that talks and talks', async ({ place }) => {
    const { code, said, most } = await driving(place, `yes '${EVENT}'`);
    expect(said[0]).toMatch(/^wiretape: .*the agent made no progress in \d+ lines \(.*\) and /);
    expect(code).toBe(1);
    expect(most).toBeLessThan(MOST);
  });

  it('that says nothing but how it is', async ({ place }) => {
    const { code, said } = await driving(place, `while echo '${STATUS}'; do sleep 0.2; done`);
    expect(said[0]).toMatch(/^wiretape: .*the agent sent nothing but logs and status for /);
    expect(code).toBe(1);
  });

  it('that says a line without an end', async ({ place }) => {
    const { code, said, most } = await driving(place, 'head -c 100000000 /dev/zero | tr "\\0" A; exec sleep 600');
    expect(said[0]).toMatch(/^wiretape: .*the agent was silent for/);
    expect(code).toBe(1);
    expect(most).toBeLessThan(MOST);
  });

  it('that does not read, does not leave, and goes on without its stdout', async ({ place }) => {
    for (const command of ['trap "" TERM INT HUP; while :; do sleep 1; done', 'exec >&- 2>&-; exec sleep 600']) {
      const { code, said } = await driving(place, command);
      expect(said[0]).toMatch(/^wiretape: .*(silent for|never answered|was killed)/);
      expect(code).toBe(1);
    }
  });
});
