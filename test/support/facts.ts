/** Frames and sessions to ask queries of. */

import { emptyFacts, type Facts } from '../../lib/analysis/facts/facts.ts';
import type { FrameFacts, SessionFacts } from '../../lib/analysis/query/facts.ts';
import { containsTerm } from '../../lib/model/text/searchable.ts';
import { fold } from '../../lib/model/text/text.ts';

export const SESSION: SessionFacts = {
  session: '20261116T022911-k3f9',
  dialect: 'wire',
  client: 'zed 0.9',
  agent: 'Kimi Code CLI',
  protocol: '1.10',
  agent_version: '2.0.1',
  name: 'Nightly',
  tags: { ticket: '42', slow: '' },
  state: 'ended',
  exit: { code: 1, signal: null },
  source: 'record',
  cwd: '/home/me/Shop',
};

type Given = Partial<Omit<FrameFacts, 'session' | 'message' | 'says'>> & {
  session?: Partial<SessionFacts>;
  message?: unknown;
  text?: string;
};

/** A request of the agent, with whatever else is given. */
export function frameFacts({ session, message, text = '', ...given }: Given = {}): FrameFacts {
  return {
    ...(emptyFacts() as unknown as Facts),
    f: 17,
    t: 1.5,
    at: Date.UTC(2026, 10, 16, 2, 29, 12, 500) * 1000,
    from: 'agent',
    envelope: 'request',
    kind: (given.kinds ?? ['approval'])[0] ?? null,
    kinds: ['approval'],
    method: 'request',
    type: 'ApprovalRequest',
    id: 7,
    tool: 'Shell',
    turn: 2,
    step: 1,
    size: 300,
    latency: 61.25,
    wait: 61.25,
    gap: 0.5,
    approval: 'allow',
    by: 'client',
    ran: 'yes',
    flag: [],
    flags: [],
    marks: 0,
    ...given,
    session: { ...SESSION, ...session },
    message: () => message,
    says: (wanted) => containsTerm({ own: fold(text), more: null }, wanted),
  };
}
