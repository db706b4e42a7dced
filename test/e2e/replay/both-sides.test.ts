/** `wiretape replay T -- wiretape replay T`: the client of a tape against the agent of the same tape, as processes. */
import { describe, expect } from 'vitest';
import { drive, rowsOf } from '../../support/driving.ts';
import { wiretapeHere } from '../../support/in-process.ts';
import { WIRETAPE } from '../../support/run.ts';
import { it } from '../../support/store.ts';
import { fixtures } from '../../support/timeline.ts';

const TAPES = [
  'wire-1.49.0/subagent_parallel',
  'wire-0.80/cancel',
  'acp/qwen-0.24.4-allow_shell',
  'qwen-stream-json-0.24.4/sdk_mcp',
  'mcp/everything-sampling',
  'codex-app-server-0.166.0/intask',
  'copilot-sdk-1.0.14/deny',
];

describe.concurrent('a tape against itself', () => {
  for (const name of TAPES)
    it(name, async ({ place }) => {
      const { code, stderr } = await wiretapeHere(place, ['import', `${fixtures}${name}.jsonl`]);
      expect([code, String(stderr)]).toEqual([0, expect.anything()]);
      const [row] = await rowsOf(place, 'ls');
      const session = row!.session as string;
      // With the options of the recorded agent, because they may say the mode.
      const [, ...args] = row!.command as string[];
      const agent = ['sh', '-c', 'exec "$0" replay "$1" --instant', WIRETAPE, session, ...args];
      const driven = await drive(place, session, agent);
      expect(driven.report).toMatchObject({ unmatched: [], departed: [], never_sent: [], never_asked: [] });
      expect(driven.code).toBe(0);
      const counts = (await rowsOf(place, 'ls')).map(({ turns, tools, approvals }) => ({ turns, tools, approvals }));
      expect(counts[1]).toEqual(counts[0]);
    });

  it('as `last`, which is not the session of the run itself', async ({ place }) => {
    await wiretapeHere(place, ['import', `${fixtures}acp/qwen-0.24.4-allow_shell.jsonl`]);
    const [row] = await rowsOf(place, 'ls');
    const driven = await drive(place, 'last', [WIRETAPE, 'replay', 'last', '--instant']);
    expect(driven.code).toBe(0);
    expect(driven.report).toMatchObject({ departed: [], never_sent: [], never_asked: [] });
    const [newest] = await rowsOf(place, 'ls');
    expect(newest).toMatchObject({ turns: row!.turns, approvals: row!.approvals });
  });
});
