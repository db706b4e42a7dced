/** The file of `--report`. */
import { writeFileSync } from 'node:fs';
import { visible } from '../core/text.ts';
import { Failure } from '../failure.ts';

export function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const why = visible((error as Error).message);
    throw new Failure(`cannot write the report: ${why}`, 'give --report another file');
  }
}
