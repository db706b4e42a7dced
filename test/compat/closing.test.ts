/** The MCP SDK against tapes: what it makes of progress, and tests that are red however it ends its server. */
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type ReplayMismatch, recordOrReplay, replayProgram } from '../../lib/index.ts';
import { it, withAgents } from './support/agents.ts';
import { McpClient } from './support/mcp.ts';
import { makeStage } from './support/twice.ts';

const SERVER = fileURLToPath(new URL('../fixtures/agents/mcp-progress.mjs', import.meta.url));

withAgents(['mcp-sdk'], (sdk) => {
  it('sees the same progress live and from the tape', async ({ place }) => {
    const stage = makeStage(place, 'recorded');
    const tape = `${place.dir}/progress.jsonl`;
    const seen: unknown[][] = [];
    for (const mode of ['record', 'replay', 'replay']) {
      await recordOrReplay(tape, [process.execPath, SERVER], { home: place.home }).use(async (program) => {
        expect(program.mode).toBe(mode);
        const client = await McpClient.connect([program.path], stage, sdk);
        const steps: unknown[] = [];
        await client.call('work', {}, { onprogress: ({ progress }: { progress: number }) => steps.push(progress) });
        seen.push(steps);
        await client.close();
      });
    }
    // The SDK drops what it reads together with the answer.
    expect(seen).toEqual([
      [1, 2],
      [1, 2],
      [1, 2],
    ]);
  });

  it('is red if it does something else, whether it is closed before the program or after', async ({ place }) => {
    const stage = makeStage(place, 'recorded');
    const tape = `${place.dir}/progress.jsonl`;
    await recordOrReplay(tape, [process.execPath, SERVER], { home: place.home }).use(async ({ path }) => {
      const client = await McpClient.connect([path], stage, sdk);
      await client.call('work');
      await client.close();
    });
    for (const isClosedFirst of [true, false]) {
      const program = replayProgram(tape, { home: place.home });
      const client = await McpClient.connect([program.path], stage, sdk);
      await client.client.request({ method: 'prompts/list' }, { parse: (any: unknown) => any }).catch(() => {});
      if (isClosedFirst) await client.close();
      const failure = (await program.close().catch((error: unknown) => error)) as ReplayMismatch;
      expect(failure.message).toMatch(
        /prompts\/list is not on the tape\n {2}the client never sent tools\/call work \(f\d+\)\n/,
      );
      client.dispose();
    }
  });
});
