/** Tokens of the whole session, as far as it reports them. */
import type { Timeline } from '../../core/timeline/shape.ts';
import type { Change, DiffEntry } from '../result.ts';
import { entryOf } from './section.ts';

const COUNTS = ['input', 'cache_read', 'cache_write', 'output'] as const;

type Usage = Timeline['usage'];

export function diffTokens(sessions: { a: string; b: string }, a: Usage, b: Usage): DiffEntry[] {
  const changes = COUNTS.flatMap((name): Change[] => {
    const [was, is] = [a[name], b[name]];
    return was === is ? [] : [{ op: 'changed', path: `/${name}`, a: was, b: is }];
  });
  if (changes.length === 0) return [];
  return [entryOf('tokens', sessions, 'changed', { kind: 'tokens', name: '', what: '', a: null, b: null, changes })];
}
