/** Content in the shapes of those who write it, and the blocks and the text that it becomes. */
import { describe, expect, it } from 'vitest';
import { blocksOf, readable, textOfBlocks } from '../../../lib/dialects/common/content.ts';
import { errorText, idText, isSame, objectsOf } from '../../../lib/dialects/common/fields.ts';

const base64 = Buffer.from('twelve bytes').toString('base64');

describe('content', () => {
  it.each([
    ['a text', 'x', [{ type: 'text', text: 'x' }]],
    ['a part without a type', [{ text: 'x' }], [{ type: 'text', text: 'x' }]],
    ['nothing', null, []],
    ['what it cannot be', 7, [{ type: 'unknown', name: '', value: 7 }]],
    [
      'an image of MCP',
      { type: 'image', data: base64, mimeType: 'image/png' },
      [{ type: 'image', mime: 'image/png', size: 12, url: null }],
    ],
    [
      'an image of ACP, which may say where it is from',
      { type: 'image', data: base64, mimeType: 'image/png', uri: 'file:///a.png' },
      [{ type: 'image', mime: 'image/png', size: 12, url: 'file:///a.png' }],
    ],
    [
      'an image of Anthropic',
      [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: base64 } }],
      [{ type: 'image', mime: 'image/png', size: 12, url: null }],
    ],
    [
      'an image of OpenAI',
      [{ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}` } }],
      [{ type: 'image', mime: 'image/png', size: 12, url: null }],
    ],
    [
      'a resource',
      { type: 'resource', resource: { uri: 'a:b', text: 'x' } },
      [{ type: 'resource', uri: 'a:b', text: 'x' }],
    ],
    ['a link', { type: 'resource_link', uri: 'a:b', name: 'b' }, [{ type: 'resource', uri: 'a:b', text: null }]],
    ['a link to nowhere', { type: 'resource_link' }, [{ type: 'unknown', name: 'resource_link' }]],
  ])('%s', (_, content, blocks) => {
    expect(blocksOf(content)).toMatchObject(blocks);
    expect(blocksOf(content)).toHaveLength(blocks.length);
  });

  it('is read by its texts, and by where its resources are', () => {
    const link = { type: 'resource_link', uri: 'a:b' };
    expect(readable(blocksOf([{ type: 'text', text: 'see' }, { type: 'image', data: '' }, link]))).toBe('see\na:b');
    expect(readable(blocksOf({ type: 'image', data: '' }))).toBe(null);
    expect(textOfBlocks([])).toBe('');
  });
});

describe('fields', () => {
  it('of errors: a text, a message, and what stands beside it', () => {
    expect(errorText('broken')).toBe('broken');
    expect(errorText({ code: 1, message: 'broken', data: { details: 'badly' } })).toBe('broken: badly');
    expect([errorText({ code: 1 }), errorText(7), errorText(null)]).toEqual([null, null, null]);
  });

  it('of ids keep 1 apart from "1"', () => {
    expect([1, '1', 'a', ' ', '', {}].map(idText)).toEqual(['1', '"1"', 'a', ' ', '', null]);
  });

  it('of lists: only the objects', () => {
    expect(objectsOf([{ a: 1 }, null, 'x', [], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect(objectsOf({ a: 1 })).toEqual([]);
  });

  it('are the same in any order, and not if one has a null that the other has not', () => {
    expect(isSame({ a: [1, { b: 2 }], c: 3 }, { c: 3, a: [1, { b: 2 }] })).toBe(true);
    expect(isSame({ a: 1 }, { a: 1, b: null })).toBe(false);
  });
});
