/**
 * Where the ids and the volatile values of a dialect are, as a tree of keys. A line is walked along it in its parsed form
 * (to compare, to learn ids) or as text (to put other ids in, leaving all other bytes as they are).
 */

import type { ReplayTraits } from '../dialects/traits.ts';
import { exactJson, type Id } from '../model/id.ts';
import { skipSpace, stringEnd } from '../model/json/json-number.ts';

/** Which numbering an id belongs to: both sides count their requests from 0. `volatile` is no id at all. */
export type IdScope =
  | 'shared'
  | 'request'
  | 'sender'
  | 'receiver'
  | 'token'
  | 'token-of-receiver'
  | 'volatile'
  | 'introduction';

export interface IdTree {
  place: IdScope | null;
  keys: Map<string, IdTree>;
  /** Any element of an array, or any member of an object. */
  any: IdTree | null;
}

const REQUEST_IDS = ['id'];

export function idTreeOf(replay: ReplayTraits): IdTree {
  const root = newIdTree();
  const { requestIds = REQUEST_IDS, ids = [], senderIds = [], receiverIds = [] } = replay;
  addPaths(root, ids, 'shared');
  addPaths(root, replay.clientIds ?? [], 'shared');
  addPaths(root, replay.volatile ?? [], 'volatile');
  addPaths(root, replay.introduction ?? [], 'introduction');
  addPaths(root, senderIds, 'sender');
  addPaths(root, receiverIds, 'receiver');
  addPaths(root, replay.tokens?.given ?? [], 'token');
  addPaths(root, replay.tokens?.named ?? [], 'token-of-receiver');
  // The last one wins: a list of ids may name the id of the request too.
  addPaths(root, requestIds, 'request');
  return root;
}

function newIdTree(): IdTree {
  return { place: null, keys: new Map(), any: null };
}

function addPaths(root: IdTree, paths: readonly string[], place: IdScope): void {
  for (const path of paths) {
    let here = root;
    for (const step of path.replaceAll('[*]', '.*').split('.')) {
      if (step === '*') {
        here.any ??= newIdTree();
        here = here.any;
        continue;
      }
      let next = here.keys.get(step);
      if (!next) {
        next = newIdTree();
        here.keys.set(step, next);
      }
      here = next;
    }
    here.place = place;
  }
}

export function subtreeAt(tree: IdTree | null, key: string): IdTree | null {
  return tree === null ? null : (tree.keys.get(key) ?? tree.any);
}

/** Calls `visit` with every id in a parsed line, and with the part of the tree that names its place. */
export function eachId(value: unknown, tree: IdTree, visit: (id: unknown, place: IdScope, tree: IdTree) => void): void {
  if (tree.place !== null && tree.place !== 'volatile' && tree.place !== 'introduction') visit(value, tree.place, tree);
  if (value === null || typeof value !== 'object') return;
  if (tree.any) for (const one of Object.values(value)) eachId(one, tree.any, visit);
  const { keys } = tree;
  if (keys.size === 0 || Array.isArray(value)) return;
  // Every line is walked: most objects have fewer members than the tree has keys.
  for (const key in value) {
    const inner = keys.get(key);
    if (inner) eachId((value as Record<string, unknown>)[key], inner, visit);
  }
}

/**
 * The text of a JSON value with other ids: `change` gets each id as it is written, with its quotes, and returns what stands
 * there instead. All other bytes stay as they are.
 */
export function rewrite(text: string, tree: IdTree, change: (token: string, place: IdScope) => string): string {
  const parts: string[] = [];
  let done = 0;
  walk(text, skipSpace(text, 0), tree, (from, to, place) => {
    const token = text.slice(from, to);
    const instead = change(token, place);
    if (instead === token) return;
    parts.push(text.slice(done, from), instead);
    done = to;
  });
  return done === 0 ? text : parts.join('') + text.slice(done);
}

type VisitToken = (from: number, to: number, place: IdScope) => void;

/** Walks the value that starts at `at` and returns where it ends. */
function walk(text: string, at: number, tree: IdTree | null, found: VisitToken): number {
  const c = text[at];
  if (tree === null) return skipValue(text, at);
  if (c === '{') return walkObject(text, at, tree, found);
  if (c === '[') return walkArray(text, at, tree, found);
  const end = skipValue(text, at);
  if (tree.place !== null) found(at, end, tree.place);
  return end;
}

function walkObject(text: string, from: number, tree: IdTree, found: VisitToken): number {
  let at = skipSpace(text, from + 1);
  while (text[at] === '"') {
    const keyEnd = stringEnd(text, at);
    const quoted = text.slice(at, keyEnd);
    const key = quoted.includes('\\') ? keyOf(quoted) : quoted.slice(1, -1);
    const value = skipSpace(text, skipSpace(text, keyEnd) + 1);
    at = skipSpace(text, walk(text, value, subtreeAt(tree, key), found));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return at + 1;
}

function walkArray(text: string, from: number, tree: IdTree, found: VisitToken): number {
  let at = skipSpace(text, from + 1);
  while (at < text.length && text[at] !== ']') {
    at = skipSpace(text, walk(text, at, tree.any, found));
    if (text[at] === ',') at = skipSpace(text, at + 1);
  }
  return at + 1;
}

function keyOf(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return quoted;
  }
}

const SCALAR_END = /[,\]}\s]/g;
const NESTING = /["{}[\]]/g;

/** After a value that is of no interest. */
function skipValue(text: string, from: number): number {
  const c = text[from];
  if (c === '"') return stringEnd(text, from);
  if (c !== '{' && c !== '[') {
    SCALAR_END.lastIndex = from;
    const end = SCALAR_END.exec(text);
    return end ? end.index : text.length;
  }
  let depth = 0;
  let at = from;
  for (;;) {
    NESTING.lastIndex = at;
    const next = NESTING.exec(text);
    if (!next) return text.length;
    if (next[0] === '"') {
      at = stringEnd(text, next.index);
      continue;
    }
    depth += next[0] === '{' || next[0] === '[' ? 1 : -1;
    at = next.index + 1;
    if (depth === 0) return at;
  }
}

/** A line that answers a request, with the id of another one. */
export function withRequestId(text: string, id: Exclude<Id, null>, tree: IdTree): string {
  return rewrite(text, tree, (token, place) => (place === 'request' ? exactJson(id) : token));
}
