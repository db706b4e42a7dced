/**
 * The header of a Content-Length frame, as language servers and debug adapters send it: fields of printable ASCII, one a
 * line, and an empty line. A line feed alone may end a line, because many readers accept that.
 */

/** Real headers have less than 100 bytes. */
export const MAX_HEADER_CHARS = 4096;

const HEADER_FIELD = /^[a-z0-9-]+[ \t]*:[\t -~]*\r?\n$/i;
const HEADER_FIELD_BEGUN = /^(?:[a-z0-9-]*|[a-z0-9-]+[ \t]*(?::[\t -~]*\r?)?)$/i;
const FIRST_FIELD_PREFIX = 'content-';
const CONTENT_LENGTH = /^content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?$/i;
/** Numbers with more digits would not be exact. */
const MAX_LENGTH_DIGITS = 15;

/** Whether this is a line of a header, or how one begins. The first line begins with `Content-`, which no JSON line does. */
export function fitsHeader(line: string, isFirst: boolean): boolean {
  if (isFirst) {
    const begins = line.slice(0, FIRST_FIELD_PREFIX.length).toLowerCase();
    if (!FIRST_FIELD_PREFIX.startsWith(begins) || line === '') return false;
  }
  if (!line.endsWith('\n')) return HEADER_FIELD_BEGUN.test(line) || (!isFirst && line === '\r');
  return HEADER_FIELD.test(line) || (!isFirst && endsHeader(line));
}

/** Whether the line is the empty one. */
export function endsHeader(line: string): boolean {
  return line === '\r\n' || line === '\n';
}

const HEADER = /^content-[a-z0-9-]*[ \t]*:[\t -~]*\r?\n(?:[a-z0-9-]+[ \t]*:[\t -~]*\r?\n)*\r?\n$/i;

/** Whether the text is a whole header. */
export function isHeader(text: string): boolean {
  return text.length <= MAX_HEADER_CHARS && HEADER.test(text) && announcedLength(text) !== null;
}

/** The header of a body, as it is usually written. */
export function headerOf(body: string): string {
  return `Content-Length: ${new TextEncoder().encode(body).length}\r\n\r\n`;
}

/** The length of the body that a header announces; null if it announces none, or several. */
export function announcedLength(header: string): number | null {
  let length: number | null = null;
  for (const line of header.split('\n')) {
    const digits = CONTENT_LENGTH.exec(line)?.[1];
    if (digits === undefined) {
      if (/^content-length[ \t]*:/i.test(line)) return null;
      continue;
    }
    if (length !== null || digits.length > MAX_LENGTH_DIGITS) return null;
    length = Number(digits);
  }
  return length;
}
