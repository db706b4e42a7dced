/**
 * The order of test files. By default vitest starts with the largest ones, and size says nothing about time.
 *
 * Those that start processes come first: a process is started as a copy of the worker, and what a worker remembers of
 * the files that it has run makes that several times as slow. Those of them that hold much come after the others. Pages
 * follow, then all that needs nothing but this process. In each part those that take longest come first, so that no
 * worker is left with one of them when the others have nothing more to do.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const pathOf = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const filesOf = (names: readonly string[]) => names.map((name) => pathOf(`${name}.test.ts`));

/** Files of `e2e` that hold hundreds of megabytes. */
const LARGE = new Set(
  filesOf([
    ...['e2e/store/long-lines', 'e2e/promises/bytes', 'e2e/promises/backpressure', 'e2e/store/index-equals-tape'],
    ...['e2e/recording/bad-disk', 'e2e/leaving'],
  ]),
);

/** The parts, in their order; the last one has the rest. */
const PARTS: ((file: string) => boolean)[] = [
  (file) => /^(?:cli|e2e)\//.test(file.slice(pathOf('').length)) && !LARGE.has(file),
  (file) => LARGE.has(file),
  (file) => file.startsWith(pathOf('browser/')),
  () => true,
];

/** The files that take more than a few seconds on two idle cores, the slowest first. */
const SLOWEST = filesOf([
  'cli/scripts',
  'e2e/minimize',
  'e2e/replay/drive',
  'e2e/store/crowd',
  'e2e/pack',
  'e2e/replay/agent',
  'e2e/recording/failures',
  'e2e/audit/why',
  'e2e/replay/both-sides',
  'e2e/store/versions',
  'e2e/shim/path',
  'e2e/promises/lifecycle-end',
  'e2e/store/index-equals-tape',
  'e2e/store/long-lines',
  'e2e/leaving',
  'e2e/promises/bytes',
  'e2e/promises/backpressure',
  'browser/dialects',
  'browser/looks',
  'browser/hostile',
  'browser/keys',
  'browser/shell',
  'unit/replay/client/tapes',
  'unit/storage/search/equality',
  'unit/output/page/round-trip',
  'unit/analysis/redact/planted',
  'unit/agreement/agreement',
  'unit/analysis/diff/properties',
  'unit/storage/search/damage',
  'unit/analysis/audit/memory',
  'unit/replay/tapes',
  'unit/output/viewer/search/search',
  'unit/output/viewer/tables/pages',
]);

const partOf = ({ moduleId }: TestSpecification) => PARTS.findIndex((has) => has(moduleId));
const rankOf = ({ moduleId }: TestSpecification) => {
  const rank = SLOWEST.indexOf(moduleId);
  return rank < 0 ? SLOWEST.length : rank;
};

export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const gone = [...SLOWEST, ...LARGE].filter((path) => !existsSync(path));
    if (gone.length > 0) throw new Error(`slow-first.ts lists files that do not exist: ${gone.join(', ')}`);
    return [...files].sort(
      (a, b) => partOf(a) - partOf(b) || rankOf(a) - rankOf(b) || a.moduleId.localeCompare(b.moduleId),
    );
  }
}
