import { describe, expect, it } from 'vitest';
import { cells } from '../../../../lib/model/text/text.ts';
import { list } from '../../../../lib/output/terminal/list.ts';
import { themeFor } from '../../../../lib/output/terminal/theme.ts';

const rows = [
  [{ text: 'k3f9' }, { text: '12' }, { text: '登录' }, { text: 'kimi --wire' }],
  [{ text: 'b' }, { text: '3' }, { text: '' }, { text: '中文中文中文中文中文' }],
];
const lines = (columns: number, color = false) =>
  [...list(['id', 'n', 'name', 'command'], rows, columns, themeFor(color), [1])].join('');

describe('a listing', () => {
  it('has columns by their contents, in cells', () => {
    expect(lines(80)).toBe(
      'id     n  name  command\nk3f9  12  登录  kimi --wire\nb      3        中文中文中文中文中文\n',
    );
  });

  it('cuts only the last column, and not in a pipe', () => {
    expect(lines(26).split('\n')[2]).toBe('b      3        中文中文…');
    expect(lines(Number.POSITIVE_INFINITY)).toContain('中文中文中文中文中文');
  });

  it('fits the line with the longest of names', () => {
    const long = [[{ text: 'k3f9' }, { text: '12' }, { text: '很长的名字'.repeat(9) }, { text: 'kimi --wire --yolo' }]];
    const shown = (columns: number) => [...list(['id', 'n', 'name', 'command'], long, columns, themeFor(false), [1])];
    expect(shown(40)[1]).toBe('k3f9  12  很长的名字…   kimi --wire --y…\n');
    for (const line of shown(40)) expect(cells(line.trimEnd())).toBeLessThanOrEqual(40);
    expect(shown(Number.POSITIVE_INFINITY)[1]).toContain('很长的名字'.repeat(9));
  });

  it('drops columns by their priority, and takes back those that fit after all', () => {
    const wide = [
      [{ text: 'k3f9' }, { text: '1' }, { text: 'a rather wide one' }, { text: '2' }, { text: 'kimi --wire' }],
    ];
    const head = ['id', 'n', 'wide', 'm', 'command'];
    const shown = (columns: number) => [...list(head, wide, columns, themeFor(false), [], [1, 2, 3])].join('');
    expect(shown(80)).toBe('id    n  wide               m  command\nk3f9  1  a rather wide one  2  kimi --wire\n');
    expect(shown(40)).toBe('id    n  m  command\nk3f9  1  2  kimi --wire\n');
    expect(shown(22)).toBe('id    command\nk3f9  kimi --wire\n');
  });

  it('leaves out columns with nothing in them', () => {
    const rows = [[{ text: 'a' }, { text: '' }, { text: 'b' }]];
    expect([...list(['id', 'name', 'command'], rows, 80, themeFor(false))].join('')).toBe('id  command\na   b\n');
  });

  it('keeps the end of a cell that says it matters', () => {
    const rows = [[{ text: 'a' }, { text: 'Kimi Code CLI 1.49.0', tail: '1.49.0' }]];
    const shown = (columns: number) => [...list(['id', 'agent'], rows, columns, themeFor(false), [], [], 12)][1];
    expect(shown(40)).toBe('a   Kimi Code CLI 1.49.0\n');
    expect(shown(20)).toBe('a   Kimi Cod… 1.49.0\n');
    expect(shown(12)).toBe('a   Kimi Co…\n');
  });

  it('keeps its widths in colour', () => {
    expect(lines(80, true).replace(/\x1b\[\d+m/g, '')).toBe(lines(80));
  });
});
