/** Paths in a message, such as `@params.display[*]."odd key"[0]:`. */
import type { PathStep } from './ast.ts';
import { checkLimit, QueryError, shortened } from './error.ts';
import { quote, readQuoted, wordEnd } from './lexer-text.ts';

/** Characters that end an unquoted key. */
const KEY_STOPS = '.[]:"(),';
const MAX_STEPS = 64;
const MAX_KEY_CHARS = 256;

/** Reads from the `@` to the end of the colon. */
export function readPath(query: string, at: number): { path: PathStep[]; length: number } {
  const path: PathStep[] = [];
  let position = at + 1;
  let wantsKey = query[position] !== '[';
  while (wantsKey || query[position] !== ':') {
    if (!wantsKey && query[position] !== '[' && query[position] !== '.') throw unexpectedInPath(query, at, position);
    checkLimit('the path is too long', path.length + 1, MAX_STEPS, 'steps', at, position - at);
    if (!wantsKey && query[position] === '.') position++;
    const { step, length } =
      !wantsKey && query[position] === '[' ? readBracket(query, position) : readKey(query, position, at);
    path.push(step);
    position += length;
    wantsKey = false;
  }
  return { path, length: position + 1 - at };
}

function unexpectedInPath(query: string, at: number, position: number): QueryError {
  const whole = query.slice(at, wordEnd(query, at, '()"'));
  const exists = `${shortened(query.slice(at, position))}:* matches if it exists`;
  if (position >= query.length || /[\s()]/.test(query[position]!))
    return new QueryError(
      'a path needs a value',
      `${exists}; to search for the text, quote it: ${quote(shortened(whole))}`,
      at,
      position - at,
    );
  return new QueryError(
    `unexpected ${query[position]} in a path`,
    'quote keys with special characters: @params."a b"',
    position,
    1,
  );
}

function readKey(query: string, position: number, at: number): { step: PathStep; length: number } {
  if (query[position] === '"') {
    const { text, length } = readQuoted(query, position);
    return { step: keyStep(text, position, length), length };
  }
  const text = query.slice(position, wordEnd(query, position, KEY_STOPS));
  if (text === '')
    throw new QueryError('a key is missing in the path', 'example: @params.payload.sender:Shell', at, position - at);
  return { step: text === '*' ? { any: true } : keyStep(text, position, text.length), length: text.length };
}

function keyStep(text: string, at: number, length: number): PathStep {
  checkLimit('the key is too long', text.length, MAX_KEY_CHARS, 'characters', at, length);
  return { key: text };
}

function readBracket(query: string, position: number): { step: PathStep; length: number } {
  const [all, inside] = /^\[(\*|\d{1,9})\]/.exec(query.slice(position, position + 12)) ?? [];
  if (all === undefined || inside === undefined)
    throw new QueryError('expected a number or * in brackets', 'example: [0], or [*] for any element', position, 1);
  return { step: inside === '*' ? { any: true } : { index: Number(inside) }, length: all.length };
}
