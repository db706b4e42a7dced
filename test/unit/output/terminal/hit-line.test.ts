/** A frame on one line: of a long one only the beginning is read, and nobody sees a difference. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../../lib/analysis/facts/facts.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { type HitLineOptions, hitLine } from '../../../../lib/output/terminal/hit-line.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';
import { frameFacts } from '../../../support/facts.ts';

const VIEW: HitLineOptions = { columns: Number.POSITIVE_INFINITY, theme: themeFor(false) };

function said(text: string, rest: Partial<Frame> = {}): Frame {
  const raw = new TextEncoder().encode(text);
  return { f: 17, t: 1.5, t0: null, from: 'agent', form: 'message', eol: '\n', event: null, detail: {}, raw, ...rest };
}

describe('a long line', () => {
  it.each(['x', '日本', 'é', '\u{1f600}'])('of %s is shown as it begins, with its size', (piece) => {
    const text = `{"text":"${piece.repeat(800_000)}"}`;
    const line = hitLine(said(text), frameFacts(), VIEW);
    expect(line).toContain(`  ${text.slice(0, 4000)}`);
    expect(line).toMatch(/… \(\d.* [kM]B\)\n$/);
    // A term makes it look through all of the line; this one is not in it.
    expect(hitLine(said(text), frameFacts(), { ...VIEW, terms: ['nothing'] })).toBe(line);
  });

  it('of more values than are read says so', () => {
    const text = `[${'0,'.repeat(1_000_001)}0]`;
    const facts = frameFacts({ flags: ['too-large'] });
    expect(hitLine(said(text), facts, VIEW)).toContain('with more than a million values, too many to read: [0,0,');
  });
});

it('a line on which a line feed is missing says so, as the timeline does', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const line = (text: string, kinds: Facts['kinds']) =>
    hitLine(said(text, { from: 'client', form: 'text' }), frameFacts({ from: 'client', kinds }), VIEW);
  const words = `[two messages on one line; the line feed is missing after byte ${ping.length}]  {`;
  expect(line(ping + ping, ['noise'])).toContain(words);
  expect(line('plain words', ['noise'])).not.toContain('[');
  // What a dialect can read all the same is no noise.
  expect(line(ping + ping, ['text'])).not.toContain(words);
});
