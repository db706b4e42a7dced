import { describe, expect, it } from 'vitest';
import { list } from '../../../lib/terminal/list.ts';
import { themeFor } from '../../../lib/terminal/theme.ts';

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

  it('keeps its widths in colour', () => {
    expect(lines(80, true).replace(/\x1b\[\d+m/g, '')).toBe(lines(80));
  });
});
