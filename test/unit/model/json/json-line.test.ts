/** A line may stand on the tape as it is exactly when JSON.parse takes it and common tools do too. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonJudge } from '../../../../lib/model/json/json-judge.ts';
import { judgeJson, MAX_NESTING } from '../../../../lib/model/json/json-line.ts';
import { cases } from '../../../support/scale.ts';

/** The rule in other words: JSON.parse, then a walk over the result. */
function byTheBook(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  const withoutEscapedBackslashes = text.replace(/\\\\/g, '');
  const lone =
    /\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F][0-9a-fA-F]{2})|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}/;
  if (lone.test(withoutEscapedBackslashes)) return false;
  let depth = 0;
  let deepest = 0;
  for (const c of text.replace(/"(?:[^"\\]|\\.)*"/gs, '')) {
    if (c === '{' || c === '[') deepest = Math.max(deepest, ++depth);
    if (c === '}' || c === ']') depth--;
  }
  return deepest <= MAX_NESTING;
}

function judge(text: string): string {
  const bytes = Buffer.from(text);
  // Surrounded by what could be mistaken for a part of it.
  const inside = Buffer.concat([Buffer.from('"{['), bytes, Buffer.from(']}"')]);
  return judgeJson(inside, 3, 3 + bytes.length);
}

const CASES = [
  ...['', ' ', 'null', 'true', 'false', 'tru', 'nulll', '0', '-0', '00', '01', '-', '1.', '.5', '1.5', '1e5', '1E+5'],
  ...['1e', '1e+', '-1.5e-10', '9007199254740993', '1e999', '+1', 'NaN', 'Infinity', '"', '""', '"a"', '"\\"', '"\\""'],
  ...['"\\x"', '"\\u12"', '"\\u12g4"', '"\\u1234"', '"\\ud83d\\ude00"', '"\\ud83d"', '"\\ude00"', '"\\ud83d\\u0041"'],
  ...[
    '"\\ud83d\\ud83d\\ude00"',
    '"\\\\ud83d"',
    '"\\',
    '"\t"',
    '"\u0000"',
    '"\u007f"',
    '"\u2028"',
    '"\u00e9"',
    '"日本"',
  ],
  ...['{}', '{ }', '{"a"}', '{"a":}', '{"a":1}', '{"a":1,}', '{,}', '{"a":1,"a":2}', '{a:1}', "{'a':1}", '{"a":1}}'],
  ...[
    '[]',
    '[ ]',
    '[1]',
    '[1,]',
    '[,1]',
    '[1 2]',
    '[1,2',
    '[1]]',
    '[[]]',
    '[{}]',
    '{"a":[1,{"b":[]}]}',
    ' {"a" : 1 } ',
  ],
  ...[
    '{"a":1}\r',
    '\ufeff{"a":1}',
    '{"a":1} x',
    '/**/1',
    '1 1',
    '[1}',
    '{"a":1]',
    '{"__proto__":1}',
    '\u00a01',
    '1\u3000',
  ],
  '['.repeat(128) + ']'.repeat(128),
  '['.repeat(129) + ']'.repeat(129),
  `${'{"a":'.repeat(128)}1${'}'.repeat(128)}`,
  `${'{"a":'.repeat(129)}1${'}'.repeat(129)}`,
  '['.repeat(100_000),
];

describe('judgeJson', () => {
  it.each(CASES)('agrees with JSON.parse on %j', (text) => {
    expect(judge(text) !== 'no').toBe(byTheBook(text));
  });

  it('agrees on any JSON value, compact or indented, and says whether it is ASCII', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom(0, 1, 2), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const ascii = Buffer.from(text).every((b) => b < 0x80);
        expect(judge(text)).toBe(byTheBook(text) ? (ascii ? 'ascii' : 'high') : 'no');
      }),
    );
  });

  it('agrees on JSON with something wrong in it', () => {
    fc.assert(
      fc.property(SPOILT, (text) => {
        expect(judge(text) !== 'no').toBe(byTheBook(text));
      }),
      { numRuns: cases(2000) },
    );
  });
});

const SPOILT = fc
  .tuple(
    fc.json({ noUnicodeString: false }),
    fc.nat(),
    fc.constantFrom(...'"\\{}[],:0e-. u\n\u0001', '\\u12', '\\ud83d', '\\ude00', 'true', 'nul', '1e5', '-0.5'),
  )
  .map(([text, at, c]) => text.slice(0, at % (text.length + 1)) + c + text.slice((at % (text.length + 1)) + (at % 2)));

describe('JsonJudge', () => {
  const inPieces = (text: string, most: (i: number) => number): string => {
    const bytes = Buffer.from(text);
    const judge = new JsonJudge();
    for (let i = 0, n = 0; i < bytes.length; n++) {
      const end = Math.min(bytes.length, i + most(n));
      judge.feed(bytes, i, end);
      i = end;
    }
    return judge.verdict;
  };

  it.each(CASES)('says of the pieces of %j what judgeJson says of the whole', (text) => {
    for (const size of [1, 2, 3, 1000]) expect(inPieces(text, () => size)).toBe(judge(text));
  });

  it('does so wherever the borders are', () => {
    const text = fc.oneof(fc.json({ noUnicodeString: false }), SPOILT);
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (text, sizes) => {
        expect(inPieces(text, (i) => sizes[i % sizes.length]!)).toBe(judge(text));
      }),
      { numRuns: cases(3000) },
    );
  });
});
