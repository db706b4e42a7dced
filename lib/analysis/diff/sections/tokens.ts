/** Tokens of the whole session, as far as it reports them. */
import type { Timeline } from '../../../model/timeline/entries.ts';
import type { Change, DiffEntry } from '../result.ts';
import { makeSectionEntry } from './section.ts';

const TOKEN_COUNTS = ['input', 'cache_read', 'cache_write', 'output'] as const;

type TokenUsage = Timeline['usage'];

/** `isSameProtocol`: not every protocol counts tokens. */
export function diffTokens(
  sessions: { a: string; b: string },
  a: TokenUsage,
  b: TokenUsage,
  isSameProtocol: boolean,
): DiffEntry[] {
  const [ofA, ofB] = [isCounted(a), isCounted(b)];
  if (!isSameProtocol && ofA !== ofB) return [];
  const changes = TOKEN_COUNTS.flatMap((name): Change[] => {
    const [was, is] = [ofA ? a[name] : null, ofB ? b[name] : null];
    if ((was ?? 0) === (is ?? 0)) return [];
    return [{ op: was === null ? 'added' : is === null ? 'removed' : 'changed', path: `/${name}`, a: was, b: is }];
  });
  if (changes.length === 0) return [];
  return [
    makeSectionEntry('tokens', sessions, 'changed', { kind: 'tokens', name: '', what: '', a: null, b: null, changes }),
  ];
}

/** A session without any says nothing about them. */
const isCounted = (usage: TokenUsage): boolean => TOKEN_COUNTS.some((name) => usage[name] > 0);
