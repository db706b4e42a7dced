/** A value as it is the same in two runs: folders, ids and times replaced, the same one by the same word. */

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}(?![0-9a-f])/gi;
/** Ids that are made of a time: of opencode (`ses_`, `msg_`), and with the milliseconds as a number. */
const TIMED = /\b[a-z]{3}_[0-9a-f]{12}[0-9A-Za-z]{14}\b|\b1[0-9]{12}(?:-[0-9a-f]{6,14})?\b/g;
const TIME = /(?<!\d)\d{4}-\d\d-\d\d[T ]\d\d[:-]\d\d[:-]\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?/g;
/** Claude Code listens on a socket with the number of its process. */
const SOCKET = /(?<=\/cc-socks\/)\d+/g;

/** Keys whose numbers are measurements. */
const MEASURED = /_ms$|Ms$|^(?:duration|elapsed)ms$|^(?:created|updated|recency|started|completed)At$/i;

export function normal(value: unknown, dir: string): unknown {
  // Ids are numbered in the order they turn up, so that who refers to whom is still compared.
  const ids = new Map<string, string>();
  const id = (one: string) => {
    if (!ids.has(one)) ids.set(one, `<id ${ids.size + 1}>`);
    return ids.get(one)!;
  };
  // As it is, as a part of a file's name, and from the root.
  const places = [dir, dir.replaceAll('/', '-'), dir.slice(1)];
  const placed = (string: string) => places.reduce((all, place) => all.replaceAll(place, '<dir>'), string);
  const text = (string: string) =>
    placed(string).replace(UUID, id).replace(TIMED, id).replace(TIME, '<time>').replace(SOCKET, '<pid>');
  const clean = (each: unknown, key?: string): unknown => {
    if (key !== undefined && typeof each === 'number' && MEASURED.test(key)) return `<${key}>`;
    if (typeof each === 'string') return text(each);
    if (Array.isArray(each)) return each.map((item) => clean(item));
    if (each === null || typeof each !== 'object') return each;
    return Object.fromEntries(Object.entries(each).map(([name, item]) => [text(name), clean(item, name)]));
  };
  return clean(value);
}
