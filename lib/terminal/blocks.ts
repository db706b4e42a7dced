/** Content and display blocks as lines a person reads: diffs as diffs, lists as lists, commands as commands. */
import type { Block } from '../core/event.ts';
import { humanBytes, visible } from '../core/text.ts';
import { diffLines } from '../diff/lines.ts';
import type { Theme } from './theme.ts';

const BOX: Record<string, string> = { done: '[x]', completed: '[x]', in_progress: '[>]', pending: '[ ]' };

export function blockLines(block: Block, theme: Theme): string[] {
  switch (block.type) {
    case 'text':
      return textLines(block.text);
    case 'diff':
      return [theme.strong(visible(block.path)), ...patch(block.before, block.after, theme)];
    case 'todo':
      return block.items.map(({ title, status }) => `${BOX[status] ?? '[ ]'} ${visible(title)}`);
    case 'shell':
      return textLines(block.command).map((line, i) => `${theme.dim(i === 0 ? '$' : '>')} ${line}`);
    case 'resource':
      return [theme.dim(visible(block.uri)), ...(block.text === null ? [] : textLines(block.text))];
    case 'unknown':
      return [theme.dim(`${visible(block.name)} ${visible(JSON.stringify(block.value) ?? '')}`)];
    default: {
      const about = [block.mime, block.size === null ? null : humanBytes(block.size), block.url];
      return [theme.dim(`${block.type} ${visible(about.filter((word) => word !== null).join(', '))}`)];
    }
  }
}

/** The lines of a text, made harmless; blank ones at its ends are left out. */
export function textLines(text: string): string[] {
  const lines = text.split('\n').map((line) => visible(line.replace(/\r$/, '').replaceAll('\t', '    ')));
  while (lines.length > 0 && lines[0]!.trim() === '') lines.shift();
  while (lines.length > 0 && lines.at(-1)!.trim() === '') lines.pop();
  return lines;
}

function patch(before: string, after: string, theme: Theme): string[] {
  const paint = { '+': theme.good, '-': theme.bad, ' ': (text: string) => text, '@': theme.dim };
  return diffLines(before, after).map(({ sign, text }) => paint[sign](`${sign} ${visible(text)}`));
}
