/** What was said is found in the frame in which it ends, however it is packed: the same as by looking at every frame. */
import { describe, expect, it } from 'vitest';
import {
  containsTerm,
  type FrameText,
  MAX_TERM_CHARS,
  STRING_SEPARATOR,
} from '../../../../lib/model/text/searchable.ts';
import { FrameSet } from '../../../../lib/storage/index/frame-set.ts';
import { findIn, type TextBlock, TextPacker, termBytes } from '../../../../lib/storage/index/texts.ts';
import { randomOf } from '../../../support/random-query.ts';

const own = (text: string): FrameText => ({ own: text, more: null });

/** What frames from 1 on say: a string is one text, a pair is more of a stream. */
function frames(said: (string | [stream: string, text: string])[]): FrameText[] {
  const ends = new Map<string, string>();
  return said.map((one) => {
    if (typeof one === 'string') return own(one);
    const [stream, text] = one;
    const before = ends.get(stream) ?? '';
    ends.set(stream, `${before}${text}`.slice(1 - MAX_TERM_CHARS));
    return { own: '', more: { stream, text, before } };
  });
}

function pack(said: readonly FrameText[]): TextBlock[] {
  const packer = new TextPacker();
  const blocks = said.map((one, i) => packer.add(i + 1, one));
  return [...blocks, packer.flush()].filter((block) => block !== null);
}

function find(blocks: readonly TextBlock[], term: string): number[] {
  const found = new FrameSet();
  const bytes = termBytes(term);
  if (bytes) for (const block of blocks) findIn(block, bytes, found);
  return [...found.groups(1000)].flat();
}

const byLooking = (said: readonly FrameText[], term: string) =>
  said.flatMap((one, i) => (containsTerm(one, term) ? [i + 1] : []));

describe('text', () => {
  it('belongs to its frame, and never runs into the next', () => {
    const blocks = pack(frames(['one two', 'two three', '', 'four']));
    expect(blocks).toHaveLength(1);
    expect(find(blocks, 'two')).toEqual([1, 2]);
    expect(find(blocks, 'twotwo')).toEqual([]);
    expect(find(blocks, 'four')).toEqual([4]);
    expect(find(blocks, 'x')).toEqual([]);
  });

  it('in pieces belongs to the frame in which it ends, whatever came between', () => {
    const said = frames([
      ['a', 'conn'],
      'noise',
      ['b', 'rese'],
      ['a', 'ection re'],
      ['b', 't'],
      ['a', 'set'],
      ['a', '!'],
    ]);
    const blocks = pack(said);
    expect(find(blocks, 'connection reset')).toEqual([6]);
    expect(find(blocks, 'reset')).toEqual([5, 6]);
    expect(find(blocks, 'reset!')).toEqual([7]);
    expect(find(blocks, 'conn')).toEqual([1]);
    expect(find(blocks, 'connrese')).toEqual([]);
  });

  it('of two Chinese characters is found, also between two pieces', () => {
    const said = frames(['连接错误', ['a', '出现错'], ['a', '误了'], '错']);
    expect(find(pack(said), '错误')).toEqual([1, 3]);
    expect(find(pack(said), '误')).toEqual([1, 3]);
  });

  it('has characters of two units whole, where a piece ends within one', () => {
    const said = frames([['a', 'so \ud83d'], ['a', '\ude42 it'], ['a', ' is'], 'half \ud83d']);
    const blocks = pack(said);
    expect(find(blocks, '🙂')).toEqual([2]);
    expect(find(blocks, 'so 🙂 it is')).toEqual([3]);
    expect(find(blocks, '\ufffd')).toEqual([]);
    expect(find(blocks, '\ud83d')).toEqual([]);
    for (const term of ['🙂', '\ufffd', '\ud83d', '\ude42', 'half ', 'so ']) {
      expect(find(blocks, term), term).toEqual(byLooking(said, term));
    }
  });

  it('that is forgotten does not run on', () => {
    const said: FrameText[] = [
      { own: '', more: { stream: 'a', text: 'conn', before: '' } },
      { own: '', more: { stream: 'a', text: 'ection', before: '' } },
    ];
    expect(find(pack(said), 'connection')).toEqual(byLooking(said, 'connection'));
  });

  it('is found over the seam between two blocks', () => {
    const long = 'x'.repeat(70_000);
    const said = frames([['a', 'begin con'], long, ['a', 'nection'], long, ['a', ' reset'], ['b', 'con']]);
    const blocks = pack(said);
    expect(blocks.length).toBeGreaterThan(2);
    expect(find(blocks, 'connection')).toEqual([3]);
    expect(find(blocks, 'connection reset')).toEqual([5]);
    expect(find(blocks, 'con')).toEqual([1, 6]);
    // What stands at the head of a block was said before.
    expect(find(blocks, 'begin')).toEqual([1]);
  });

  it('cannot be searched for what stands between, nor for more than the longest term', () => {
    const said = frames([`a${STRING_SEPARATOR}b`, 'y'.repeat(MAX_TERM_CHARS + 1)]);
    expect(find(pack(said), `a${STRING_SEPARATOR}b`)).toEqual([]);
    expect(find(pack(said), 'y'.repeat(MAX_TERM_CHARS))).toEqual([2]);
    expect(find(pack(said), 'y'.repeat(MAX_TERM_CHARS + 1))).toEqual([]);
  });

  it('is a block after so many frames, however little they say', () => {
    const blocks = pack(frames(Array.from({ length: 20_000 }, (_, i) => `${i % 10}`)));
    expect(blocks).toHaveLength(3);
    expect(find(blocks, '7')).toHaveLength(2000);
  });

  it('is the same packed or looked at, at random', () => {
    const random = randomOf(6);
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
    const units = [
      'a',
      'b',
      'ab',
      '错',
      '误',
      '🙂',
      '\ud83d',
      '\ude42',
      '\ufffd',
      STRING_SEPARATOR,
      'é',
      '\0',
      'ba '.repeat(9000),
    ];
    const piece = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(units)).join('');
    for (let round = 0; round < 60; round++) {
      const said = frames(
        Array.from({ length: 40 }, () => (random() < 0.3 ? piece() : [pick(['s', 't', 'u']), piece()])),
      );
      const blocks = pack(said);
      for (let i = 0; i < 40; i++) {
        const term = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(units.slice(0, -1))).join('');
        expect(find(blocks, term), JSON.stringify(term)).toEqual(byLooking(said, term));
      }
    }
  });
});
