/** Following a session from another process: all of it, as it happens, whatever becomes of its recorder or the index. */
import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { Client } from '../support/client.ts';
import { indexOf } from '../support/index.ts';
import { end, recordCat, removeIndex, say } from '../support/ls.ts';
import { isRunning } from '../support/processes.ts';
import { WIRETAPE } from '../support/run.ts';
import { it, type Place } from '../support/store.ts';
import { sessionsIn, Tape } from '../support/tape.ts';
import { waitFor } from '../support/wait.ts';

interface Row {
  f: number;
  from: string;
  event: string | null;
  kind: string | null;
  raw: string | null;
}

function tail({ env }: Place, ...args: string[]): Client {
  return new Client([WIRETAPE, 'tail', ...args], { env, streams: 'socket' });
}

const rowsOf = (client: Client): Row[] =>
  client.stdout
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);

const line = (n: number) => `{"jsonrpc":"2.0","id":${n},"method":"m${n}"}`;

/** Tail has ended by itself, without a word of complaint. */
async function over(client: Client): Promise<void> {
  await client.over();
  expect({ code: client.code, stderr: client.stderr.toString().replace(/^wiretape: waiting .*\n/, '') }).toEqual({
    code: 0,
    stderr: '',
  });
}

/** Records and follows, and ends both whatever happens. */
async function both(
  place: Place,
  args: string[],
  use: (recorder: Client, tail: Client) => Promise<void>,
): Promise<void> {
  const recorder = recordCat(place);
  let follower: Client | null = null;
  try {
    await say(recorder, line(1));
    follower = tail(place, ...args);
    await follower.until('m1');
    await use(recorder, follower);
  } finally {
    recorder.dispose();
    follower?.dispose();
  }
}

describe.concurrent('tail', () => {
  it('prints frames as they come, and ends with the session', async ({ place }) => {
    await both(place, ['--json', '-n', 'all'], async (recorder, follower) => {
      for (let n = 2; n < 6; n++) {
        await say(recorder, line(n));
        // On the screen while the session goes on.
        await follower.until(`"m${n}"`, 'stdout', 2);
      }
      await end(recorder);
      await over(follower);
      const rows = rowsOf(follower);
      const [dir] = sessionsIn(place.home);
      expect(rows.map(({ f, from }) => [f, from])).toEqual(new Tape(dir!).frames.map(({ f, from }) => [f, from]));
      expect(rows.at(-1)).toMatchObject({ from: 'proc', event: 'exit' });
    });
  });

  it('ends when the session is removed, although its recorder goes on', async ({ place }) => {
    await both(place, ['-n', 'all'], async (recorder, follower) => {
      const [dir] = sessionsIn(place.home);
      // Gone at once, as `wiretape rm` does it.
      const gone = `${place.dir}/gone`;
      renameSync(dir!, gone);
      rmSync(gone, { recursive: true });
      await over(follower);
      recorder.end();
      await recorder.over();
    });
  });

  it('prints lines for people, and text as it is typed', async ({ place }) => {
    await both(place, [], async (recorder, follower) => {
      await say(recorder, 'some noise \u001b[31m');
      await end(recorder);
      await over(follower);
      const shown = follower.stdout.toString();
      expect(shown).toMatch(/^\d+T\d+-\w+ cat\n/);
      expect(shown).toMatch(/ client → {2}noise {2}some noise ␛\[31m\n/);
      expect(shown).toMatch(/ proc {3}· {2}process {2}exit code=0/);
    });
  });

  it('waits for the next session to start', async ({ place }) => {
    const follower = tail(place, '--json');
    try {
      await follower.until('waiting for a session', 'stderr');
      const recorder = recordCat(place);
      try {
        await say(recorder, line(1));
        await follower.until('"m1"', 'stdout', 2);
        await end(recorder);
        await over(follower);
        expect(rowsOf(follower)[0]).toMatchObject({ f: 1, event: 'spawn' });
      } finally {
        recorder.dispose();
      }
    } finally {
      follower.dispose();
    }
  });

  it('leaves alone what runs already, where the next one is asked for', async ({ place }) => {
    const first = recordCat(place);
    // Its session is there before anybody waits for the next one.
    await say(first, line(1));
    const follower = tail(place, '--next', '--json');
    try {
      await follower.until('waiting for a session', 'stderr');
      const second = recordCat(place);
      try {
        await say(second, line(2));
        await follower.until('"m2"', 'stdout', 2);
        expect(follower.stdout.toString()).not.toContain('"m1"');
        await end(second);
        await over(follower);
      } finally {
        second.dispose();
      }
      await end(first);
    } finally {
      first.dispose();
      follower.dispose();
    }
  });

  it('tells the rest when the recorder is killed, and that it was', async ({ place }) => {
    await both(place, ['--json', '-n', 'all'], async (recorder, follower) => {
      for (let n = 2; n < 30; n++) await say(recorder, line(n));
      recorder.kill('SIGKILL');
      await recorder.exited();
      await over(follower);
      const rows = rowsOf(follower);
      expect(rows.map(({ f }) => f)).toEqual(rows.map((_, i) => i + 1));
      expect(rows.at(-1)).toMatchObject({ from: 'proc', event: 'lost' });
      const [dir] = sessionsIn(place.home);
      expect(rows).toHaveLength(new Tape(dir!).frames.length);
    });
  });

  it('tells only what a query finds, when it is known', async ({ place }) => {
    const recorder = new Client([WIRETAPE, 'record', '--', 'sh', '-c', 'read a; read b; echo "$b"; read c'], {
      ...{ env: place.env, streams: 'socket' },
    });
    const follower = tail(place, '-q', 'envelope:request latency:*', '--json');
    try {
      recorder.write(`${line(1)}\n`);
      await waitFor(() => sessionsIn(place.home).length > 0, 'the session');
      recorder.write('{"jsonrpc":"2.0","id":1,"result":"x"}\n');
      await follower.until('"m1"');
      // It was told by its answer, and the session still runs.
      expect(isRunning(recorder.pid)).toBe(true);
      expect(rowsOf(follower)).toMatchObject([{ from: 'client', raw: line(1) }]);
      recorder.write('end\n');
      await recorder.over();
      await over(follower);
      expect(rowsOf(follower)).toHaveLength(1);
    } finally {
      recorder.dispose();
      follower.dispose();
    }
  });

  it('is over when nobody reads it', async ({ place }) => {
    await both(place, ['--json'], async (recorder, follower) => {
      follower.close('stdout');
      for (let n = 2; !follower.saw('exit') && n < 1000; n++) await say(recorder, line(n));
      await follower.exited();
      expect(follower.code).toBe(0);
      expect(isRunning(recorder.pid)).toBe(true);
      await end(recorder);
    });
  });
});

describe.concurrent('tail, where the index', () => {
  const cases: [string, (place: Place) => () => void][] = [
    [
      'is deleted',
      (place) => {
        removeIndex(place);
        return () => {};
      },
    ],
    [
      'is locked',
      ({ home }) => {
        const db = new Sqlite(indexOf(home), { timeout: 10_000 });
        db.exec('BEGIN EXCLUSIVE');
        return () => db.close();
      },
    ],
    [
      'cannot be had',
      (place) => {
        removeIndex(place);
        mkdirSync(indexOf(place.home));
        return () => rmSync(indexOf(place.home), { recursive: true });
      },
    ],
  ];
  for (const [what, spoil] of cases) {
    it(what, async ({ place }) => {
      const recorder = recordCat(place);
      let follower: Client | null = null;
      let mend = () => {};
      try {
        await say(recorder, line(1));
        await waitFor(() => hasRows(place), 'the first rows');
        mend = spoil(place);
        follower = tail(place, '--json', '-n', 'all', '-q', 'envelope:request');
        await follower.until('"m1"', 'stdout', 2);
        await say(recorder, line(2));
        await follower.until('"m2"', 'stdout', 2);
        mend();
        mend = () => {};
        recorder.end();
        await recorder.over();
        await over(follower);
        expect(rowsOf(follower).map(({ raw }) => raw)).toEqual([line(1), line(1), line(2), line(2)]);
      } finally {
        mend();
        recorder.dispose();
        follower?.dispose();
      }
    });
  }

  function hasRows({ home }: Place): boolean {
    try {
      const db = new Sqlite(indexOf(home), { fileMustExist: true });
      const rows = db.prepare('SELECT 1 FROM frames').all();
      db.close();
      return rows.length > 0;
    } catch {
      return false;
    }
  }
});

describe('silence', () => {
  const agent = fileURLToPath(new URL('../../samples/agent.mjs', import.meta.url));
  const rpc = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
  const hang = rpc({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } });
  const prompt = rpc({ id: 'p', method: 'prompt', params: { user_input: '开始' } });

  /** Calls `use` with a session that waits for its client, and `tail` at a terminal. */
  async function tailing(place: Place, shell: string, use: (follower: Client, recorder: Client) => Promise<void>) {
    const command = [WIRETAPE, 'record', '--', process.execPath, agent, '--wire', '--scenario', 'hang'];
    const recorder = new Client(command, { env: place.env });
    let follower: Client | null = null;
    try {
      await recorder.write(hang + prompt);
      await recorder.until('ApprovalRequest');
      follower = new Client(['script', '-qec', shell, '/dev/null'], { env: { ...place.env, TERM: 'xterm' } });
      await follower.until(' s for the client: approval of Shell `sleep infinity` (f');
      await use(follower, recorder);
    } finally {
      recorder.dispose();
      follower?.dispose();
    }
  }

  it('is told to somebody at a terminal: who keeps whom waiting; what is piped stays clean', async ({ place }) => {
    await tailing(place, `'${WIRETAPE}' tail -n all > '${place.dir}/piped'`, async (follower, recorder) => {
      recorder.end();
      await follower.over();
      const piped = readFileSync(`${place.dir}/piped`, 'utf8');
      expect(piped).toContain('approval Shell');
      expect(piped).not.toMatch(/waiting|\x1b/);
      // The line is gone when it is no longer true.
      expect(follower.stdout.toString().trimEnd().endsWith('\r\x1b[K')).toBe(true);
    });
  });

  it('leaves no line behind on Ctrl-C', async ({ place }) => {
    await tailing(place, `trap : INT; '${WIRETAPE}' tail; echo "exit $?"`, async (follower) => {
      await follower.write('\x03');
      await follower.until('exit 130');
      expect(follower.stdout.toString()).toMatch(/\(f\d+\)(?:\^C)?\r\x1b\[K[\r\n]*exit 130/);
    });
  });
});
