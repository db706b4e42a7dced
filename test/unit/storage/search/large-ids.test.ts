/** Two questions whose ids are next to each other beyond 2^53 keep their own answers: in the index and on the tape. */
import { describe, expect } from 'vitest';
import { SessionAudits } from '../../../../lib/storage/search/session-audits.ts';
import { loadTapeReadersFor } from '../../../../lib/storage/search/tape-readers.ts';
import { targetsOf } from '../../../../lib/storage/search/targets.ts';
import { makeSession, rpc } from '../../../support/session.ts';
import { it } from '../../../support/store.ts';

const NEAR = '9007199254740992';
const FAR = '9007199254740993';

function asks(id: string): string {
  const options =
    '[{"optionId":"y","name":"yes","kind":"allow_once"},{"optionId":"n","name":"no","kind":"reject_once"}]';
  const call = `{"toolCallId":"c${id}","title":"rm","kind":"execute"}`;
  const params = `{"sessionId":"s","toolCall":${call},"options":${options}}`;
  return `{"jsonrpc":"2.0","id":${id},"method":"session/request_permission","params":${params}}\n`;
}

const answers = (id: string, option: string) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"outcome":{"outcome":"selected","optionId":"${option}"}}}\n`;

describe('the audit', () => {
  it('tells apart what was allowed and what was denied', async ({ place }) => {
    makeSession(place.home, (journal) => {
      journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
      journal.data('client', 10, rpc({ id: 0, method: 'initialize', params: { protocolVersion: 1 } }));
      journal.data('agent', 20, rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }));
      journal.data('agent', 30, asks(NEAR)).data('agent', 40, asks(FAR));
      journal.data('client', 50, answers(FAR, 'y')).data('client', 60, answers(NEAR, 'n')).exit(70);
    });
    await loadTapeReadersFor([{ key: null }]);
    const { sessions } = await targetsOf(place.home, [], { notice() {}, progress() {} });
    const audits = new SessionAudits(place.home);
    const target = sessions[0]!;
    expect(target.key).not.toBeNull();
    for (const one of [target, { ...target, key: null }]) {
      const rows = audits.of(one).rows.map(({ request_id, decision, answer_f }) => [request_id, decision, answer_f]);
      expect(rows).toEqual([
        [BigInt(NEAR), 'deny', 7],
        [BigInt(FAR), 'allow', 6],
      ]);
    }
    audits.close();
  });
});
