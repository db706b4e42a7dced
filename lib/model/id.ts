/**
 * Request ids as they were written. `JSON.parse` rounds numbers beyond 2^53, so two neighbouring ids would become one.
 * Such an id is kept as a bigint, read from the digits on the line. Peers compare values, so numbers that JavaScript
 * represents exactly stay numbers: `1.0` is `1`, `1e2` is `100`.
 */
import { numberAt } from './json/json-number.ts';

export type Id = string | number | bigint | null;

type MessageObject = Record<string, unknown>;
type KeyPath = readonly string[];

/** Where ids are: in JSON-RPC, in the control channel, and in cancellations. */
const ID_PATHS: readonly KeyPath[] = [['id'], ['request_id'], ['response', 'request_id']];
const CANCEL_ID_PATHS: readonly KeyPath[] = [
  ['params', 'id'],
  ['params', 'requestId'],
];
/** No peer counts this far, and longer numbers take time to read. */
const MAX_ID_DIGITS = 4096;

/** The message with exact ids. Almost always this is the same object. */
export function withExactIds(message: MessageObject, text: string | null): MessageObject {
  const { id, request_id, response, method } = message;
  const cancels = typeof method === 'string' && isCancel(method);
  // Runs for every line, so the common case allocates nothing.
  if (!cancels && !isInexact(id) && !isInexact(request_id) && typeof response !== 'object') return message;
  const paths = cancels ? [...ID_PATHS, ...CANCEL_ID_PATHS] : ID_PATHS;
  return paths.reduce((exact, path) => withExact(exact, text, path), message);
}

/** The latest method, and whether it cancels: the next line mostly has the same. */
let latestMethod = '';
let latestCancels = false;

function isCancel(method: string): boolean {
  if (method !== latestMethod) {
    latestMethod = method;
    latestCancels = method.includes('ancel');
  }
  return latestCancels;
}

/** The same for a row that was written by `exactJson`. */
export function withExactId<T extends object>(row: T, text: string, key: keyof T & string): T {
  return withExact(row as MessageObject, text, [key]) as T;
}

/** Parses the JSON text of an id. */
export function idOfJson(text: string): Id {
  try {
    const id: unknown = JSON.parse(text);
    if (isInexact(id)) return exactNumber(id, text);
    return isId(id) ? id : null;
  } catch {
    return null;
  }
}

export function isId(value: unknown): value is string | number | bigint {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
}

/** Serialises as JSON, with a bigint as its digits. Like `JSON.stringify`, throws if the value is nested too deep. */
export function exactJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return serialiseExactly(value);
  }
}

function withExact(message: MessageObject, text: string | null, path: KeyPath): MessageObject {
  const [key, inner] = path as [string, string?];
  const value = message[key];
  if (inner === undefined) {
    if (!isInexact(value) || text === null) return message;
    return { ...message, [key]: exactNumber(value, numberAt(text, path)) };
  }
  const id = (value as MessageObject | null | undefined)?.[inner];
  if (!isInexact(id) || text === null) return message;
  return { ...message, [key]: { ...(value as MessageObject), [inner]: exactNumber(id, numberAt(text, path)) } };
}

function isInexact(value: unknown): value is number {
  return typeof value === 'number' && (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER);
}

function exactNumber(id: number, token: string | null): number | bigint {
  if (token !== null && token.length <= MAX_ID_DIGITS && /^-?\d+$/.test(token)) return BigInt(token);
  // Written with an exponent, so only its value is known. A value beyond the range of numbers stays infinite.
  return Number.isFinite(id) ? BigInt(id) : id;
}

function serialiseExactly(value: unknown): string {
  if (typeof value === 'bigint') return `${value}`;
  if (Array.isArray(value)) return `[${value.map((one) => serialiseExactly(one) ?? 'null')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${members.map(([key, one]) => `${JSON.stringify(key)}:${serialiseExactly(one)}`)}}`;
}
