/** A process that does not get a processor for a while: what came meanwhile is heard before anybody is called silent. */
import { PassThrough, Writable } from 'node:stream';
import { describe, expect } from 'vitest';
import type { Frame, From } from '../../../lib/model/frame.ts';
import { AgentReplay } from '../../../lib/replay/agent.ts';
import { ClientRun } from '../../../lib/replay/client/client-run.ts';
import { LineWriter } from '../../../lib/replay/line-writer.ts';
import { readLines } from '../../../lib/replay/message-reader.ts';
import { type Session, sessionInMemory } from '../../../lib/session/session.ts';
import { metadataFor } from '../../support/fixture-sessions.ts';
import { pause, pipe } from '../../support/paused.ts';
import { REPLAY_OPTIONS } from '../../support/replaying.ts';
import { it } from '../../support/store.ts';

/** Seconds, far less than a pause. */
const TIMEOUT = 0.1;
const CALLS = 3;

const request = (id: number) => `{"jsonrpc":"2.0","id":${id},"method":"x"}\n`;
const answer = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{}}\n`;

function session(): Session {
  const said = Array.from({ length: CALLS }, (_, id): [From, string][] => [
    ['client', request(id)],
    ['agent', answer(id)],
  ]).flat();
  const frames = said.map(([from, line], i): Frame => {
    const raw = Buffer.from(line.trimEnd());
    return { f: i + 1, t: i, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
  });
  return sessionInMemory(metadataFor('calls', ['agent']), frames);
}

describe('silence is not', () => {
  it('the pause of a replay to a client', async ({ place }) => {
    const [client, stdin] = await pipe(place);
    let answered = 0;
    // The next request is written at once, and then this process stands still.
    const stdout = new Writable({
      write(_chunk, _encoding, written) {
        answered++;
        if (answered < CALLS) client.write(request(answered));
        else client.end();
        pause();
        written();
      },
    });
    const options = { ...REPLAY_OPTIONS, timeout: TIMEOUT };
    const agent = new AgentReplay(session(), options, new LineWriter(stdout), new LineWriter(new PassThrough()));
    readLines(
      stdin,
      (line) => agent.receive(line),
      () => agent.end(),
    );
    client.write(request(0));
    const { report } = await agent.run();
    expect(report).toMatchObject({ ok: true, matched: CALLS, sent: CALLS, departed: [] });
  });

  it('the pause of a replay that drives an agent', async ({ place }) => {
    const [agent, stdout] = await pipe(place);
    let asked = 0;
    const stdin = new Writable({
      write(_chunk, _encoding, written) {
        agent.write(answer(asked++));
        // It stands still while a timer runs.
        setImmediate(pause);
        written();
      },
      final(done) {
        agent.end();
        done();
      },
    });
    const streams = { input: stdin, output: stdout };
    const { report } = await new ClientRun(session(), streams, { timeout: TIMEOUT, pace: { speed: 1e6, maxGap: 0 } })
      .ended;
    expect(report).toMatchObject({ ok: true, sent: CALLS, departed: [] });
  });
});
