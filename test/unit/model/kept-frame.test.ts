/** A kept frame says all that the frame said, also when the frame's bytes are gone. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../lib/model/frame.ts';
import { keepFrame } from '../../../lib/model/kept-frame.ts';
import { textOf } from '../../../lib/model/message.ts';

const frameOf = (raw: Uint8Array): Frame => ({
  ...{ f: 7, t: 1.5, t0: 1, from: 'agent', form: 'text', raw, eol: '\r\n', event: null, detail: { some: 1 } },
});

describe('keepFrame', () => {
  it('keeps bytes and text, whatever they are', () => {
    const bytes = fc.oneof(
      fc.uint8Array(),
      fc.string({ unit: 'binary' }).map((text) => new TextEncoder().encode(text)),
      fc.constant(new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d])),
    );
    fc.assert(
      fc.property(bytes, (raw) => {
        const before = Buffer.from(raw);
        const text = textOf(raw);
        const { f, t, t0, from, form, eol, event, detail, ...kept } = keepFrame(frameOf(raw), text);
        expect({ f, t, t0, from, form, eol, event, detail }).toEqual({
          ...{ f: 7, t: 1.5, t0: 1, from: 'agent', form: 'text', eol: '\r\n', event: null, detail: { some: 1 } },
        });
        expect(kept.text).toBe(text);
        const later = keepFrame(frameOf(raw), text);
        raw.fill(0);
        expect(Buffer.from(later.raw)).toEqual(before);
      }),
    );
  });
});
