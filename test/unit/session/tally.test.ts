/** What is a probe: an editor that shakes hands, gets its answer and leaves. Everything else is shown by `ls`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { summarise } from '../../../lib/session/summary.ts';
import type { TestJournal } from '../../support/journal.ts';
import { makeSession, rpc, sessionOn } from '../../support/session.ts';
import { it } from '../../support/store.ts';

const ASK = rpc({ id: 0, method: 'initialize', params: {} });
const ANSWER = rpc({ id: 0, result: { capabilities: {} } });
const MCP_READY = rpc({ method: 'notifications/initialized' });
const STREAM_ASK = '{"type":"control_request","request_id":"a","request":{"subtype":"initialize"}}\n';
const STREAM_ANSWER = '{"type":"control_response","response":{"subtype":"success","request_id":"a"}}\n';

type Fill = (journal: TestJournal) => unknown;

const PROBES: [string, Fill][] = [
  ['a handshake and its answer', (j) => j.data('client', 1, ASK).data('agent', 2, ANSWER).exit(3)],
  ['one that ended badly', (j) => j.data('client', 1, ASK).data('agent', 2, ANSWER).exit(3, { code: 1, signal: null })],
  [
    'what the agent says besides, on stdout and stderr',
    (j) =>
      j
        .data('client', 1, ASK)
        .data('stderr', 2, 'warming up\n')
        .data('agent', 3, `hello\n${rpc({ method: 'status' })}${ANSWER}`)
        .exit(4),
  ],
  [
    "MCP's handshake in three parts",
    (j) => j.data('client', 1, ASK).data('agent', 2, ANSWER).data('client', 3, MCP_READY).exit(4),
  ],
  ["stream-json's handshake", (j) => j.data('client', 1, STREAM_ASK).data('agent', 2, STREAM_ANSWER).exit(3)],
  [
    'the end of the streams',
    (j) => j.data('client', 1, ASK).data('agent', 2, ANSWER).event(3, { from: 'client', event: 'eof' }).exit(4),
  ],
];

const NO_PROBES: [string, Fill][] = [
  ['nothing at all', (j) => j.exit(1)],
  ['a handshake that was not answered', (j) => j.data('client', 1, ASK).exit(3)],
  [
    'a handshake that was refused',
    (j) =>
      j
        .data('client', 1, ASK)
        .data('agent', 2, rpc({ id: 0, error: { code: -32603 } }))
        .exit(3),
  ],
  ['an answer to nothing', (j) => j.data('agent', 2, ANSWER).exit(3)],
  ['only the second half of a handshake', (j) => j.data('client', 1, MCP_READY).data('agent', 2, 'hello\n').exit(3)],
  [
    'a prompt behind it',
    (j) =>
      j
        .data('client', 1, ASK)
        .data('agent', 2, ANSWER)
        .data('client', 3, rpc({ id: 1, method: 'prompt' }))
        .exit(4),
  ],
  [
    'a prompt before it',
    (j) =>
      j
        .data('client', 1, rpc({ id: 1, method: 'prompt' }) + ASK)
        .data('agent', 2, ANSWER)
        .exit(4),
  ],
  [
    'a list of tools',
    (j) =>
      j
        .data('client', 1, ASK)
        .data('agent', 2, ANSWER)
        .data('client', 3, MCP_READY + rpc({ id: 2, method: 'tools/list' }))
        .exit(4),
  ],
  [
    'an answer to the agent',
    (j) =>
      j
        .data('client', 1, ASK)
        .data('agent', 2, ANSWER + rpc({ id: 0, method: 'roots/list' }))
        .data('client', 3, rpc({ id: 0, result: [] }))
        .exit(4),
  ],
  [
    'stream-json with a prompt',
    (j) =>
      j
        .data('client', 1, STREAM_ASK)
        .data('agent', 2, STREAM_ANSWER)
        .data('client', 3, '{"type":"user","message":{}}\n')
        .exit(4),
  ],
  [
    "another of stream-json's controls",
    (j) => j.data('client', 1, STREAM_ASK.replace('initialize', 'interrupt')).data('agent', 2, STREAM_ANSWER).exit(3),
  ],
  ['a client that talks no protocol', (j) => j.data('client', 1, 'hello\n').data('agent', 2, ANSWER).exit(3)],
  [
    'words like a handshake that are no message',
    (j) => j.data('client', 1, '["initialize"]\n').data('agent', 2, ANSWER).exit(3),
  ],
  [
    'an agent that could not be started',
    (j) => j.event(1, { from: 'proc', event: 'spawn-failed', errno: 'ENOENT' }).clock(1, 8),
  ],
];

describe('a probe', () => {
  it.for(PROBES)('is %s', ([, fill], { place }) => {
    expect(summarise(sessionOn(makeSession(place.home, fill).tape))).toMatchObject({ probe: true, state: 'ended' });
  });

  it.for(NO_PROBES)('is not %s', ([, fill], { place }) => {
    expect(summarise(sessionOn(makeSession(place.home, fill).tape))).toMatchObject({ probe: false, state: 'ended' });
  });

  it('is not what still runs', ({ place }) => {
    const source = makeSession(place.home, (j) => j.data('client', 1, ASK).data('agent', 2, ANSWER).exit(3));
    const lines = readFileSync(source.tape, 'utf8').split(/(?<=\n)/);
    writeFileSync(source.tape, lines.slice(0, 3).join(''));
    expect(summarise(sessionOn(source.tape, { running: true }))).toMatchObject({ probe: false, state: 'running' });
  });
});
