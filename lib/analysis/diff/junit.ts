/** Diffs as JUnit XML, which CI systems read: a case for each pair. */
import { visible } from '../../model/text/text.ts';
import { attributes, escaped } from '../../model/text/xml.ts';
import { isDifference, type SessionDiff } from './result.ts';
import { formatTolerance } from './tolerance.ts';

/** A pair of sessions: compared, without a partner, or not readable. */
export interface PairResult {
  name: string;
  diff: SessionDiff | null;
  /** Why there is no diff. */
  trouble: string | null;
  /** One of them cannot be read. */
  unreadable?: true;
}

/** At most this many differences of each pair are listed. */
const MAX_DIFFERENCES = 20;

export function* junit(results: readonly PairResult[]): Generator<string> {
  const failures = results.filter(({ diff }) => diff && !diff.same).length;
  const errors = results.filter(({ diff }) => !diff).length;
  const head = { name: 'wiretape diff', tests: results.length, failures, errors };
  yield `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite${attributes(head)}>\n`;
  for (const result of results) yield* testCase(result);
  yield '  </testsuite>\n</testsuites>\n';
}

function* testCase({ name, diff, trouble }: PairResult): Generator<string> {
  const about = attributes({ classname: diff?.a.dialect ?? 'wiretape', name });
  if (diff?.same) return yield `    <testcase${about}/>\n`;
  yield `    <testcase${about}>\n`;
  if (!diff) yield `      <error${attributes({ message: trouble ?? '' })}/>\n`;
  else {
    const differences = diff.entries.filter(isDifference);
    const more = differences.length > MAX_DIFFERENCES ? [`and ${differences.length - MAX_DIFFERENCES} more`] : [];
    const lines = differences.slice(0, MAX_DIFFERENCES).map(({ op, path, what, a, b, tolerance }) => {
      const where = tolerance ? `beyond ${formatTolerance(tolerance)}` : `f${a.f ?? '-'}, f${b.f ?? '-'}`;
      return `${op} ${path} ${what} (${where})`;
    });
    const message = attributes({ message: `${differences.length} differences`, type: 'difference' });
    yield `      <failure${message}>${escaped([...lines, ...more].map((line) => visible(line)).join('\n'))}</failure>\n`;
  }
  yield '    </testcase>\n';
}
