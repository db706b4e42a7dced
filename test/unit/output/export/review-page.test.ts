/** The page of a review: it shows hostile text as text, and holds nothing that could run or load. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Review, ReviewedValue } from '../../../../lib/analysis/redact/review.ts';
import { reviewPage } from '../../../../lib/output/export/review-page.ts';
import { REVIEW_WORDS } from '../../../../lib/output/export/review-words.ts';

const HOSTILE = `</code><script>alert(1)</script><img src=x onerror=alert(1)>"'&\u202e\x1b[2J`;

const one = (about: Partial<ReviewedValue> = {}): ReviewedValue => ({
  ...{ kind: 'random', name: null, shown: 'ab…yz', length: 20, places: 7, frames: [3, 4], pattern: 'ab*yz' },
  contexts: [{ f: 3, before: 'the key ', behind: ' is' }],
  ...about,
});
const page = (review: Review, language: 'en' | 'zh' = 'en') =>
  [...reviewPage(review, { session: HOSTILE, frames: 2, language })].join('');

describe('the page of a review', () => {
  const hostile = one({
    ...{ kind: HOSTILE, name: HOSTILE, shown: HOSTILE, pattern: HOSTILE },
    contexts: [{ f: 1, before: HOSTILE, behind: HOSTILE }],
  });
  const text = page({ kept: [one(), hostile], replaced: [hostile] });

  it('escapes all that was recorded', () => {
    expect(text).not.toMatch(/<script|<img|[\u202e\x1b]/);
    expect(text.split('&lt;script&gt;').length).toBeGreaterThan(8);
    // Every element is one of its own.
    const names = new Set([...text.matchAll(/<([a-z0-9]+)/g)].map(([, name]) => name));
    for (const name of ['script', 'img', 'iframe', 'a', 'form', 'link']) expect(names).not.toContain(name);
  });

  it('allows its own style and nothing else', () => {
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)!;
    const [, style] = /<style>([\s\S]*?)<\/style>/.exec(text)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    expect(policy).toBe(`default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`);
    const tags = [...text.matchAll(/<[^>]*>/g)].join('');
    expect(tags).not.toMatch(/ style=| on[a-z]+=| src=| href=/);
    expect(style).not.toMatch(/url\(|@import/);
  });

  it('says first that it must not be sent, in both languages', () => {
    for (const language of ['en', 'zh'] as const) {
      const body = page({ kept: [], replaced: [] }, language).split('<body>')[1]!;
      expect(body.trimStart().startsWith(`<p class="private" role="note">${REVIEW_WORDS[language].private}</p>`)).toBe(
        true,
      );
    }
    expect(page({ kept: [], replaced: [] }, 'zh')).toContain('<html lang="zh-Hans">');
    expect(Object.keys(REVIEW_WORDS.zh.kinds)).toEqual(expect.arrayContaining(Object.keys(REVIEW_WORDS.en.kinds)));
  });

  it('has the option to copy, as a shell takes it', () => {
    expect(text).toContain('<code>--also &#39;ab*yz&#39;</code>');
    expect(page({ kept: [one({ pattern: null })], replaced: [] })).toContain(REVIEW_WORDS.en.noPattern);
  });

  it('counts what it has no room for', () => {
    const kept = Array.from({ length: 730 }, () => one());
    const long = page({ kept, replaced: [] });
    expect([long.split('<article>').length - 1, long.includes('and 230 more')]).toEqual([500, true]);
  });
});
