/** What `export --format kimi` writes is taken by kimi itself: its `replay` sends all of it, the approvals included. */
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { IMPORTS } from '../support/imports.ts';
import { wiretape } from '../support/run.ts';
import { it, withAgents } from './support/agents.ts';
import { scriptedKimi } from './support/kimi.ts';
import { Talk } from './support/talk.ts';
import { makeStage } from './support/twice.ts';

const SESSION = '0b5c1d2e-3f40-4a51-8b62-7c8d9e0f1a2b';

withAgents(['kimi-cli-1.49.0'], (kimi) => {
  it('replays an exported session, with approvals that its own file would not have', async ({ place }) => {
    const stage = makeStage(place, 'stage');
    const share = join(stage.dir, 'share');
    const work = realpathSync(stage.work);
    const folder = join(share, 'sessions', createHash('md5').update(work).digest('hex'), SESSION);
    mkdirSync(folder, { recursive: true });
    const lists = { work_dirs: [{ path: work, kaos: 'local', last_session_id: SESSION }] };
    writeFileSync(join(share, 'kimi.json'), JSON.stringify(lists));
    writeFileSync(join(folder, 'context.jsonl'), '');
    await wiretape(place, ['import', join(IMPORTS, 'line-logs/wire-1.49.0-subagent_parallel.jsonl')]);
    const { code } = await wiretape(place, ['export', 'last', '-f', 'kimi', '-o', join(folder, 'wire.jsonl')]);
    expect(code).toBe(0);

    const options = scriptedKimi({ ...stage, work }, ['text: never asked']);
    const env = { ...stage.env, KIMI_SHARE_DIR: share };
    const client = new Talk([kimi.program, '--wire', ...options, '--session', SESSION], { ...stage, env });
    try {
      client.send({ jsonrpc: '2.0', id: '1', method: 'replay' });
      const answer = await client.until(
        ({ id, result }) => id === '1' && result !== undefined,
        'the end of the replay',
      );
      expect(answer.result).toEqual({ status: 'finished', events: 34, requests: 2 });
      const types = client.messages.map(({ params }) => params?.type);
      expect(types.filter((type) => /^Approval/.test(type))).toEqual([
        ...['ApprovalRequest', 'ApprovalRequest', 'ApprovalResponse', 'ApprovalResponse'],
      ]);
      await client.end('eof');
    } finally {
      client.dispose();
    }
  });
});
