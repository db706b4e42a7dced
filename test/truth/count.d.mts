import type { DecodedFrame } from '../../lib/model/read-frame.ts';

export type Counts = Record<
  'client' | 'agent' | 'stderr' | 'turns' | 'tools' | 'approvals' | 'allow' | 'always' | 'deny' | 'other',
  number
>;
export const COLUMNS: (keyof Counts)[];
export function count(readings: Iterable<DecodedFrame>): Counts;
