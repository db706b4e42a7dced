// Promise 9, with the SDK that clients use: @moonshot-ai/kimi-agent-sdk drives the sample agent through a shim, by its
// `executable` option. It sees the same conversation as without, and the tape has all of it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createSession, login, logout, type StreamEvent } from '@moonshot-ai/kimi-agent-sdk';
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../../support/in-process.ts';
import { processesWith } from '../../support/processes.ts';
import { onlyTape } from '../../support/run.ts';
import { installKimi, makeExecutable, makeShim } from '../../support/shim.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

const SESSION = '11111111-2222-3333-4444-555555555555';
const shell = (command: string) => ({
  tool: { name: 'Shell', arguments: { command }, approval: true, result: `${command}\n` },
});

/** Two turns: words, a command that is approved and one that is not, and words again. */
function scenario(place: Place): string {
  const path = join(place.dir, 'scenario.json');
  const first = [[{ think: 'hm' }, { text: '你好, world' }, shell('ls')], [shell('rm -rf /')], [{ text: 'done' }]];
  writeFileSync(path, JSON.stringify({ turns: [first, [[{ text: 'bye' }]]] }));
  return path;
}

interface Heard {
  events: StreamEvent[];
  results: unknown[];
  commands: string[];
}

interface How {
  env?: Record<string, string>;
  workDir?: string;
  sessionId?: string;
  /** Commands with this word are approved. */
  harmless?: string;
}

/** The whole conversation, as an application would have it. */
async function converse(place: Place, executable: string, how: How = {}): Promise<Heard> {
  const { env = {}, workDir = place.dir, sessionId = SESSION, harmless = 'ls' } = how;
  const own = { ZOO_MARKER: place.marker, WIRETAPE_HOME: '', ...env };
  const session = createSession({ workDir, executable, sessionId, env: own });
  const events: StreamEvent[] = [];
  const results: unknown[] = [];
  try {
    for (const words of ['hello', 'and now?']) {
      const turn = session.prompt(words);
      for await (const event of turn) {
        events.push(event);
        if (event.type !== 'ApprovalRequest') continue;
        const isHarmless = JSON.stringify(event.payload).includes(harmless);
        await turn.approve(event.payload.id, isHarmless ? 'approve' : 'reject');
      }
      results.push(await turn.result);
    }
    return { events, results, commands: session.slashCommands.map(({ name }) => name) };
  } finally {
    await session.close();
  }
}

/** What differs from run to run, by the order in which it first appears. */
function settled(heard: Heard): unknown {
  const names = new Map<string, string>();
  const name = (id: string) => names.get(id) ?? names.set(id, `id-${names.size}`).get(id)!;
  const ids = /[0-9a-f]{8}-[0-9a-f-]{27}|chatcmpl-\w+/g;
  return JSON.parse(JSON.stringify(heard).replace(ids, name));
}

describe.concurrent('the Node SDK', () => {
  it('has the same conversation through a shim, and all of it is recorded', async ({ place }) => {
    const kimi = installKimi(place, '--scenario', scenario(place));
    const shim = await makeShim(place, kimi);
    const direct = await converse(place, kimi);
    expect(sessionsIn(place.home)).toEqual([]);
    const shimmed = await converse(place, shim);

    const types = direct.events.map(({ type }) => type as string);
    expect(types.filter((type) => type === 'ApprovalRequest')).toHaveLength(2);
    expect(types.filter((type) => type === 'TurnBegin')).toHaveLength(2);
    expect(types.filter((type) => type === 'TurnEnd')).toHaveLength(2);
    expect(types).not.toContain('error');
    expect(direct.results).toMatchObject([{ status: 'finished' }, { status: 'finished' }]);
    expect(settled(shimmed)).toEqual(settled(direct));

    const tape = await onlyTape(place);
    const command = [kimi, '--session', SESSION, '--work-dir', place.dir, '--wire', '--no-thinking'];
    expect(tape.metadata.command).toEqual(command);
    const client = tape.bytesFrom('client').toString();
    expect(client.match(/"method":"\w+"/g)).toEqual([
      '"method":"initialize"',
      '"method":"prompt"',
      '"method":"prompt"',
    ]);
    expect(client.match(/"response":"\w+"/g)).toEqual(['"response":"approve"', '"response":"reject"']);
    expect(tape.bytesFrom('agent').toString()).toContain('你好');
    // The SDK ends its agent with SIGTERM.
    expect(tape.events('signal')).toMatchObject([{ signal: 'SIGTERM' }]);
    expect(tape.events('exit')).toMatchObject([{ code: null, signal: 'SIGTERM' }]);
    const verified = await wiretapeHere(place, ['verify', 'last', '--json']);
    expect(JSON.parse(verified.stdout.toString())).toMatchObject({ verdict: 'intact' });
  });

  it('leaves sessions without a difference when its test runs twice, and with one when it decides otherwise', async ({
    place,
  }) => {
    const kimi = installKimi(place, '--scenario', scenario(place));
    const shim = await makeShim(place, kimi);
    const run = async (folder: string, harmless?: string) => {
      const workDir = join(place.dir, folder);
      mkdirSync(workDir);
      await converse(place, shim, { workDir, sessionId: randomUUID(), ...(harmless && { harmless }) });
      await waitFor(() => processesWith(place.marker).length === 0, 'the end of the recorder');
    };
    await run('first');
    await run('second');
    const again = await wiretapeHere(place, ['diff', '--json']);
    expect(again.stdout.toString()).toBe('');
    expect(again.code).toBe(0);

    await run('third', 'nothing');
    const otherwise = await wiretapeHere(place, ['diff', '--json', '--only', 'approvals']);
    const changes = otherwise.stdout
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).changes[0]);
    expect(changes).toMatchObject([
      { path: '/decision', a: 'allow', b: 'deny' },
      // A denial ends the turn.
      { path: '/decision', a: 'deny', b: null },
    ]);
    expect(otherwise.code).toBe(1);
  });

  it('finds the shim as `kimi` on the PATH', async ({ place }) => {
    const kimi = installKimi(place, '--scenario', scenario(place));
    const shim = await makeShim(place, kimi);
    const PATH = `${dirname(shim)}:${dirname(kimi)}:${place.env.PATH}`;
    const { results } = await converse(place, 'kimi', { env: { PATH } });
    expect(results).toHaveLength(2);
    expect((await onlyTape(place)).metadata.command).toMatchObject({ 0: kimi });
  });

  it('kills an agent that does not listen after three seconds, and nothing is left but a readable tape', async ({
    place,
  }) => {
    // Answers, and ignores both SIGTERM and the end of its input.
    const script = `
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);
      const answer = { initialize: { protocol_version: '1.7', server: { name: 'x', version: '1' }, slash_commands: [] },
        prompt: { status: 'finished' } };
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method } = JSON.parse(line);
        console.log(JSON.stringify({ jsonrpc: '2.0', id, result: answer[method] }));
      });`;
    const stubborn = makeExecutable(join(place.dir, 'agents', 'kimi'), [process.execPath, '-e', script, '--']);
    const { results } = await converse(place, await makeShim(place, stubborn));
    expect(results).toHaveLength(2);
    await waitFor(() => processesWith(place.marker).length === 0, 'the end of all');
    const verified = await wiretapeHere(place, ['verify', 'last', '--json']);
    expect(JSON.parse(verified.stdout.toString())).toMatchObject({ verdict: 'recovered' });
    expect((await onlyTape(place)).events('signal')).toMatchObject([{ signal: 'SIGTERM' }]);
  });

  it('calls the agent for other things without being recorded', async ({ place }) => {
    const said = '{"type":"success","message":"hello"}';
    const script = `test "$1" = logout || echo '${said}'`;
    const kimi = makeExecutable(join(place.dir, 'agents', 'kimi'), ['sh', '-c', script, 'kimi']);
    const options = { executable: await makeShim(place, kimi), env: { ZOO_MARKER: place.marker } };
    expect(await login(options)).toMatchObject({ success: true });
    expect(await logout(options)).toMatchObject({ success: true });
    expect(sessionsIn(place.home)).toEqual([]);
  });
});
