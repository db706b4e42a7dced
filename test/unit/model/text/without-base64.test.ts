/** Data is left out of a search, and nothing else is. */
import { randomBytes } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { withoutData } from '../../../../lib/model/text/without-base64.ts';

const TEXTS: Record<string, string> = {
  'a path without a blank': '/usr/local/lib/node_modules'.repeat(60),
  'a path in capitals': '/Users/Me/Library/Application_Support/'.repeat(40),
  'hexadecimal digits': randomBytes(2000).toString('hex'),
  'minified code': 'function(e,t){return"use-strict"===e?t:Object.keys(e).map(n=>n+1)};'.repeat(30),
  'code without punctuation': 'getElementByIdOrNull2_setAttribute_and3MoreOfThem'.repeat(40),
  Chinese: '连接错误'.repeat(400),
  'one letter': 'x'.repeat(5000),
  numbers: '1234567890'.repeat(200),
  identifiers: 'MAX_VALUE_OF_INT32='.repeat(80),
  'a short token': randomBytes(700).toString('base64').slice(0, 900),
};

describe('text', () => {
  for (const [what, text] of Object.entries(TEXTS))
    it(`is searched: ${what}`, () => expect(withoutData(text).join('')).toBe(text));
});

describe('data', () => {
  const image = randomBytes(3000).toString('base64');

  it('is left out, whatever stands around it', () => {
    const left = (text: string) => withoutData(text).join('|');
    // The last part of it may be too short to tell.
    expect(left(image).length).toBeLessThan(256);
    expect(left(`data:image/png;base64,${image}`)).toMatch(/^data:image\/png;base64,/);
    expect(left(`see ${image} there`)).toMatch(/^see .{0,256} there$/);
    expect(left(randomBytes(3000).toString('base64url')).length).toBeLessThan(256);
    const page = deflateSync(Buffer.from('<html>'.repeat(9999) + randomBytes(2000).toString('latin1')));
    expect(left(page.toString('base64')).length).toBeLessThan(600);
  });

  it('is left out of a string of many megabytes', () => {
    const parts = withoutData(`see ${randomBytes(9_000_000).toString('base64')} there`);
    expect(parts[0]).toBe('see ');
    expect(parts.at(-1)).toMatch(/ there$/);
    expect(parts.join('').length).toBeLessThan(300);
  });

  it('does not hide a text that stands among it', () => {
    const hidden = `${image.slice(0, 2048)}${'/home/me/secret/'.repeat(32)}${image}`;
    expect(withoutData(hidden).join('')).toContain('/home/me/secret/');
  });

  it('is told in a time that grows with the text', () => {
    const words = `${'a'.repeat(1020)} `.repeat(5000);
    expect(withoutData(words).join('')).toBe(words);
  });
});
