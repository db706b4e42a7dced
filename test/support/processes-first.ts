/**
 * The order of test files. A process is started as a copy of the worker, and what a worker remembers of the files that it has
 * run makes that several times as slow: files that start processes come first, then pages, then all that needs nothing but this
 * process. In each part, what took longest in the last run comes first, so that no worker is left with one of them in the end.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const PARTS = [/^test\/(?:cli|e2e)\//, /^test\/browser\//];

export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const partOf = ({ moduleId }: TestSpecification) => {
      const at = PARTS.findIndex((folder) => folder.test(relative(this.ctx.config.root, moduleId)));
      return at < 0 ? PARTS.length : at;
    };
    return sorted.sort((a, b) => partOf(a) - partOf(b));
  }
}
