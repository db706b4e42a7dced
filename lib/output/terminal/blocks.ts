/** Renders content and display blocks as lines: diffs, lists, commands and text. */

import { diffLines } from '../../analysis/diff/line-diff.ts';
import type { Block } from '../../model/event.ts';
import { toJson } from '../../model/message.ts';
import { humanBytes, textLines, visible } from '../../model/text/text.ts';
import type { Theme } from './theme.ts';

export type Paint = (text: string) => string;

/** A line that is safe to print. It is wrapped before it is painted. */
export interface TerminalLine {
  text: string;
  paint?: Paint;
}

const TODO_BOXES: Record<string, string> = { done: '[x]', completed: '[x]', in_progress: '[>]', pending: '[ ]' };
/** Longer URLs are data, not addresses. */
const MAX_URL_CHARS = 200;

/** `paint`: for blocks without a colour of their own. */
export function blockLines(block: Block, theme: Theme, paint?: Paint): TerminalLine[] {
  const plain = (text: string): TerminalLine => (paint ? { text, paint } : { text });
  switch (block.type) {
    case 'text':
      return textLines(block.text).map(plain);
    case 'diff':
      return [{ text: visible(block.path), paint: theme.strong }, ...diffBlockLines(block, theme)];
    case 'todo':
      return block.items.map(({ title, status }) => {
        // kimi wrote `In Progress` until 0.67.
        const box = TODO_BOXES[status.toLowerCase().replace(' ', '_')] ?? '[ ]';
        return { text: `${box} ${visible(title)}`, ...(box === '[x]' ? { paint: theme.dim } : {}) };
      });
    case 'shell':
      return textLines(block.command).map((line, i) => plain(`${i === 0 ? '$' : '>'} ${line}`));
    case 'resource':
      return [{ text: visible(block.uri), paint: theme.dim }, ...textLines(block.text ?? '').map(plain)];
    case 'unknown':
      return [{ text: `${visible(block.name)} ${visible(toJson(block.value))}`, paint: theme.dim }];
    default: {
      const address = block.url !== null && !block.url.startsWith('data:') && block.url.length <= MAX_URL_CHARS;
      const about = [block.mime, block.size === null ? null : humanBytes(block.size), address ? block.url : null];
      const words = about.filter((word) => word !== null).join(', ');
      return [{ text: visible(`[${block.type}${words ? ` ${words}` : ''}]`), paint: theme.dim }];
    }
  }
}

/** Markdown source with bold headings and dim fences and quotes. Nothing is removed. */
export function proseLines(text: string, theme: Theme, paint?: Paint): TerminalLine[] {
  let fenced = false;
  return textLines(text).map((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      return { text: line, paint: theme.dim };
    }
    if (!fenced && /^#{1,6} /.test(line)) return { text: line, paint: theme.strong };
    if (!fenced && /^> /.test(line)) return { text: line, paint: theme.dim };
    return paint ? { text: line, paint } : { text: line };
  });
}

function diffBlockLines({ before, after, lines, summary }: Block & { type: 'diff' }, theme: Theme): TerminalLine[] {
  const paint = { '+': theme.good, '-': theme.bad, ' ': (text: string) => text, '@': theme.dim };
  if (summary) {
    const sides = [...textLines(before).map((text) => `- ${text}`), ...textLines(after).map((text) => `+ ${text}`)];
    return sides.map((text) => ({ text, paint: paint[text[0] as '+' | '-'] }));
  }
  return diffLines(before, after, lines).map(({ sign, text }) => ({
    text: `${sign} ${visible(text.replaceAll('\t', '    '))}`,
    paint: paint[sign],
  }));
}
