/** The shape of a piece of content, which both versions of ACP share. */
import { either, type JsonShape, tagged } from '../../rules/schema.ts';

const RESOURCE: JsonShape = either(
  { uri: 'string', text: 'string', 'mimeType?': 'string|null' },
  { uri: 'string', blob: 'string', 'mimeType?': 'string|null' },
);

export const CONTENT: JsonShape = tagged('type', {
  text: { text: 'string' },
  image: { data: 'string', mimeType: 'string', 'uri?': 'string|null' },
  audio: { data: 'string', mimeType: 'string' },
  resource_link: { uri: 'string', name: 'string' },
  resource: { resource: RESOURCE },
});
