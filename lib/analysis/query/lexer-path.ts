/** Paths in a message, such as `@params.display[*]."odd key"[0]:`. */
import type { Step } from './ast.ts';
import { limit, QueryError, shown } from './error.ts';
import { quote, readQuoted, wordEnd } from './lexer-text.ts';

/** Characters that end an unquoted key. */
const STOPS = '.[]:"(),';
const MAX_STEPS = 64;
const MAX_KEY = 256;

/** Reads from the `@` to the end of the colon. */
export function readPath(query: string, at: number): { path: Step[]; length: number } {
  const path: Step[] = [];
  let here = at + 1;
  let wantsKey = query[here] !== '[';
  while (wantsKey || query[here] !== ':') {
    if (!wantsKey && query[here] !== '[' && query[here] !== '.') throw ended(query, at, here);
    limit('the path is too long', path.length + 1, MAX_STEPS, 'steps', at, here - at);
    if (!wantsKey && query[here] === '.') here++;
    const { step, length } = !wantsKey && query[here] === '[' ? bracket(query, here) : key(query, here, at);
    path.push(step);
    here += length;
    wantsKey = false;
  }
  return { path, length: here + 1 - at };
}

function ended(query: string, at: number, here: number): QueryError {
  const whole = query.slice(at, wordEnd(query, at, '()"'));
  const exists = `${shown(query.slice(at, here))}:* matches if it exists`;
  if (here >= query.length || /[\s()]/.test(query[here]!))
    return new QueryError(
      'a path needs a value',
      `${exists}; to search for the text, quote it: ${quote(shown(whole))}`,
      at,
      here - at,
    );
  return new QueryError(
    `unexpected ${query[here]} in a path`,
    'quote keys with special characters: @params."a b"',
    here,
    1,
  );
}

function key(query: string, here: number, at: number): { step: Step; length: number } {
  if (query[here] === '"') {
    const { text, length } = readQuoted(query, here);
    return { step: keyStep(text, here, length), length };
  }
  const text = query.slice(here, wordEnd(query, here, STOPS));
  if (text === '')
    throw new QueryError('a key is missing in the path', 'example: @params.payload.sender:Shell', at, here - at);
  return { step: text === '*' ? { any: true } : keyStep(text, here, text.length), length: text.length };
}

function keyStep(text: string, at: number, length: number): Step {
  limit('the key is too long', text.length, MAX_KEY, 'characters', at, length);
  return { key: text };
}

function bracket(query: string, here: number): { step: Step; length: number } {
  const [all, inside] = /^\[(\*|\d{1,9})\]/.exec(query.slice(here, here + 12)) ?? [];
  if (all === undefined || inside === undefined)
    throw new QueryError('expected a number or * in brackets', 'example: [0], or [*] for any element', here, 1);
  return { step: inside === '*' ? { any: true } : { index: Number(inside) }, length: all.length };
}
