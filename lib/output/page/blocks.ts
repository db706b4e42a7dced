/** The blocks of a page: their names, and what must be known to read them. Block ids begin with the number of the session. */
import { mapId, tapeId } from '../../model/page-format.ts';
import type { ColumnName } from './columns.ts';

/** Bytes of a chunk before it is compressed. A chunk ends with a line. */
export const CHUNK = 1 << 18;
/** Labels in a chunk. */
export const LABELS = 2048;

/** Ids of blocks; `session` from 0. */
export const blockIds = (session: number) => ({
  map: mapId(session),
  rows: `s${session}-rows`,
  /** The row of each frame, and the slot of each row. */
  places: `s${session}-places`,
  column: (name: ColumnName) => `s${session}-f-${name}`,
  labels: (n: number) => `s${session}-l${n}`,
  bodies: (n: number) => `s${session}-b${n}`,
  tape: (n: number) => tapeId(session, n),
  approvals: `s${session}-approvals`,
  audit: `s${session}-audit`,
  findings: `s${session}-findings`,
  rules: `s${session}-rules`,
  why: `s${session}-why`,
  usage: `s${session}-usage`,
});

export type BlockIds = ReturnType<typeof blockIds>;

export const DIFF_ID = 'diff';

/** Lines of a file in chunks: of each, how many bytes it has, and the number of its first frame or slot. */
export interface ChunkMap {
  bytes: number[];
  first: number[];
}

/** How to read the blocks of a session. */
export interface SessionMap {
  tape: ChunkMap;
  bodies: ChunkMap;
}
