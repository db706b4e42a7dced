/** Content as MCP has it and ACP took it over: text, pictures, sound, resources. */
import type { Block } from '../core/event.ts';
import { asObject, asText } from './loose.ts';

export function blockOf(value: unknown): Block {
  const content = asObject(value);
  const { type } = content;
  if (type === 'text' && typeof content.text === 'string') return { type, text: content.text };
  if (type === 'image' || type === 'audio') {
    const data = asText(content.data);
    const size = data === null ? null : decodedSize(data);
    return { type, mime: asText(content.mimeType), size, url: asText(content.uri) };
  }
  if (type === 'resource_link') return { type: 'resource', uri: asText(content.uri) ?? '', text: null };
  if (type === 'resource') {
    const { uri, text } = asObject(content.resource);
    return { type, uri: asText(uri) ?? '', text: asText(text) };
  }
  return { type: 'unknown', name: asText(type) ?? '', value };
}

/** One block or a list of them. */
export function blocksOf(content: unknown): Block[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content.map(blockOf) : [blockOf(content)];
}

/** What a person reads of them. */
export function textOfBlocks(blocks: Block[]): string {
  if (blocks.length === 1) return textOfBlock(blocks[0]!) ?? '';
  return blocks
    .map(textOfBlock)
    .filter((text) => text !== null)
    .join('\n');
}

function textOfBlock(block: Block): string | null {
  return block.type === 'text' ? block.text : block.type === 'resource' ? (block.text ?? block.uri) : null;
}

/** Bytes behind base64. */
function decodedSize(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.max(0, Math.floor((base64.length * 3) / 4) - padding);
}
