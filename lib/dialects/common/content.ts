/** Converts message content to blocks: a string, or parts as Anthropic, OpenAI, Google, MCP and ACP write them. */
import type { Block, Event } from '../../model/event.ts';
import type { JsonObject } from '../dialect.ts';
import { listOf, objectOf, stringOf } from './fields.ts';

/** One part or a list of them; nothing is dropped. */
export function blocksOf(content: unknown): Block[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.map(blockOf) : [blockOf(content)];
}

/** The readable text of blocks; null if there is none. */
export function readable(blocks: readonly Block[]): string | null {
  const texts = blocks.map(textOf).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join('\n');
}

/** The same, but never null. */
export function textOfBlocks(blocks: readonly Block[]): string {
  return readable(blocks) ?? '';
}

function textOf(block: Block): string | null {
  if (block.type === 'resource') return block.text ?? block.uri;
  return block.type === 'text' ? block.text : null;
}

export function blockOf(part: unknown): Block {
  if (typeof part === 'string') return { type: 'text', text: part };
  const value = objectOf(part);
  const text = stringOf(value.text);
  const type = stringOf(value.type);
  if (text !== null && (type === null || type === 'text')) return { type: 'text', text };
  return (type === null ? null : (mediaOf(type, value) ?? resourceOf(type, value))) ?? unknownBlock(type, part);
}

/** A part of a model's answer, as kimi's own formats write it. */
export function partEvent(part: unknown): Event {
  const { type, think } = objectOf(part);
  if (type === 'think') return { kind: 'thinking', text: stringOf(think) ?? '' };
  const block = blockOf(part);
  return block.type === 'text' ? { kind: 'text', text: block.text } : { kind: 'text', block };
}

/** A model's answer, which is a step: thoughts, content and calls. */
export function answerEvents(content: unknown, calls: Event[], thoughts: Event[] = []): Event[] {
  const parts = typeof content === 'string' ? [content] : listOf(content);
  const events = [...thoughts, ...parts.map(partEvent), ...calls];
  if (events.length === 0) events.push({ kind: 'text', text: '' });
  events[0]!.step = true;
  return events;
}

function unknownBlock(type: string | null, value: unknown): Block {
  return { type: 'unknown', name: type ?? '', value };
}

function mediaOf(type: string, value: JsonObject): Block | null {
  const name = type.replace(/_url$/, '');
  if (name !== 'image' && name !== 'audio' && name !== 'video') return null;
  const source = objectOf(value.source);
  const data = stringOf(source.data) ?? stringOf(value.data);
  const mime = stringOf(source.media_type) ?? stringOf(value.mimeType);
  const held = objectOf(value[type] ?? value[`${name}Url`]);
  const url = stringOf(source.url) ?? stringOf(held.url) ?? stringOf(value.url) ?? stringOf(value.uri);
  if (data !== null) return { type: name, mime, size: bytesOf(data, 0), url: stringOf(value.uri) };
  return url?.startsWith('data:') ? dataUrlBlock(name, url) : { type: name, mime, size: null, url };
}

function dataUrlBlock(type: 'image' | 'audio' | 'video', url: string): Block {
  const comma = url.indexOf(',', 5);
  const mime = url.slice(5, comma < 0 ? undefined : comma).split(';')[0]!;
  return { type, mime: mime || null, size: comma < 0 ? null : bytesOf(url, comma + 1), url: null };
}

/** How many bytes the base64 text from `start` encodes. */
function bytesOf(text: string, start: number): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor(((text.length - start) * 3) / 4) - padding);
}

function resourceOf(type: string, value: JsonObject): Block | null {
  const held = objectOf(value[type]);
  const uri = stringOf(held.uri) ?? stringOf(held.file_uri) ?? stringOf(value.uri);
  if (uri === null || !['resource', 'resource_link', 'file_data'].includes(type)) return null;
  return { type: 'resource', uri, text: stringOf(held.text) };
}

/** A change of a file; what is not text counts as empty. */
export function diffOf(path: unknown, before: unknown, after: unknown): Block & { type: 'diff' } {
  const [at, was, is] = [path, before, after].map((text) => stringOf(text) ?? '');
  return { type: 'diff', path: at!, before: was!, after: is! };
}

/** A to-do list as tools and displays write it. */
export function todoOf(items: unknown): Block {
  const rows = listOf(items).map((item) => {
    const { content, title, task, status } = objectOf(item);
    return { title: stringOf(content) ?? stringOf(title) ?? stringOf(task) ?? '', status: stringOf(status) ?? '' };
  });
  return { type: 'todo', items: rows };
}
