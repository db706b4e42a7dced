/**
 * What reads tapes knows all dialects, and takes longer to load than most queries take to answer: it is loaded where a
 * session has no rows in the index.
 */
interface Tapes {
  openPlace: typeof import('../record/open.ts').openPlace;
  searchTape: typeof import('./tape.ts').searchTape;
}

let loaded: Tapes | null = null;

/** Before any of these is searched. */
export async function loadFor(targets: readonly { key: number | null }[]): Promise<void> {
  if (loaded || targets.every(({ key }) => key !== null)) return;
  const [{ openPlace }, { searchTape }] = await Promise.all([import('../record/open.ts'), import('./tape.ts')]);
  loaded = { openPlace, searchTape };
}

export function tapes(): Tapes {
  if (!loaded) throw new Error('what reads tapes is not loaded');
  return loaded;
}
