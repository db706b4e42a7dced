/** Finds the frames of a session that match a query. The session may still grow; then it is read as far as it goes. */

import { Pass } from '../../session/pass.ts';
import { readAs } from '../../session/session.ts';
import { searchInPass } from '../../storage/search/one-pass.ts';
import { readQuery } from '../../storage/search/query.ts';
import { withTimeLimit } from '../../storage/search/time-limit.ts';
import { withPlace } from '../../storage/store/open.ts';
import type { SessionPlace } from '../../storage/store/sessions.ts';

/** After this many frames, `pause` is called; it returns whether to continue. */
const FRAMES_PER_PAUSE = 1000;

/** Their numbers, in order. Throws a `Failure` if the query is wrong. */
export async function findFrames(
  place: SessionPlace,
  dialect: string | null,
  query: string,
  pause: () => Promise<boolean>,
): Promise<number[]> {
  const expr = readQuery(query);
  return withPlace(place, async (opened) => {
    const session = dialect === null ? opened : readAs(opened, dialect);
    const pass = new Pass(session);
    const found: number[] = [];
    let count = 0;
    for (const one of withTimeLimit(expr, searchInPass(session, pass, expr))) {
      if (one) found.push(one.facts.f);
      if (++count % FRAMES_PER_PAUSE === 0 && !(await pause())) break;
    }
    return found;
  });
}
