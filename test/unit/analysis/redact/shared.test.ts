/** Over-redaction is a defect: real sessions keep their words, but for where they ran and who ran them. */
import { describe, expect, it } from 'vitest';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Session } from '../../../../lib/session/session.ts';
import { fixtureSessions } from '../../../support/fixture-sessions.ts';
import { hasShared, openShared, sharedTapes } from '../../../support/shared-tapes.ts';

/** What the metadata or the form itself justify. */
const JUSTIFIED = new Set(['path', 'user', 'host', 'email', 'address']);

function countIn(sessions: Iterable<Session>): { words: number; replaced: number; kinds: string[] } {
  let [words, replaced] = [0, 0];
  const kinds = new Set<string>();
  for (const session of sessions) {
    for (const { raw } of session.frames()) words += Buffer.from(raw).toString().match(/\w+/g)?.length ?? 0;
    const redacted = redactSession(session);
    for (const _ of redacted.session.frames());
    for (const { kind, places } of redacted.manifest().kinds) {
      if (JUSTIFIED.has(kind)) continue;
      kinds.add(kind);
      replaced += places;
    }
  }
  return { words, replaced, kinds: [...kinds] };
}

/** The state of a login, in the address of one: a secret for some minutes. */
const LOGIN = { replaced: 1, kinds: ['random'] };

describe('real sessions', () => {
  it('of the suite keep their words', () => {
    const { words, replaced, kinds } = countIn(fixtureSessions());
    expect(words).toBeGreaterThan(50_000);
    expect({ replaced, kinds }).toEqual(LOGIN);
  });

  it.runIf(hasShared)(
    'that are shared keep theirs',
    () => {
      const names = sharedTapes();
      const { words, replaced, kinds } = countIn(names.map(openShared));
      expect(words).toBeGreaterThan(500_000);
      expect({ replaced, kinds }).toEqual(LOGIN);
    },
    300_000,
  );
});
