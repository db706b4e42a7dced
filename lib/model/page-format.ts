/** Where a page of `export --format html` has its tapes: what the reader of tapes shares with whoever writes the page. */

export const PAGE_FORMAT = 1;

/** The block that says what is in the page. */
export const HEAD_ID = 'head';

/** Ids of the blocks of a session, which is numbered from 0: the lengths of its chunks, and the chunks of its tape. */
export const mapId = (session: number): string => `s${session}-map`;
export const tapeId = (session: number, n: number): string => `s${session}-c${n}`;
