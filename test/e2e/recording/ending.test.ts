/** Ends that need care: a grandchild that talks into a file, and a strict run whose agent is gone already (promises 4, 5). */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { processesWith } from '../../support/processes.ts';
import { onlyTape, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it } from '../../support/store.ts';

describe('a grandchild that holds our streams', () => {
  it('is left after two seconds, wherever its words go', async ({ place }) => {
    const talker = 'setInterval(() => process.stdout.write("x\\n"), 3); setTimeout(() => process.exit(), 600_000)';
    const agent = '"$0" -e "$1" & sleep 0.3';
    const script = 'out=$1; shift; exec "$@" > "$out"';
    const record = [WIRETAPE, 'record', '--', 'sh', '-c', agent, process.execPath, talker];
    const { code } = await run(place, ['sh', '-c', script, 'sh', join(place.dir, 'out'), ...record]);
    expect(code).toBe(0);
    const tape = await onlyTape(place);
    expect(tape.events('abandoned')).toHaveLength(1);
    const exit = tape.events('exit')[0]!;
    expect(exit.t - (exit.ended as number)).toBeGreaterThan(1.9);
  });
});

describe('a strict run that fails after its agent has gone', () => {
  it('kills nothing of what the agent left', async ({ place }) => {
    const tape = join(place.dir, 'run.jsonl');
    const agent = `rm ${tape}; sleep 20 >/dev/null 2>&1 </dev/null & exit 0`;
    const { code } = await wiretape(place, ['record', '--strict', '--tape', tape, '--', 'sh', '-c', agent]);
    expect([0, 125]).toContain(code);
    expect(processesWith(place.marker).map(({ argv }) => argv[0])).toContain('sleep');
  });
});
