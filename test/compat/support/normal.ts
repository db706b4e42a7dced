/** A value as it is the same in two runs: folders, ids and times replaced, the same one by the same word. */

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-f])/gi;
const TIME = /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;

/** Keys whose numbers are measurements. */
const MEASURED = /^(?:duration_?(?:api_?)?ms|elapsed_?ms)$/i;

export function normal(value: unknown, dir: string): unknown {
  // Ids are numbered in the order they turn up, so that who refers to whom is still compared.
  const ids = new Map<string, string>();
  const id = (uuid: string) => {
    if (!ids.has(uuid)) ids.set(uuid, `<id ${ids.size + 1}>`);
    return ids.get(uuid)!;
  };
  const text = (string: string) => string.replaceAll(dir, '<dir>').replace(UUID, id).replace(TIME, '<time>');
  const clean = (each: unknown, key?: string): unknown => {
    if (key !== undefined && MEASURED.test(key)) return `<${key}>`;
    if (typeof each === 'string') return text(each);
    if (Array.isArray(each)) return each.map((item) => clean(item));
    if (each === null || typeof each !== 'object') return each;
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [text(name), clean(item, name)]));
  };
  return clean(value);
}
