/** Entries of the sections besides the conversation. */
import { SAME_NAMES, type SideNames } from '../label.ts';
import type { Change, DiffEntry, DiffOp, DiffPosition, DiffSection, EntryKind } from '../result.ts';

interface SectionEntry {
  kind: EntryKind;
  /** What it is called within its section. */
  name: string;
  what?: string;
  names?: SideNames;
  a: number | null;
  b: number | null;
  changes: Change[];
}

/** An entry of a section. A side without a frame may still have it. */
export function makeSectionEntry(
  section: DiffSection,
  sessions: { a: string; b: string },
  op: DiffOp,
  { kind, name, what = name, names = SAME_NAMES, a, b, changes }: SectionEntry,
): DiffEntry {
  const path = `/${section}${name === '' ? '' : `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`}`;
  const at = (session: string, f: number | null, has: boolean): DiffPosition => ({
    session,
    f,
    path: has ? path : null,
  });
  return {
    ...{ op, section, kind, path, what, changes, masked: false },
    a: { ...at(sessions.a, a, op !== 'added'), ...names.a },
    b: { ...at(sessions.b, b, op !== 'removed'), ...names.b },
  };
}
