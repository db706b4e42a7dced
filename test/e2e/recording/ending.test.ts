/** Ends that need care: a grandchild that talks into a file, and a strict run whose agent is gone already (promises 4, 5). */
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { processesWith } from '../../support/processes.ts';
import { onlyTape, run, WIRETAPE, wiretape } from '../../support/run.ts';
import { it } from '../../support/store.ts';

describe('a grandchild that holds our streams', () => {
  it('is left after two seconds, wherever its words go', async ({ place }) => {
    const talker = `setInterval(() => process.stdout.write("x\\n"), 3); setTimeout(() => process.exit(), 600_000);
      require("node:fs").writeFileSync(process.argv[1], "");`;
    // The agent ends when it talks, however long it takes to start.
    const talks = join(place.dir, 'talks');
    const agent = '"$0" -e "$1" "$2" & until [ -e "$2" ]; do sleep 0.1; done';
    const script = 'out=$1; shift; exec "$@" > "$out"';
    const record = [WIRETAPE, 'record', '--', 'sh', '-c', agent, process.execPath, talker, talks];
    const { code } = await run(place, ['sh', '-c', script, 'sh', join(place.dir, 'out'), ...record]);
    expect(code).toBe(0);
    const tape = await onlyTape(place);
    expect(tape.events('abandoned')).toHaveLength(1);
    const [abandoned] = tape.events('abandoned');
    const ended = tape.events('exit')[0]!.ended as number;
    const lastWord = tape.frames.findLast(({ from }) => from === 'agent')!.t;
    // Two seconds; or three tenths without a word, should the machine be as busy as that.
    expect([abandoned!.t - ended > 1.9, abandoned!.t - lastWord > 0.2]).toContain(true);
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
