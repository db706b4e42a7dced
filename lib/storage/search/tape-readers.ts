/**
 * Loads the code that reads tapes only if a session has no rows in the index: it includes all dialects, and takes longer
 * to load than most queries take.
 */
interface TapeReaders {
  openPlace: typeof import('../store/open.ts').openPlace;
  searchFrames: typeof import('./frames.ts').searchFrames;
  auditSession: typeof import('./audit-session.ts').auditSession;
  readAs: typeof import('../../session/session.ts').readAs;
}

let loadedReaders: TapeReaders | null = null;

/** Call this before any of these sessions is searched. */
export async function loadTapeReadersFor(targets: readonly { key: number | null }[]): Promise<void> {
  if (loadedReaders || targets.every(({ key }) => key !== null)) return;
  const [{ openPlace }, { searchFrames }, { auditSession }, { readAs }] = await Promise.all([
    import('../store/open.ts'),
    import('./frames.ts'),
    import('./audit-session.ts'),
    import('../../session/session.ts'),
  ]);
  loadedReaders = { openPlace, searchFrames, auditSession, readAs };
}

export function tapeReaders(): TapeReaders {
  if (!loadedReaders) throw new Error('the tape readers are not loaded');
  return loadedReaders;
}
