/** What a store answers, as its readers ask: by its index as long as that serves, or by the tapes alone. */
import { parseQuery } from '../../lib/analysis/query/parser.ts';
import { listSessions } from '../../lib/storage/index/catch-up.ts';
import { IndexFallback } from '../../lib/storage/search/index-fallback.ts';
import { Search } from '../../lib/storage/search/search.ts';
import { SessionAudits } from '../../lib/storage/search/session-audits.ts';
import { loadTapeReadersFor } from '../../lib/storage/search/tape-readers.ts';
import { type Target, targetsOf } from '../../lib/storage/search/targets.ts';

/** Each is answered in a way of its own: by a scan, along an index, by full text, by what a line says. */
const QUERIES = [
  '',
  'from:agent',
  'from:client',
  'tool:* NOT is:error',
  'id:*',
  'the',
  '@params:*',
  'type:* latency:*',
];

export interface Answers {
  sessions: unknown[];
  frames: Record<string, string[]>;
  counts: Record<string, number>;
  audit: unknown[];
}

interface Asked {
  byTape?: boolean;
  notice?: (message: string) => void;
  queries?: readonly string[];
}

export async function answersOf(
  home: string,
  { byTape = false, notice = () => {}, queries = QUERIES }: Asked = {},
): Promise<Answers> {
  await loadTapeReadersFor([{ key: null }]);
  const talk = { notice, progress() {} };
  const ask = async <T>(answer: (target: Target) => T): Promise<T[]> => {
    const { sessions, unreadable } = await targetsOf(home, [], talk);
    if (unreadable.length > 0) throw new Error(JSON.stringify(unreadable));
    const sound = new IndexFallback(home, talk);
    const found: T[] = [];
    for (const target of sessions) found.push(await sound.run(byTape ? { ...target, key: null } : target, answer));
    return found;
  };
  const answers: Answers = { sessions: [], frames: {}, counts: {}, audit: [] };
  for (const query of queries) {
    const search = new Search(home, parseQuery(query), 100);
    const alone = new Search(home, parseQuery(query), 1);
    const found = await ask((target) => ({
      hits: [...search.matchesOf(target)].flatMap((hit) => (hit ? [`${target.summary.session}#${hit.facts.f}`] : [])),
      count: alone.count(target),
    }));
    answers.frames[query] = found.flatMap(({ hits }) => hits);
    answers.counts[query] = found.reduce((sum, { count }) => sum + count, 0);
    search.close();
    alone.close();
  }
  const audits = new SessionAudits(home);
  answers.audit = await ask((target) => JSON.parse(JSON.stringify(audits.of(target))));
  audits.close();
  answers.sessions = listSessions(home, talk).sessions;
  return answers;
}
