/** What a row of a page says in one line. */
import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../lib/model/timeline/entries.ts';
import { labelOf } from '../../../../lib/output/page/label.ts';

function callOf(tool: string, args: unknown): string {
  const call = { tool, args: JSON.stringify(args), result: null };
  return labelOf({ is: 'item', kind: 'tool-call', blocks: [], call } as unknown as Item);
}

describe('the label of a call', () => {
  it('names the file that it changes, before what else it is given', () => {
    expect(callOf('Write', { file_path: '/src/a.txt', content: 'one\ntwo\n' })).toBe('Write /src/a.txt');
    expect(callOf('Edit', { path: 'b.ts', old_string: 'x', new_string: 'y', replace_all: true })).toBe(
      'Edit b.ts replace_all: true',
    );
  });

  it('has the beginning of a command of many lines', () => {
    expect(callOf('Bash', { command: 'cd src\nmake all', timeout: 5 })).toBe('Bash $ cd src make all timeout: 5');
  });
});

describe('the label of a line', () => {
  const labelled = (kind: string, text: string) =>
    labelOf({ is: 'item', kind, name: null, text, blocks: [], call: null, ask: null, answer: null } as unknown as Item);

  it('of a log has no codes of colours', () => {
    expect(labelled('log', '\x1b[2m10:31\x1b[0m \x1b[31mERROR\x1b[0m no such file')).toBe('10:31 ERROR no such file');
  });

  it('of anything else shows them', () => {
    expect(labelled('noise', '\x1b[31mred')).toBe('␛[31mred');
  });
});
