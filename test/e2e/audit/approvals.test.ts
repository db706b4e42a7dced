/** The audit: a table, JSON and CSV of tapes of real agents, from the index and from the tape. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';
import { wiretapeHere } from '../../support/in-process.ts';
import { onlyTape, run, WIRETAPE } from '../../support/run.ts';
import { it, type Place } from '../../support/store.ts';
import { sessionsIn } from '../../support/tape.ts';

const path = (name: string) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const fixture = (name: string) => path(`test/fixtures/${name}.jsonl`);

async function take(place: Place, name: string): Promise<void> {
  const { code, stderr } = await wiretapeHere(place, ['import', fixture(name), '--name', name.replace(/.*\//, '')]);
  expect(code, stderr.toString()).toBe(0);
}

async function ask(place: Place, ...args: string[]) {
  const { stdout, stderr, code } = await wiretapeHere(place, ['approvals', ...args], {
    env: { ...place.env, COLUMNS: '200', NO_COLOR: '1' },
  });
  return { text: stdout.toString(), talk: stderr.toString(), code };
}

const rowsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

/** Of the contract; more may be added. */
const KEYS = [
  ...['session', 'f', 'at', 'turn', 'subagent', 'kind', 'request_id', 'tool', 'tool_call_id', 'action', 'description'],
  ...['options', 'arguments', 'executed_arguments', 'decision', 'by', 'wait', 'answer_f', 'resolved_f', 'grant_f'],
  ...['executed', 'what_asked', 'what_ran', 'granted', 'result', 'result_f', 'flags'],
];

describe('approvals of real agents', () => {
  it('as a table, with the standing grant and each call that it covered', async ({ place }) => {
    await take(place, 'approvals/wire-1.49.0/approve_for_session');
    const { text, code } = await ask(place, 'last');
    expect(code).toBe(0);
    const [head, ...lines] = text.split('\n');
    expect(head).toMatch(/^frame +time +tool +decision +by +wait +ran +run +result +what was asked +what ran$/);
    const words = lines.slice(0, 4).map((line) => line.replaceAll(/\d+ ms|\d\d:\d\d:\d\d/g, '').replaceAll(/ +/g, ' '));
    expect(words).toEqual([
      'f10 Shell allow-always client yes ok $ echo one as asked',
      'f16 Shell unasked grant f10 yes ok $ echo two',
      'f28 Shell unasked grant f10 yes ok $ echo three',
      'f34 WriteFile allow client yes ok /home/dev/project/w.txt as asked',
    ]);
    expect(text).toContain('2 asked: 2 allowed; 2 calls ran unasked under a standing grant; longest wait');
    expect(text).toContain(
      'standing grant f10: given for `echo one`, covers every command of this session; ran under it: f16 `echo two`, f28 `echo three`',
    );
  });

  it('as JSON with every key of the contract, the same from the index and from the tape', async ({ place }) => {
    await take(place, 'tapes/wire-1.49.0/approval_bad_answer');
    const [dir] = sessionsIn(place.home);
    const indexed = await ask(place, '--json');
    const fromTape = await ask(place, '--json', join(dir!, 'wire.jsonl'));
    expect(indexed.text).toBe(fromTape.text);
    const rows = rowsOf(indexed.text);
    for (const row of rows) expect(Object.keys(row)).toEqual(expect.arrayContaining(KEYS));
    expect(rows.map(({ f, decision, by, flags }) => [f, decision, by, (flags as string[]).join(' ')])).toEqual([
      [9, 'allow', 'client', 'wrong-request-id'],
      [24, 'none', 'invalid', 'bad-word'],
      [36, 'none', 'invalid', 'no-request-id'],
      [48, 'none', 'invalid', 'bad-shape'],
      [60, 'none', 'client-error', 'both late-answer'],
    ]);
    expect(rows[0]).toMatchObject({ tool: 'Shell', arguments: { command: 'echo 1' }, executed: 'yes', result: 'ok' });
  });

  it('as CSV that no spreadsheet runs', async ({ place }) => {
    const lines = readFileSync(fixture('approvals/wire-1.49.0/reject_with_feedback'), 'utf8');
    const hostile = join(place.dir, 'hostile.jsonl');
    writeFileSync(hostile, lines.replaceAll('use a safer command', '=HYPERLINK(1,2)'));
    await wiretapeHere(place, ['import', hostile]);
    const { text, code } = await ask(place, '--csv');
    expect(code).toBe(0);
    const [head, first] = text.split('\r\n');
    expect(head!.split(',').slice(0, 3)).toEqual(['\ufeffsession', 'f', 'at']);
    expect(first).toContain(`,"'=HYPERLINK(1,2)",`);
    expect(first).toContain('"{""command"":""rm -rf build""}"');
  });

  it('by a query: a row is shown if the frame that asked matches', async ({ place }) => {
    await take(place, 'approvals/wire-1.49.0/approve_for_session');
    await take(place, 'approvals/wire-1.49.0/approval_error_answer');
    const grants = rowsOf((await ask(place, '--json', '-q', 'tool:Shell by:grant')).text);
    expect(grants.map(({ f, grant_f }) => [f, grant_f])).toEqual([
      [16, 10],
      [28, 10],
    ]);
    const errors = await ask(place, '-q', 'by:client-error');
    expect(errors.text).toMatch(/f10 .*Shell +none +client-error .*\$ echo x/);
    expect(errors.text).not.toContain('standing grant');
    expect(await ask(place, '-q', 'by:client-error', 'approve_for_session')).toMatchObject({ code: 1, text: '' });
    expect(await ask(place, '-q', 'by=')).toMatchObject({ code: 1 });
    expect(await ask(place, '-q', 'bye:grant')).toMatchObject({ code: 2, text: '' });
  });

  it('in full: the change that was asked about, and what was said', async ({ place }) => {
    await take(place, 'tapes/wire-0.59/tools');
    const { text } = await ask(place, '--full');
    expect(text).toMatch(/StrReplaceFile allow by client after \d+ ms ran ok\n(?: .*\n)*? +- two\n +\+ 2\n/);
  });

  it('with --all hooks too, which fail open', async ({ place }) => {
    await take(place, 'tapes/wire-1.49.0/hooks');
    const calls = await ask(place);
    expect([calls.code, calls.text]).toEqual([0, expect.stringMatching(/f\d+ .*Shell +unasked +mode +yolo +yes /)]);
    expect(calls.text).not.toContain('hook');
    const { text, code } = await ask(place, '--all');
    expect(code).toBe(0);
    expect(text).toMatch(/f37 .*hook +Shell +none +client-error .* yes /);
    expect(text).toContain('9 hooks (without an answer, the action runs, 2 failed open)');
    expect(text).toContain('mode yolo from the start: no approvals needed');
  });

  it('what is nested deeper than can be written is a row all the same', async ({ place }) => {
    const lines = readFileSync(fixture('approvals/wire-1.49.0/approval_error_answer'), 'utf8').split('\n');
    const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
    const hostile = lines.map((text) => {
      if (!text.includes('ToolCall')) return text;
      const log = JSON.parse(text) as { line: string };
      const value = JSON.parse(log.line) as { params: { type: string; payload: { function: { arguments: string } } } };
      if (value.params.type === 'ToolCall') value.params.payload.function.arguments = `{"command":"x","deep":${deep}}`;
      return JSON.stringify({ ...log, line: JSON.stringify(value) });
    });
    const file = join(place.dir, 'deep.jsonl');
    writeFileSync(file, hostile.join('\n'));
    await wiretapeHere(place, ['import', file]);
    for (const source of [[], [join(sessionsIn(place.home)[0]!, 'wire.jsonl')]]) {
      for (const how of [['--json'], ['--csv'], ['--full'], []]) {
        const { text, talk, code } = await ask(place, ...how, ...source);
        expect([code, talk]).toEqual([0, expect.not.stringContaining('bug')]);
        expect(text).toContain('client-error');
      }
    }
  });

  it("says what an agent's own log cannot tell", async ({ place }) => {
    await wiretapeHere(place, ['import', path('test/fixtures/imports/1.49.0-subagent_parallel')]);
    const { text, talk, code } = await ask(place);
    expect([code, talk]).toEqual([0, '']);
    expect(text).toMatch(/f12 .*Shell +unknown +unknown +yes +291 ms +ok +unheard +\$ sleep 0\.3; echo a\n/);
    expect(text).toContain('  0 asked; 2 unknown\n');
    expect(text).toContain('the tape has no lines from the client');
    expect(text).toContain('kimi-cli 1.25 and later keeps no approvals in its own log');
    const json = await ask(place, '--json');
    expect(json.talk).toContain('kimi-cli 1.25 and later');
    // Each row says so itself.
    for (const { caveats } of rowsOf(json.text)) {
      expect(caveats).toContainEqual(expect.stringContaining('no lines from the client'));
    }
    expect((await ask(place, '--csv')).text).toMatch(
      /,unheard,"the tape has no lines from the client: .*; kimi-cli 1\.25/,
    );
  });
});

describe('two approvals, each answered after a second', () => {
  const tool = (name: string) => ({
    tool: { name: 'WriteFile', arguments: { path: name, content: '文件\n' }, approval: true, seconds: 0.01 },
  });
  const scenario = { turns: [[[tool('a.txt')], [tool('b.txt')], [{ text: 'Done.' }]]] };

  it('are two rows with their waits, and the running time of the tool is its own', async ({ place }) => {
    const file = join(place.dir, 'two.json');
    writeFileSync(file, JSON.stringify(scenario));
    const agent = [process.execPath, path('samples/agent.mjs'), '--wire', '--scenario', file];
    const client = [process.execPath, path('samples/client.mjs'), '--quiet', '--delay', '1', '--prompt', 'go'];
    expect((await run(place, [...client, '--', WIRETAPE, 'record', '--', ...agent])).code).toBe(0);
    const rows = rowsOf((await ask(place, '--json')).text) as {
      f: number;
      wait: number;
      run: number;
      answer_f: number;
      result_f: number;
    }[];
    expect(rows).toMatchObject([
      { tool: 'WriteFile', decision: 'allow', by: 'client', executed: 'yes', result: 'ok' },
      { tool: 'WriteFile', decision: 'allow', by: 'client', executed: 'yes', result: 'ok' },
    ]);
    const { frames } = await onlyTape(place);
    for (const { f, wait, run: ran, answer_f, result_f } of rows) {
      expect(wait).toBeCloseTo(frames[answer_f - 1]!.t - frames[f - 1]!.t, 5);
      expect(ran).toBeCloseTo(frames[result_f - 1]!.t - frames[answer_f - 1]!.t, 5);
    }
    expect((await ask(place, '--full')).text).toContain('+ 文件');
  });
});
