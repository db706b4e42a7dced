/** Where a page of `export --format html` has its tapes: shared by the reader of tapes and the writer of pages. */

export const PAGE_FORMAT = 1;

/** The block that says what is in the page. */
export const HEAD_ID = 'head';

/** Ids of the blocks of a session, which is numbered from 0: the lengths of its chunks, and the chunks of its tape. */
export const mapId = (session: number): string => `s${session}-map`;
export const tapeId = (session: number, n: number): string => `s${session}-c${n}`;
