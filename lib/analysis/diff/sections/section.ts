/** Entries of the sections besides the conversation. */
import { NAMELESS, type Names } from '../label.ts';
import type { At, Change, DiffEntry, EntryKind, Op, Section } from '../result.ts';

interface Told {
  kind: EntryKind;
  /** What it is called within its section. */
  name: string;
  what?: string;
  names?: Names;
  a: number | null;
  b: number | null;
  changes: Change[];
}

/** An entry of a section. A side without a frame may still have it. */
export function entryOf(
  section: Section,
  sessions: { a: string; b: string },
  op: Op,
  { kind, name, what = name, names = NAMELESS, a, b, changes }: Told,
): DiffEntry {
  const path = `/${section}${name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}`;
  const at = (session: string, f: number | null, has: boolean): At => ({ session, f, path: has ? path : null });
  return {
    ...{ op, section, kind, path, what, changes, masked: false },
    a: { ...at(sessions.a, a, op !== 'added'), ...names.a },
    b: { ...at(sessions.b, b, op !== 'removed'), ...names.b },
  };
}
