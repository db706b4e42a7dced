/** Changes of files, which Codex writes as a list with diffs, and before 0.50 as an object by path. */
import type { Block } from '../../model/event.ts';
import { diffOf } from '../common/content.ts';
import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import { patchBlocks } from '../common/unified-diff.ts';
import type { JsonObject } from '../dialect.ts';

/** Each change as what is shown of it. */
export function changeBlocks(changes: unknown): Block[] {
  if (Array.isArray(changes)) {
    return objectsOf(changes).flatMap(({ path, kind, diff }) => blocksOf(path, objectOf(kind).type ?? kind, diff));
  }
  return Object.entries(objectOf(changes)).flatMap(([path, change]) => {
    const [type, details] = tagged(objectOf(change));
    return blocksOf(path, type, details.unified_diff ?? details.content);
  });
}

/** `{type: "add", content}`, or `{add: {content}}` in the requests of old versions. */
function tagged(change: JsonObject): [unknown, JsonObject] {
  if (change.type !== undefined) return [change.type, change];
  const [type, details] = Object.entries(change)[0] ?? [];
  return [type, objectOf(details)];
}

function blocksOf(path: unknown, type: unknown, text: unknown): Block[] {
  if (type === 'add') return [diffOf(path, '', text)];
  if (type === 'delete') return [diffOf(path, text, '')];
  return patchBlocks(path, stringOf(text) ?? '');
}
