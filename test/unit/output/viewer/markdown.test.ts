import { describe, expect, it } from 'vitest';
import { type Inline, type MarkdownNode, markdown } from '../../../../lib/output/viewer/blocks/markdown.ts';

const inline = (one: Inline): string => {
  if ('of' in one) return `<${one.is} ${one.of.map(inline).join('')}>`;
  if ('url' in one) return `<${one.is} ${one.text} ${one.url}>`;
  return one.is === 'text' ? one.text : `<code ${one.text}>`;
};
const line = (of: Inline[]) => of.map(inline).join('');

/** The tree as indented lines. */
function tree(nodes: MarkdownNode[], indent = ''): string[] {
  return nodes.flatMap((node) => {
    switch (node.is) {
      case 'heading':
        return [`${indent}h${node.level} ${line(node.of)}`];
      case 'paragraph':
        return [`${indent}p ${line(node.of)}`];
      case 'code':
        return [`${indent}code ${node.language}|${node.text}`];
      case 'rule':
        return [`${indent}rule`];
      case 'quote':
        return [`${indent}quote`, ...tree(node.of, `${indent}  `)];
      case 'table':
        return [node.head, ...node.rows].map((row) => `${indent}| ${row.map(line).join(' | ')}`);
      default:
        return [
          `${indent}list ${node.first ?? '-'}`,
          ...node.items.flatMap((item) => [`${indent}  item`, ...tree(item, `${indent}    `)]),
        ];
    }
  });
}

const read = (text: string) => tree(markdown(text));

describe('markdown', () => {
  it('reads headings, paragraphs with their line breaks, rules and quotes', () => {
    expect(read('# One #\ntwo\nthree\n\n---\n> four\n> > five\n\nsix')).toEqual([
      'h1 One',
      'p two\nthree',
      'rule',
      'quote',
      '  p four',
      '  quote',
      '    p five',
      'p six',
    ]);
  });

  it('reads fences as they are, even those that never end', () => {
    expect(read('```ts title\nconst a = `*b*`;\n# no heading\n```\nafter')).toEqual([
      'code ts|const a = `*b*`;\n# no heading',
      'p after',
    ]);
    expect(read('~~~\n```\nopen')).toEqual(['code |```\nopen']);
  });

  it('reads lists, nested ones, and code in them', () => {
    expect(read('- a\n- b\n  - c\n  more\n\n3. x\n4. y\n   ```\n   code\n   ```')).toEqual([
      'list -',
      '  item',
      '    p a',
      '  item',
      '    p b',
      '    list -',
      '      item',
      '        p c\nmore',
      'list 3',
      '  item',
      '    p x',
      '  item',
      '    p y',
      '    code |code',
    ]);
  });

  it('reads emphasis, code spans and escapes', () => {
    expect(read('**a *b* c** _d_ snake_case_name ~~e~~ `f *g*` \\*h\\* 2 * 3 * 4')).toEqual([
      'p <strong a <em b> c> <em d> snake_case_name <del e> <code f *g*> *h* 2 * 3 * 4',
    ]);
    expect(read('``a ` b``')).toEqual(['p <code a ` b>']);
    expect(read('**未闭合，*中文*。')).toEqual(['p **未闭合，<em 中文>。']);
  });

  it('keeps addresses in sight and HTML as text', () => {
    expect(read('[click](javascript:alert(1)) ![x](http://e/p.png) <b>bold</b>')).toEqual([
      'p <link click javascript:alert(1>) <image x http://e/p.png> <b>bold</b>',
    ]);
    expect(read('a [b] (c) and [d]')).toEqual(['p a [b] (c) and [d]']);
  });

  it('reads tables', () => {
    expect(read('| a | b |\n|---|:-:|\n| 1 | `2\\|3` |\n\nnot | a table')).toEqual([
      '| a | b',
      '| 1 | <code 2\\|3>',
      'p not | a table',
    ]);
  });

  it('loses no text, whatever it is given', () => {
    const letters = (of: string) => of.replace(/[^\p{L}]/gu, '');
    const words = (nodes: MarkdownNode[]) => JSON.stringify(nodes, (key, value) => (key === 'is' ? undefined : value));
    const bare = (nodes: MarkdownNode[]) => letters(words(nodes).replace(/"\w+":|\bnull\b/g, ''));
    for (const text of ['*a **b *c', '> > > x\n- [ ] y\n1) z', '`a ``b', '![a](b', '|a|\n|-|\n|b|c|', '- \n\n- x'])
      expect(bare(markdown(text)), text).toBe(letters(text));
  });

  it('is bounded against bombs', () => {
    for (const bomb of [
      '> '.repeat(50_000),
      '- '.repeat(20_000),
      '*a '.repeat(50_000),
      '['.repeat(100_000),
      '**_'.repeat(40_000),
    ])
      expect(markdown(bomb).length).toBeGreaterThan(0);
    expect(markdown(`${'`'.repeat(30_000)} a`).length).toBe(1);
    expect(markdown('# x\n'.repeat(40_000)).length).toBeLessThan(20_100);
  });
});
