/**
 * The order of test files. Those that take longest come first, so that no worker is left with one of them when the
 * others have nothing more to do. By default vitest starts with the largest files, and size says nothing about time.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take more than five seconds on two idle cores, the slowest first. */
const SLOWEST = [
  'browser/dialects',
  'cli/scripts',
  'browser/looks',
  'unit/search/equality',
  'e2e/store/crowd',
  'e2e/pack',
  'unit/agreement/agreement',
  'e2e/promises/bytes',
  'unit/search/damage',
  'e2e/samples',
  'e2e/store/index-equals-tape',
  'e2e/recording/bad-disk',
  'e2e/store/long-lines',
  'e2e/shim/broken',
  'e2e/recording/kill',
  'e2e/store/binding',
  'e2e/promises/lifecycle-signals',
  'e2e/promises/backpressure',
  'e2e/store/odd-files',
  'e2e/store/loss',
  'e2e/audit/why',
  'e2e/regex',
  'e2e/promises/brief',
  'unit/audit/memory',
  'unit/index/guard',
  'unit/record/index-writer',
].map((name) => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)));

const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = SLOWEST.indexOf(moduleId);
  return rank < 0 ? SLOWEST.length : rank;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = SLOWEST.filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`slow-first.ts lists files that do not exist: ${gone.join(', ')}`);
    return [...files].sort((a, b) => rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId));
  }
}
