/** Texts are quoted from the tape only if the quote is exactly the text. */
import { describe, expect, it } from 'vitest';
import { Quotes, unquote } from '../../../../lib/output/page/quotes.ts';

const LONG = 'a text that is long enough to be quoted from the line that says it';

/** Frames with these strings; the last one of each is a piece of the text of item 1. */
function quotesOf(frames: string[][]): Quotes {
  const quotes = new Quotes();
  frames.forEach((strings, i) => {
    const frame = { f: i + 1 } as Parameters<Quotes['take']>[0];
    quotes.take(frame, strings, { kind: 'text', at: strings.length - 1 }, 1);
  });
  return quotes;
}

async function readBack(row: Record<string, unknown>, frames: string[][]) {
  const read = JSON.parse(JSON.stringify(row));
  await unquote(read, async (f) => frames[f - 1]!);
  return read;
}

describe('quotes', () => {
  it('stand for texts, in pieces and inside of values, and texts come back', async () => {
    const frames = [['x', `${LONG} begins, `], [`goes on ${LONG}`], ['and', 'ends'], [LONG]];
    const row = { text: `${LONG} begins, goes on ${LONG}ends`, blocks: [{ type: 'text', text: LONG }], n: 1, no: null };
    const quoted = quotesOf(frames.slice(0, 3)).quote({ ...row }, 1, 'text');
    expect(quoted.text).toBe('\x001.1,2.0,3.1');
    expect(await readBack(quoted, frames)).toEqual(row);
    const whole = quotesOf(frames).quote({ ...row, text: 'short' }, 1, 'text');
    expect(whole.blocks).toEqual([{ type: 'text', text: '\x004.0' }]);
    expect(await readBack(whole, frames)).toEqual({ ...row, text: 'short' });
  });

  it('of frames in a row are one run, and a text that was cut off says how long it is', async () => {
    const frames = Array.from({ length: 5 }, (_, i) => [`piece ${i} of ${LONG}. `]);
    const all = frames.flat().join('');
    const quoted = quotesOf(frames).quote({ text: all.slice(0, 200) }, 1, 'text');
    expect(quoted.text).toBe('\x001-5.0/200');
    expect(await readBack(quoted, frames)).toEqual({ text: all.slice(0, 200) });
  });

  it('are never taken for recorded text', async () => {
    const row = {
      ...{ text: '\x001.0', answer_text: `\0${LONG}`, name: '\x001.0', arguments: '\0' },
      answers: { deep: ['\0', '\0\0', '/', '1.0'] },
    };
    const quoted = quotesOf([[LONG]]).quote({ ...row }, 1, 'text');
    expect(await readBack(quoted, [[LONG]])).toEqual(row);
  });

  it('tell texts apart that look alike, however many there are', async () => {
    // 640 characters, of which every twentieth is looked at.
    const alike = (n: number) => [`${'x'.repeat(600)}${String(n).padStart(10, '0')}${'y'.repeat(30)}`];
    const frames = Array.from({ length: 100 }, (_, n) => alike(n));
    const quotes = quotesOf(frames);
    expect(quotes.quote({ text: frames[1]![0] }, 9, 'text')).toEqual({ text: '\x002.0' });
    for (const [text] of [...frames, alike(100)])
      expect(await readBack(quotes.quote({ text }, 9, 'text'), frames)).toEqual({ text });
  });

  it('do not change what they quote', () => {
    const blocks = [{ text: LONG }];
    quotesOf([[LONG]]).quote({ blocks }, 1, 'text');
    expect(blocks).toEqual([{ text: LONG }]);
  });
});
