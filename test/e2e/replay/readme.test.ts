// The README shows this test; test/meta keeps the two the same.
import { createSession } from '@moonshot-ai/kimi-agent-sdk';
import { expect, test } from 'vitest';
import { replayProgram } from 'wiretape';

test('my client lets the agent run the tests', async () => {
  await using agent = replayProgram('samples/tapes/approve.jsonl');
  const session = createSession({ workDir: process.cwd(), executable: agent.path });
  const turn = session.prompt('Run the tests.');
  for await (const event of turn) if (event.type === 'ApprovalRequest') await turn.approve(event.payload.id, 'approve');
  expect(await turn.result).toMatchObject({ status: 'finished' });
  await session.close();
});
