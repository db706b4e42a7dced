/** Where keys are found: each format, alone, inside a text, and behind another key. */
import { describe, expect, it } from 'vitest';
import { eachKey } from '../../../../lib/model/text/key-formats.ts';
import { KEYS } from '../../../support/planted.ts';

function keysIn(text: string): [string, string][] {
  const found: [string, string][] = [];
  eachKey(text, (kind, start, end) => {
    found.push([kind, text.slice(start, end)]);
    return false;
  });
  return found;
}

describe('eachKey', () => {
  it.each(KEYS)('finds $kind wherever it stands', ({ text }) => {
    const alone = keysIn(text);
    expect(alone).toHaveLength(1);
    expect(text.startsWith(alone[0]![1])).toBe(true);
    for (const before of ['', ' ', 'a '.repeat(7), '"'.repeat(13), '重'.repeat(15), `${'word '.repeat(9)}=`])
      for (const behind of ['', ' ', '"}', ' 重构 and more']) expect(keysIn(before + text + behind)).toEqual(alone);
  });

  it('finds the shortest', () => {
    const shortest = ['xoxb-', '1234567890'].join('');
    expect(keysIn(shortest)).toEqual([['slack-token', shortest]]);
    expect(keysIn(shortest.slice(0, -1))).toEqual([]);
  });

  it('finds one behind another, and stops where it is told to', () => {
    const [first, second] = [KEYS[0]!.text, KEYS[5]!.text];
    expect(keysIn(`${first} ${second}`)).toEqual([...keysIn(first), ...keysIn(second)]);
    let count = 0;
    expect(eachKey(`${first} ${second}`, () => ++count === 1)).toBe(true);
    expect(count).toBe(1);
  });
});
