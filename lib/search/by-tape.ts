/**
 * What reads tapes knows all dialects, and takes longer to load than most queries take to answer: it is loaded where a
 * session has no rows in the index.
 */
interface Tapes {
  openPlace: typeof import('../record/open.ts').openPlace;
  searchTape: typeof import('./tape.ts').searchTape;
  auditTape: typeof import('./audit-tape.ts').auditTape;
}

let loaded: Tapes | null = null;

/** Before any of these is searched. */
export async function loadFor(targets: readonly { key: number | null }[]): Promise<void> {
  if (loaded || targets.every(({ key }) => key !== null)) return;
  const [{ openPlace }, { searchTape }, { auditTape }] = await Promise.all([
    import('../record/open.ts'),
    import('./tape.ts'),
    import('./audit-tape.ts'),
  ]);
  loaded = { openPlace, searchTape, auditTape };
}

export function tapes(): Tapes {
  if (!loaded) throw new Error('what reads tapes is not loaded');
  return loaded;
}
