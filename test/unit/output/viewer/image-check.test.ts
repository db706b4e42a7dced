import { describe, expect, it } from 'vitest';
import { pictureIn } from '../../../../lib/output/viewer/blocks/image-check.ts';

const uri = (mime: string, ...bytes: number[]) => `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
const text = (of: string) => [...Buffer.from(of, 'latin1')];
const png = (width: number, height: number) => [
  ...text('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  ...[width, height].flatMap((n) => [n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255]),
];

describe('a picture', () => {
  it('is known by its bytes, with its size', () => {
    expect(pictureIn(uri('image/png', ...png(640, 480)))).toMatchObject({ mime: 'image/png', width: 640, height: 480 });
    // Whatever it says about itself.
    expect(pictureIn(uri('image/jpeg', ...png(2, 3)))).toMatchObject({ mime: 'image/png', width: 2, height: 3 });
    expect(pictureIn(uri('image/gif', ...text('GIF89a'), 10, 1, 5, 0))).toMatchObject({ width: 266, height: 5 });
    const jpeg = [0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 17, 8, 0, 20, 0, 30, 3, 0, 0, 0];
    expect(pictureIn(uri('image/jpeg', ...jpeg))).toMatchObject({ mime: 'image/jpeg', width: 30, height: 20 });
    const webp = [...text('RIFF\0\0\0\0WEBPVP8X'), 10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0];
    expect(pictureIn(uri('image/webp', ...webp))).toMatchObject({ mime: 'image/webp', width: 100, height: 50 });
  });

  it('is nothing else', () => {
    expect(pictureIn('data:image/svg+xml;base64,PHN2Zy8+')).toBe('format');
    expect(pictureIn('data:text/html;base64,PGI+')).toBe('format');
    expect(pictureIn('https://example.com/a.png')).toBe('format');
    expect(pictureIn(uri('image/png', ...text('<svg onload=alert(1)>')))).toBe('format');
    expect(pictureIn('data:image/png;base64,###')).toBe('format');
    expect(pictureIn('data:image/png,plain')).toBe('format');
  });

  it('is not too large', () => {
    expect(pictureIn(uri('image/png', ...png(60_000, 60_000)))).toBe('size');
    expect(pictureIn(uri('image/png', ...png(0, 5)))).toBe('size');
    expect(pictureIn(`data:image/png;base64,${'A'.repeat(20 << 20)}`)).toBe('size');
  });

  it('ends the search in a broken JPEG', () => {
    expect(
      pictureIn(uri('image/jpeg', 0xff, 0xd8, ...Array.from({ length: 40 }, () => [0xff, 0xe0, 0, 0]).flat())),
    ).toBe('format');
  });
});
