/**
 * However a session ends, and however much of its tape has no rows yet, every reader of the store says what is on the
 * tape: what the index answers is compared with what the file tells, copied elsewhere.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { parseQuery } from '../../../lib/analysis/query/parser.ts';
import { listSessions } from '../../../lib/storage/index/catch-up.ts';
import { Search } from '../../../lib/storage/search/search.ts';
import { SessionAudits } from '../../../lib/storage/search/session-audits.ts';
import { type Target, targetsOf } from '../../../lib/storage/search/targets.ts';
import { verifyTape } from '../../../lib/storage/tape/verify.ts';
import { dump } from '../../support/index.ts';
import { WIRETAPE } from '../../support/run.ts';
import { rpc } from '../../support/session.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';
import { waitFor } from '../../support/wait.ts';

/** Hardly anything, and several steps of the index: lines are of 4000 bytes. */
const SIZES = [1, 30, 600];
const SAY = "seq -f '%04000.0f' 1";

/** The shell's ways to end after so many lines; `read` waits until the tape has begun. */
const ENDS: Record<string, (lines: number) => string> = {
  exit: (lines) => `read go; ${SAY} ${lines}; exit 3`,
  'exit at once': (lines) => `${SAY} ${lines}`,
  killed: (lines) => `read go; ${SAY} ${lines}; kill -9 $$`,
  'end of input': (lines) => `${SAY} ${lines}; cat`,
  'recorder killed': (lines) => `read go; ${SAY} ${lines}; sleep 30`,
};

/** Records; gives the input once `begun`, and kills the recorder after so many bytes of the agent. */
function record(
  place: Place,
  args: readonly string[],
  input: string,
  begun: Promise<unknown>,
  killAfter = Number.POSITIVE_INFINITY,
): Promise<void> {
  const child = spawn(WIRETAPE, ['record', ...args], { env: place.env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.on('error', () => {});
  void begun.then(
    () => child.stdin.end(input),
    () => child.kill(),
  );
  let received = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received >= killAfter) child.kill('SIGKILL');
  });
  return new Promise((done) => child.once('exit', () => done()));
}

/** Resolves when so many sessions more have something on their tapes. */
function haveBegun({ home }: Place, count: number): Promise<unknown> {
  const before = new Set(sessionsIn(home));
  const hasBegun = (dir: string) => existsSync(join(dir, 'wire.jsonl')) && statSync(join(dir, 'wire.jsonl')).size > 0;
  const begun = () => sessionsIn(home).filter((dir) => !before.has(dir) && hasBegun(dir));
  return waitFor(() => begun().length === count, 'the first lines of all tapes');
}

const talk = { notice: (message: string) => expect.fail(message), progress() {} };

/** What is said of one session by whoever asks. */
function told(home: string, target: Target) {
  const hits = ['', '0471', 'tool:* is:error'].map((query) => {
    const search = new Search(home, parseQuery(query), 1);
    const found = [...search.matchesOf(target)].flatMap((hit) => (hit ? [hit.facts.f] : []));
    const sum = found.reduce((sum, f) => sum + f, 0);
    const counted = target.key === null ? found.length : search.count(target);
    search.close();
    return { query, counted, found: found.length, sum };
  });
  const audits = new SessionAudits(home);
  const audit = JSON.parse(JSON.stringify(audits.of(target)));
  audits.close();
  const { tape, name, tags, ...summary } = target.summary;
  return { hits, audit, summary };
}

async function expectEqual(place: Place, count: number): Promise<void> {
  // A recorder ends with its agent; its writer process may still be storing what it was given.
  const over = () =>
    listSessions(place.home, talk).sessions.filter(({ state }) => state !== 'running').length === count;
  await waitFor(over, 'the end of all tapes');
  const { sessions, unreadable } = listSessions(place.home, talk);
  expect(unreadable).toEqual([]);
  expect(sessions).toHaveLength(count);
  mkdirSync(join(place.dir, 'copies'));
  for (const { session, tape } of sessions) {
    const copy = join(place.dir, 'copies', `${session}.jsonl`);
    copyFileSync(tape, copy);
    expect(['intact', 'recovered']).toContain(verifyTape(copy).verdict);
    const [byIndex] = (await targetsOf(place.home, [session], talk)).sessions;
    const [byTape] = (await targetsOf(place.home, [copy], talk)).sessions;
    expect(byIndex!.key).not.toBeNull();
    expect(byTape!.key).toBeNull();
    const here = told(place.home, byIndex!);
    const there = told(place.home, byTape!);
    expect(here, byIndex!.summary.name ?? '').toEqual({ ...there, summary: expect.objectContaining(here.summary) });
    for (const key of Object.keys(here.summary) as (keyof typeof here.summary)[]) {
      expect(here.summary[key], key).toEqual(there.summary[key]);
    }
  }
  const rows = dump(place.home);
  expect(rows.sessions!.every(({ settled }) => settled === 1)).toBe(true);
  expect(rows.frames).toHaveLength(sessions.reduce((sum, { frames }) => sum + frames, 0));
}

describe('the index says what the tape says', () => {
  it('after every end, at every size', async ({ place }) => {
    for (const [end, agent] of Object.entries(ENDS)) {
      const begun = agent(1).startsWith('read') ? haveBegun(place, SIZES.length) : Promise.resolve();
      const runs = SIZES.map((size) => {
        const args = ['--name', `${end} ${size}`, '--', 'sh', '-c', agent(size)];
        return record(place, args, 'hello\n', begun, end === 'recorder killed' ? size * 4001 : undefined);
      });
      await Promise.all([begun, ...runs]);
    }
    await expectEqual(place, Object.keys(ENDS).length * SIZES.length);
  });

  it('where an agent runs a command unasked after megabytes of text', async ({ place }) => {
    const event = (type: string, payload: object) => rpc({ method: 'event', params: { type, payload } });
    const lines = [
      rpc({ id: 'p', result: { status: 'finished' } }),
      event('TurnEnd', {}),
      event('ToolResult', {
        tool_call_id: 't',
        return_value: { is_error: false, output: 'ok', message: '', display: [] },
      }),
      event('ToolCall', {
        type: 'function',
        id: 't',
        function: { name: 'Shell', arguments: '{"command":"rm -rf /"}' },
      }),
      event('ContentPart', { type: 'text', text: 'word '.repeat(700_000) }),
      event('StepBegin', { n: 1 }),
      event('TurnBegin', { user_input: 'run' }),
    ].reverse();
    const file = join(place.dir, 'lines.jsonl');
    writeFileSync(file, lines.join(''));
    const input = rpc({ id: 'p', method: 'prompt', params: { user_input: 'run' } });
    const agent = ['--dialect', 'wire', '--', 'sh', '-c', `read go; cat ${file}; cat > /dev/null`];
    const begun = haveBegun(place, 3);
    await Promise.all([begun, ...[1, 2, 3].map(() => record(place, agent, input, begun))]);
    await expectEqual(place, 3);
    const { sessions } = await targetsOf(place.home, [], talk);
    const audits = new SessionAudits(place.home);
    for (const target of sessions)
      expect(audits.of(target).rows).toMatchObject([{ decision: 'unasked', tool: 'Shell' }]);
    audits.close();
  });
});
