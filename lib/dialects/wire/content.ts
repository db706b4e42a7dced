/** Converts content parts, display blocks and tool results to blocks. Nothing is dropped. */
import type { Block } from '../../model/event.ts';
import { diffOf, textOfBlocks, todoOf } from '../common/content.ts';
import { listOf, numberOf, objectOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

const MEDIA = new Map<string, 'image' | 'audio' | 'video'>([
  ['image_url', 'image'],
  ['audio_url', 'audio'],
  ['video_url', 'video'],
]);

/** User input: a string, or content parts. */
export function inputBlocks(input: unknown): Block[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }];
  return listOf(input).map(partBlock);
}

/** A content part; an unknown one is kept as it is. */
export function partBlock(part: unknown): Block {
  const { type, text } = objectOf(part);
  if (type === 'text' && typeof text === 'string') return { type, text };
  return mediaBlock(objectOf(part)) ?? unknownBlock(part);
}

/** An image, audio or video part; null if it is something else. */
export function mediaBlock(part: JsonObject): Block | null {
  const media = typeof part.type === 'string' ? MEDIA.get(part.type) : undefined;
  if (!media) return null;
  const url = stringOf(objectOf(part[part.type as string]).url);
  return { type: media, ...readDataUrl(url), url };
}

/** The type and size, which only a data URL contains. */
function readDataUrl(url: string | null): { mime: string | null; size: number | null } {
  const comma = url?.startsWith('data:') ? url.indexOf(',') : -1;
  if (url === null || comma < 0) return { mime: null, size: null };
  const [mime, ...parameters] = url.slice('data:'.length, comma).split(';');
  const length = url.length - comma - 1;
  if (parameters.at(-1) !== 'base64') return { mime: mime || null, size: length };
  const padding = url.endsWith('==') ? 2 : url.endsWith('=') ? 1 : 0;
  return { mime: mime || null, size: Math.floor((length * 3) / 4) - padding };
}

export function displayBlock(block: unknown): Block {
  const it = objectOf(block);
  switch (it.type) {
    case 'brief': {
      // Until 0.67 the text was called `data`.
      const text = stringOf(it.text) ?? stringOf(it.data);
      return text === null ? unknownBlock(block) : { type: 'text', text };
    }
    case 'diff':
      return diffBlock(it);
    case 'todo':
      return todoOf(it.items);
    case 'shell':
      return { type: 'shell', command: stringOf(it.command) ?? '', language: stringOf(it.language) };
    default:
      return unknownBlock(block);
  }
}

function diffBlock({ path, old_text, new_text, old_start, new_start, is_summary }: JsonObject): Block {
  return {
    ...diffOf(path, old_text, new_text),
    ...(typeof old_start === 'number' && typeof new_start === 'number' ? { lines: [old_start, new_start] } : {}),
    ...(is_summary === true ? { summary: true } : {}),
  };
}

function unknownBlock(value: unknown): Block {
  return { type: 'unknown', name: stringOf(objectOf(value).type) ?? '', value };
}

export interface ToolReturn {
  ok: boolean;
  blocks: Block[];
  displays: Block[];
  text: string;
}

/** A tool result since 0.59. Only an explicit `is_error: false` is a success. */
export function readToolReturn(value: unknown): ToolReturn {
  const { is_error, output, message, display } = objectOf(value);
  return makeToolReturn(is_error === false, output, message, listOf(display).map(displayBlock));
}

/** A tool result until 0.58: `ok` is next to it, and the only display is a text. */
export function readLegacyToolReturn(ok: unknown, result: unknown): ToolReturn {
  const { output, message, brief } = objectOf(result);
  return makeToolReturn(ok === true, output, message, brief ? [displayBlock({ type: 'brief', text: brief })] : []);
}

/** The message tells the model what the output does not say: why it failed, or that there is no output. */
function makeToolReturn(ok: boolean, output: unknown, message: unknown, displays: Block[]): ToolReturn {
  const blocks = outputBlocks(output);
  const text = textOfBlocks(blocks);
  const why = ok && text !== '' ? '' : (stringOf(message) ?? '');
  const isShown = displays.some((block) => block.type === 'text' && block.text === why);
  if (why !== '' && !isShown && (!ok || blocks.length === 0)) blocks.push({ type: 'text', text: why });
  return { ok, blocks, displays, text: text && why ? `${text}${text.endsWith('\n') ? '' : '\n'}${why}` : text || why };
}

function outputBlocks(output: unknown): Block[] {
  if (output === '' || output === null || output === undefined) return [];
  if (typeof output === 'string') return [{ type: 'text', text: output }];
  return Array.isArray(output) ? output.map(partBlock) : [partBlock(output)];
}

/** A summary of the MCP servers, for people. */
export function mcpText(status: unknown): string {
  const { connected, total, tools } = objectOf(status);
  return `mcp: ${numberOf(connected) ?? '?'} of ${numberOf(total) ?? '?'} connected, ${numberOf(tools) ?? '?'} tools`;
}
