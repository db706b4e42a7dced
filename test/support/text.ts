/** Text as people and hostile programs write it, for properties. */
import fc from 'fast-check';

const PARTS = [
  ...['a', 'Z', '0', ' ', '_', '-', '/', '.', '%', '$', '`', '(', ')', '{', '}', '[', ']', ',', ':', ';', '?', '*'],
  ...['"', "'", '\\', '\\u0000', '\0', '\n', '\r', '\t', '\x07', '\x1b[31m', '\x1b]0;x\x07', '\x7f', '\x85', '\x9b'],
  ...['é', 'ß', '日本', '名', '😀', '👩‍💻', 'e\u0301', '\u2028', '\u202e', '\ufeff', '\ufffd', '\uffff', '\u{e0041}'],
  ...["'); DROP TABLE sessions; --", '__proto__', 'null', '1e999', '{"a":1}'],
];

export const anyText = fc.array(fc.constantFrom(...PARTS), { maxLength: 8 }).map((parts) => parts.join(''));
