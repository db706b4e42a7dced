/** A row in one line. Control characters and the like are visible, so that it is safe everywhere. */

import type { Block } from '../../model/event.ts';
import { processWords } from '../../model/text/process-text.ts';
import { withoutSequences } from '../../model/text/sequences.ts';
import { visible } from '../../model/text/text.ts';
import { type ArgumentSummary, describeArguments, describeValue } from '../../model/timeline/arguments.ts';
import type { Entry, Item, Turn } from '../../model/timeline/entries.ts';

const MAX_LABEL_CHARS = 120;
/** More than this is never looked at. */
const MAX_CHARS_READ = 4 * MAX_LABEL_CHARS;

export function labelOf(entry: Entry): string {
  if (entry.is === 'turn') return brief(promptOf(entry));
  if (entry.is === 'step') return '';
  return brief(wordsOf(entry));
}

/** The prompt of a turn, or what the agent repeats of it. `entries`: its first ones. */
export function promptOf({ prompt, entries: all }: Turn, entries: readonly Entry[] = all): string {
  if (prompt) return textOf(prompt);
  const first = entries.find((one) => one.is === 'item' && (one.kind === 'prompt' || one.kind === 'turn-begin'));
  return first?.is === 'item' ? textOf(first) : '';
}

function wordsOf(item: Item): string {
  const { call, ask, kind, name } = item;
  if (call) return joined(call.tool ?? 'tool', ...spokenOf(call.args ?? ''), ...paths(item));
  if (ask) {
    const [question] = ask.questions;
    if (question) return question.text;
    const about = ask.description ?? joined(...inOneLine(describeValue(ask.arguments, [])));
    return joined(ask.tool ?? ask.action ?? kind, about);
  }
  if (kind === 'text' || kind === 'thinking' || kind === 'prompt' || kind === 'steer') return textOf(item);
  const answered = item.answer && !item.answer.ok ? item.answer.text : '';
  // A log in colours would show little but their codes.
  const text = kind === 'log' ? withoutSequences(textOf(item)) : textOf(item);
  if (kind === 'process') return processWords(name, text);
  return joined(name ?? '', text, answered);
}

/** Arguments that are longer are shown as they begin. */
const MAX_ARGS_CHARS = 1 << 16;

const spokenOf = (args: string): string[] => inOneLine(describeArguments(args.slice(0, MAX_ARGS_CHARS), []));

/** There is no room for blocks: the file of a change, or the command of many lines, first. */
function inOneLine({ words, blocks }: ArgumentSummary): string[] {
  return blocks.length === 0 ? words : [...new Set(blocks.map(named)), ...words];
}

function named(block: Block): string {
  if (block.type === 'diff') return block.path;
  return block.type === 'shell' ? `$ ${block.command}` : '';
}

/** The files that a call shows instead of naming them. */
function paths({ blocks, call }: Item): string[] {
  if ((call!.args ?? '') !== '') return [];
  const shown = call!.result?.displays.length ? call!.result.displays : blocks;
  return [...new Set(shown.map((one) => (one.type === 'diff' ? one.path : '')))];
}

function textOf({ text, blocks }: Item): string {
  if (text !== '') return text;
  const [block] = blocks;
  if (!block) return '';
  if (block.type === 'text') return block.text;
  if (block.type === 'resource') return block.uri;
  return block.type === 'unknown' ? block.name : block.type;
}

const joined = (...words: string[]): string => words.filter((word) => word !== '').join(' ');

/** One line of so many characters; never half of one. */
export function brief(text: string, longest = MAX_LABEL_CHARS): string {
  // Unless a third of a long text is white space, its beginning is enough.
  const enough = Math.ceil(1.5 * longest);
  const begins = text.length > enough ? oneLine(text.slice(0, enough)) : '';
  const line = begins.length > longest ? begins : oneLine(text.slice(0, MAX_CHARS_READ));
  if (line.length <= longest && text.length <= MAX_CHARS_READ) return line;
  const kept = line.slice(0, longest - 1);
  return `${isHalf(kept.charCodeAt(kept.length - 1)) ? kept.slice(0, -1) : kept}…`;
}

/** The first half of a surrogate pair. */
const isHalf = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;

/** White space that is not a single space. */
const GAPS = /\s{2,}|[^\S ]/g;

const oneLine = (text: string): string => visible(text.replace(GAPS, ' ').trim());
