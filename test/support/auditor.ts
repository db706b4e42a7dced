/** Recorded sessions for the audit of a store: a grant, and a session that goes on with its conversation. */
import * as $ from './audit.ts';
import type { Said } from './reading.ts';
import { makeSession } from './session.ts';
import type { Place } from './store.ts';

export const ID = '0a0382d3-de26-474b-99c9-9a0b70c23f4e';
export const FIRST = '20261116T022911-k3f9';
export const SECOND = '20261117T091500-p2w7';

/** A session of these lines, a tenth of a second apart. */
export function recorded(place: Place, session: string, command: string[], said: (Said | ['stderr', string])[]): void {
  const [, day, hour, minute, second] = /^\d{6}(\d\d)T(\d\d)(\d\d)(\d\d)/.exec(session)!;
  const started_at = `2026-11-${day}T${hour}:${minute}:${second}.000000Z`;
  const about = { started_at, command, cwd: '/home/dev/shop' };
  makeSession(
    place.home,
    (journal) => {
      journal.event(1, { from: 'proc', event: 'spawn', pid: 7 });
      for (const [at, [from, value]] of said.entries())
        journal.data(from, (at + 1) * 1e5, `${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
      journal.exit((said.length + 1) * 1e5);
    },
    { id: session, about },
  );
}

export const initialize: Said[] = [
  [
    'client',
    { jsonrpc: '2.0', id: 'i', method: 'initialize', params: { protocol_version: '1.10', client: { name: 'lab' } } },
  ],
  [
    'agent',
    { jsonrpc: '2.0', id: 'i', result: { protocol_version: '1.10', server: { name: 'Kimi', version: '1.49.0' } } },
  ],
];
const hint: ['stderr', string] = ['stderr', `To resume this session: kimi -r ${ID}`];
export const turn = (id: string, ...inside: Said[]): Said[] => [$.prompts(id), $.begins(id), ...inside, $.finishes(id)];
export const granted: Said[] = [
  ...[$.calls('a'), $.wants('r', 'a'), $.decides('r', 'approve_for_session')],
  ...[$.resolves('r', 'approve_for_session'), $.results('a')],
];
export const ran = (id: string, command: string): Said[] => [$.calls(id, 'Shell', { command }), $.results(id)];

export function inWire(place: Place): void {
  recorded(place, FIRST, ['kimi', '--wire'], [...initialize, ...turn('p', ...granted), hint]);
  recorded(
    place,
    SECOND,
    ['kimi', '--wire', '-r', ID],
    [...initialize, ...turn('p', ...ran('b', 'rm -rf build')), hint],
  );
}
