import { describe, expect, it } from 'vitest';
import { describeArguments, describeValue } from '../../../../lib/model/timeline/arguments.ts';

const spoken = (args: unknown, shown: Parameters<typeof describeArguments>[1] = []) =>
  describeArguments(typeof args === 'string' ? args : JSON.stringify(args), shown);

describe('the arguments of a call', () => {
  it('are a command, with what else was given', () => {
    expect(spoken({ command: 'npm test', timeout: 60 })).toEqual({ words: ['$ npm test', 'timeout: 60'], blocks: [] });
    expect(spoken({ command: 'cat <<E\nx\nE' }).blocks).toMatchObject([{ type: 'shell', command: 'cat <<E\nx\nE' }]);
  });

  it('are a path, or the change of a file', () => {
    expect(spoken({ path: 'a.txt' })).toEqual({ words: ['a.txt'], blocks: [] });
    const change = { type: 'diff', path: 'a.txt', before: 'old', after: 'new' } as const;
    for (const args of [
      { file_path: 'a.txt', old_string: 'old', new_string: 'new' },
      { path: 'a.txt', edit: { old: 'old', new: 'new' } },
      { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] },
    ]) {
      expect(spoken(args)).toEqual({ words: [], blocks: [change] });
    }
    expect(spoken({ path: 'a.txt', content: 'one\ntwo\n' }).blocks).toMatchObject([
      { before: '', after: 'one\ntwo\n' },
    ]);
  });

  it('are described in the same words if they are not text', () => {
    for (const args of [{ cmd: 'ls', n: { deep: [1] } }, { path: 'a', edits: [{ old: 'x', new: 'y' }] }, { n: null }])
      expect(describeValue({ ...args, not: undefined }, [])).toEqual(spoken(args));
  });

  it('are not said twice where the agent displays them', () => {
    const diff = { type: 'diff', path: 'a.txt', before: 'old', after: 'new' } as const;
    expect(spoken({ path: 'a.txt', old_string: 'old', new_string: 'new' }, [diff])).toEqual({ words: [], blocks: [] });
    expect(spoken({ path: 'a.txt', content: 'x\ny' }, [{ ...diff, path: '/b/a.txt' }]).words).toEqual(['a.txt']);
  });

  it('are a list of things to do', () => {
    const { blocks } = spoken({ todos: [{ title: 'write', status: 'done' }, { content: 'ship' }] });
    expect(blocks).toEqual([
      {
        type: 'todo',
        items: [
          { title: 'write', status: 'done' },
          { title: 'ship', status: 'pending' },
        ],
      },
    ]);
    expect(spoken({ todos: [1] })).toEqual({ words: ['todos: [1]'], blocks: [] });
  });

  it('are key and value where nothing is known, and what came of them where they are cut off', () => {
    expect(spoken({ pattern: '*.ts', deep: { a: 1 } }).words).toEqual(['pattern: *.ts', 'deep: {"a":1}']);
    expect(spoken('{"command": "npm te').words).toEqual(['{"command": "npm te']);
    expect(spoken('').words).toEqual([]);
    expect(spoken('[1]').words).toEqual(['[1]']);
  });

  it('are shown, never obeyed', () => {
    expect(spoken({ command: 'a\u001b[2J' }).words).toEqual(['$ a␛[2J']);
    expect(spoken({ 'k\u0007': '\u202e' }).words).toEqual(['k␇: \\u202e']);
  });
});
