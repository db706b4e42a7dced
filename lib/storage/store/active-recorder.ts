/** What prevents the removal of a session. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { JOURNAL } from './home.ts';
import { lifeOf, readOwner } from './owner.ts';
import { placeOf } from './sessions.ts';

/** Why the session must stay: its recorder runs, or may run where it cannot be seen. */
export function activeRecorderOf(home: string, id: string): 'alive' | 'unknown' | null {
  const { dir } = placeOf(home, id);
  if (!existsSync(join(dir, JOURNAL))) return null;
  const life = lifeOf(readOwner(dir));
  return life === 'dead' ? null : life;
}
