/**
 * Loads the code that reads tapes only if a session has no rows in the index: it includes all dialects, and takes longer
 * to load than most queries take.
 */
interface Tapes {
  openPlace: typeof import('../store/open.ts').openPlace;
  searchFrames: typeof import('./frames.ts').searchFrames;
  auditSession: typeof import('./audit-session.ts').auditSession;
  readAs: typeof import('../../session/session.ts').readAs;
}

let loaded: Tapes | null = null;

/** Call this before any of these sessions is searched. */
export async function loadFor(targets: readonly { key: number | null }[]): Promise<void> {
  if (loaded || targets.every(({ key }) => key !== null)) return;
  const [{ openPlace }, { searchFrames }, { auditSession }, { readAs }] = await Promise.all([
    import('../store/open.ts'),
    import('./frames.ts'),
    import('./audit-session.ts'),
    import('../../session/session.ts'),
  ]);
  loaded = { openPlace, searchFrames, auditSession, readAs };
}

export function tapes(): Tapes {
  if (!loaded) throw new Error('the tape readers are not loaded');
  return loaded;
}
