/** A row in one line. Control characters and the like are visible, so that it is safe everywhere. */
import { visible } from '../core/text.ts';
import { argumentWords, valueWords } from '../core/timeline/arguments.ts';
import type { Entry, Item, Turn } from '../core/timeline/shape.ts';

const LONGEST = 120;
/** More than this is never looked at. */
const GLANCE = 4 * LONGEST;

export function labelOf(entry: Entry): string {
  if (entry.is === 'turn') return brief(promptOf(entry));
  if (entry.is === 'step') return '';
  return brief(wordsOf(entry));
}

/** The prompt of a turn, or what the agent repeats of it. `entries`: its first ones. */
export function promptOf({ prompt, entries: all }: Turn, entries: readonly Entry[] = all): string {
  if (prompt) return textOf(prompt);
  const told = entries.find((one) => one.is === 'item' && (one.kind === 'prompt' || one.kind === 'turn-begin'));
  return told?.is === 'item' ? textOf(told) : '';
}

function wordsOf(item: Item): string {
  const { call, ask, kind, name } = item;
  if (call)
    return joined(
      call.tool ?? 'tool',
      ...argumentWords((call.args ?? '').slice(0, LONGEST_ARGS), []).words,
      ...paths(item),
    );
  if (ask) {
    const [question] = ask.questions;
    if (question) return question.text;
    const about = ask.description ?? joined(...valueWords(ask.arguments, []).words);
    return joined(ask.tool ?? ask.action ?? kind, about);
  }
  if (kind === 'text' || kind === 'thinking' || kind === 'prompt' || kind === 'steer') return textOf(item);
  const answered = item.answer && !item.answer.ok ? item.answer.text : '';
  return joined(name ?? '', textOf(item), answered);
}

/** Arguments that are longer are shown as they begin. */
const LONGEST_ARGS = 1 << 16;

/** The files that a call shows instead of naming them. */
function paths({ blocks, call }: Item): string[] {
  const shown = call!.result?.displays.length ? call!.result.displays : blocks;
  const named = shown.flatMap((block) => (block.type === 'diff' ? [block.path] : []));
  return (call!.args ?? '') === '' ? [...new Set(named)] : [];
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
export function brief(text: string, longest = LONGEST): string {
  // Unless half of a long text is white space, its beginning is enough.
  const begins = text.length > 2 * longest ? oneLine(text.slice(0, 2 * longest)) : '';
  const line = begins.length > longest ? begins : oneLine(text.slice(0, GLANCE));
  if (line.length <= longest && text.length <= GLANCE) return line;
  const kept = line.slice(0, longest - 1);
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}

const oneLine = (text: string): string => visible(text.replace(/\s+/g, ' ').trim());
