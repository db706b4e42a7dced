/** Hangs of real processes, explained while they hang, and after they were killed. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { Client } from '../../support/client.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { waitFor } from '../../support/wait.ts';

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const sample = (...args: string[]) => [process.execPath, path('samples/agent.mjs'), '--wire', ...args];
const HANG = sample('--scenario', 'hang');

const line = (value: object) => `${JSON.stringify({ jsonrpc: '2.0', ...value })}\n`;
const INITIALIZE = line({ id: 'i', method: 'initialize', params: { protocol_version: '1.10' } });
const PROMPT = line({ id: 'p', method: 'prompt', params: { user_input: '开始' } });

interface Owed {
  owes: string;
  to: string;
  what: string;
  rule: string;
  cause: string;
  hint: string | null;
  running: boolean;
  process: { pid: number; state: string } | null;
  [key: string]: unknown;
}

/** Calls `use` with a recorded agent and its client, and ends both. */
async function recording(
  place: Place,
  agent: string[],
  use: (client: Client) => Promise<void>,
  unread: ('stdout' | 'stderr')[] = [],
): Promise<void> {
  const client = new Client([WIRETAPE, 'record', '--', ...agent], { env: place.env, unread });
  try {
    await use(client);
  } finally {
    client.dispose();
  }
}

/** `owed`: what is open. `told`: also mistakes that keep nobody waiting. */
async function ask(place: Place, ...args: string[]): Promise<{ code: number | null; owed: Owed[]; told: Owed[] }> {
  const { stdout, stderr, code } = await wiretapeHere(place, ['why', '--json', ...args]);
  const lines = stdout.toString().split('\n').slice(0, -1);
  if (code === 2) throw new Error(stderr.toString());
  const told = lines.map((text) => JSON.parse(text) as Owed);
  return { code, told, owed: told.filter(({ open }) => open) };
}

/** The tape follows the traffic by a little. */
async function until(place: Place, rule: string, which: 'owed' | 'told' = 'owed'): Promise<Owed[]> {
  let last: Owed[] = [];
  const asked = async () => {
    try {
      last = (await ask(place))[which];
    } catch {
      // It has just begun.
    }
    return last.some((one) => one.rule === rule);
  };
  await waitFor(asked, `why says ${rule}`).catch((error: Error) => {
    throw new Error(`${error.message}: ${JSON.stringify(last)}`);
  });
  return last;
}

describe.concurrent('a session that runs', () => {
  it('waits for an approval', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      const [first, second] = await until(place, 'unanswered');
      expect(first).toMatchObject({
        owes: 'client',
        to: 'agent',
        what: 'approval of Shell `sleep infinity`',
        running: true,
      });
      expect(second).toMatchObject({ owes: 'agent', to: 'client', what: 'prompt 1 (开始)', rule: 'waits-for-client' });
      expect(first!.process).toMatchObject({ pid: await client.agent(place.marker, true) });
      expect(['running', 'sleeping']).toContain(first!.process!.state);
      const { stdout, code } = await wiretapeHere(place, ['why'], {
        env: { ...place.env, COLUMNS: '80', NO_COLOR: '1' },
      });
      expect(code).toBe(1);
      expect(stdout.toString()).toMatch(/the client has owed the agent an answer for .* \(f\d+, [\d:]{8}\):/);
      expect(stdout.toString()).toMatch(/last line from the client: f3, .* ago; from the agent/);
      const audit = await wiretapeHere(place, ['approvals', '--json']);
      expect(JSON.parse(audit.stdout.toString())).toMatchObject({
        decision: 'none',
        by: 'nobody',
        wait: null,
        tool: 'Shell',
      });
      expect(audit.stderr.toString()).toContain('the session is still running: open requests may still be answered');
    });
  });

  it('got an answer with another id', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      await client.write(line({ id: 'nobody', result: { request_id: 'nobody', response: 'approve' } }));
      const [first] = await until(place, 'unknown-id');
      expect(first).toMatchObject({ owes: 'client', rule: 'unknown-id' });
      expect(first!.cause).toContain('id "nobody"');
    });
  });

  it('got half an answer', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      await client.write('{"jsonrpc":"2.0","id":');
      const [first] = await until(place, 'no-line-end');
      expect(first).toMatchObject({ owes: 'client', unfinished: [{ from: 'client', bytes: 22 }] });
    });
  });

  it('got a line without a line feed, and nothing else', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE);
      await client.until('"id":"i"');
      await client.write(PROMPT.trimEnd());
      const [first] = await until(place, 'no-line-end');
      expect(first).toMatchObject({ owes: 'client', to: 'agent', f: null, what: 'the end of a line', open: true });
      const head = PROMPT.slice(0, 40);
      expect(first!.cause).toContain(
        `the client has written ${Buffer.byteLength(PROMPT) - 1} bytes without a line feed (${head}`,
      );
      expect((await ask(place)).code).toBe(1);
    });
  });

  it('was answered with a word that does not exist', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      const [, id] = /"method":"request","id":"([^"]+)"/.exec(client.stdout.toString())!;
      await client.write(line({ id, result: { request_id: id, response: 'approved' } }));
      // The agent takes it for a no and ends the turn, so that nobody waits any more.
      const [first] = await until(place, 'unknown-option', 'told');
      expect(first!.cause).toContain('"approved", not "approve" or "approve_for_session" or "reject"');
      expect(first!.send).toBe(line({ id, result: { request_id: id, response: 'approve' } }).trimEnd());
    });
  });

  it('is answered by the very line that why says', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      const [first] = await until(place, 'unanswered');
      await client.write(`${first!.send}\n`);
      await until(place, 'in-tool');
    });
  });

  it('never got an initialize, and waits for an approval that nobody is asked for', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(PROMPT);
      const owed = await until(place, 'no-initialize');
      expect(owed).toMatchObject([{ owes: 'agent', what: 'prompt 1 (开始)' }]);
    });
  });

  it('refused an id that is a number', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE);
      await client.until('"id":"i"');
      await client.write(line({ id: 1, method: 'prompt', params: { user_input: 'go' } }));
      const [first] = await until(place, 'integer-id');
      expect(first).toMatchObject({ owes: 'agent', id: 1, hint: 'send the id as "1"' });
    });
  });

  it('runs a command that never ends', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      const [, id] = /"method":"request","id":"([^"]+)"/.exec(client.stdout.toString())!;
      await client.write(line({ id, result: { request_id: id, response: 'approve' } }));
      const owed = await until(place, 'in-tool');
      expect(owed).toMatchObject([{ owes: 'agent' }]);
      expect(owed[0]!.cause).toContain('Shell `sleep infinity`');
    });
  });

  it('is stopped', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE);
      await client.until('"id":"i"');
      const pid = await client.agent(place.marker, true);
      process.kill(pid, 'SIGSTOP');
      await client.write(PROMPT);
      const owed = await until(place, 'stopped');
      expect(owed).toMatchObject([{ process: { pid, state: 'stopped' }, hint: `kill -CONT ${pid}` }]);
      process.kill(pid, 'SIGCONT');
    });
  });

  it('writes to a client that has stopped reading', async ({ place }) => {
    const agent = sample('--scenario', 'flood', '--repeat', '200000');
    await recording(
      place,
      agent,
      async (client) => {
        await client.write(INITIALIZE + PROMPT);
        const owed = await until(place, 'stalled');
        expect(owed[0]).toMatchObject({ owes: 'agent', stalled: { whose: 'client', stream: 'agent' } });
      },
      ['stdout'],
    );
  });

  it('is idle when its prompt is answered', async ({ place }) => {
    await recording(place, sample('--scenario', 'hello'), async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('"status":"finished"');
      await waitFor(async () => (await ask(place).catch(() => null))?.code === 0, 'nothing is owed');
      const { stdout } = await wiretapeHere(place, ['why'], { env: { ...place.env, NO_COLOR: '1' } });
      expect(stdout.toString()).toMatch(/no open requests: the last prompt was answered \(finished\).* ago\)/);
    });
  });

  it('speaks a protocol that nobody knows', async ({ place }) => {
    const agent = join(place.dir, 'odd.mjs');
    const asks = JSON.stringify({ op: 'may-i', command: 'make' });
    writeFileSync(agent, `process.stdin.once('data', () => console.log(${JSON.stringify(asks)}));`);
    await recording(place, [process.execPath, agent], async (client) => {
      await client.write('{"op":"run"}\n');
      await client.until('may-i');
      await waitFor(
        async () => (await ask(place).catch(() => null))?.told[0]?.f === 3,
        'both lines are on the tape',
        30_000,
      );
      const { told, owed, code } = await ask(place);
      expect(told).toMatchObject([{ rule: 'cannot-tell', owes: null, running: true }]);
      expect(told[0]!.last).toMatchObject({ client: { f: 2, text: '{"op":"run"}' }, agent: { f: 3, text: asks } });
      expect([owed, code]).toEqual([[], 0]);
      client.end();
      await client.over();
    });
    const { stdout } = await wiretapeHere(place, ['why']);
    expect(stdout.toString()).toMatch(/^cannot tell whether anybody is waiting: /m);
    expect(stdout.toString()).toMatch(/^it ended with exit code 0 \(f\d+\)$/m);
    expect(stdout.toString()).not.toContain('ended normally');
  });
});

describe.concurrent('a session that is watched', () => {
  it('is told change by change, until it ends', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await until(place, 'unanswered');
      const watching = new Client([WIRETAPE, 'why', '--watch'], { env: place.env });
      try {
        await watching.until('the client owes the agent an answer');
        client.end();
        await watching.over();
        const said = watching.stdout.toString();
        expect(said).toMatch(
          /^[\d:]{8} the client owes the agent an answer \(f\d+\): approval of Shell `sleep infinity`; /m,
        );
        expect(said).toMatch(/^[\d:]{8} send: \{"jsonrpc":"2.0","id":"/m);
        expect(said).toMatch(/^ {2}left unanswered for .*, then the client closed stdin \(f\d+\)$/m);
        expect(said).not.toContain('\x1b');
        expect(watching.code).toBe(1);
      } finally {
        watching.dispose();
      }
    });
  });

  it('has a screen of its own, and Ctrl-C gives the terminal back', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await until(place, 'unanswered');
      const shell = `trap : INT; stty rows 30 cols 80; '${WIRETAPE}' why --watch; echo "exit $?"`;
      const env = { ...place.env, TERM: 'xterm' };
      const watching = new Client(['script', '-qec', shell, '/dev/null'], { env });
      try {
        await watching.until('has owed');
        await watching.write('\x03');
        await watching.until('exit 130');
        const said = watching.stdout.toString();
        expect(said).toContain('\x1b[?1049h');
        expect(said.indexOf('\x1b[?25h\x1b[?1049l')).toBeGreaterThan(said.indexOf('has owed'));
      } finally {
        watching.dispose();
      }
    });
  });

  it('ends without a word when its terminal is closed', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await until(place, 'unanswered');
      const [said, code] = [join(place.dir, 'said'), join(place.dir, 'code')];
      // The shell stays to tell how it ended.
      const shell = `trap : HUP; '${WIRETAPE}' why --watch 2>'${said}'; echo $? >'${code}.new'; mv '${code}.new' '${code}'`;
      const env = { ...place.env, TERM: 'xterm' };
      const watching = new Client(['script', '-qec', shell, '/dev/null'], { env });
      try {
        await watching.until('has owed');
        process.kill(watching.pid, 'SIGKILL');
        await waitFor(() => existsSync(code), 'it has ended');
        // What a shell itself says of it.
        expect(readFileSync(said, 'utf8')).toMatch(/^(?:Hangup\n)?$/);
        expect(readFileSync(code, 'utf8')).toBe('129\n');
      } finally {
        watching.dispose();
      }
    });
  });

  it('is only explained if it is over', async ({ place }) => {
    await recording(place, sample('--scenario', 'hello'), async (client) => {
      await client.write(INITIALIZE);
      await client.until('"id":"i"');
      client.end();
      await client.over();
    });
    const { stdout, code } = await wiretapeHere(place, ['why', '--watch']);
    expect(stdout.toString()).toContain('no open requests: it ended normally');
    expect(code).toBe(0);
  });
});

describe.concurrent('a session that is over', () => {
  it('crashed, with its last words', async ({ place }) => {
    const agent = join(place.dir, 'crash.mjs');
    writeFileSync(
      agent,
      `process.stdin.once('data', () => { console.error('TypeError: no such part\\x1b[2J'); process.exit(3); });`,
    );
    await recording(place, [process.execPath, agent], async (client) => {
      await client.write(PROMPT);
      await client.over();
    });
    const { owed, code } = await ask(place);
    expect(code).toBe(1);
    expect(owed[0]).toMatchObject({ owes: 'agent', rule: 'failed', running: false, open: true });
    const { stdout } = await wiretapeHere(place, ['why'], { env: { ...place.env, NO_COLOR: '1' } });
    expect(stdout.toString()).toContain('hint: on stderr: TypeError: no such part␛[2J');
  });

  it('was left by its client', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      client.end();
      await client.over();
    });
    const { owed } = await ask(place);
    expect(owed).toMatchObject([
      { owes: 'client', rule: 'unanswered', follows: false },
      { owes: 'agent', rule: 'waits-for-client', follows: true },
    ]);
  });

  it('lost its recorder', async ({ place }) => {
    await recording(place, HANG, async (client) => {
      await client.write(INITIALIZE + PROMPT);
      await client.until('ApprovalRequest');
      await until(place, 'unanswered');
      client.kill('SIGKILL');
      await client.exited();
      await waitFor(async () => (await ask(place)).owed.every(({ rule }) => rule === 'recorder-killed'), 'it is lost');
      expect((await ask(place)).owed).toMatchObject([{ running: false }, { running: false }]);
    });
  });
});
