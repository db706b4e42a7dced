/** Which types of messages and which fields a session has, and where each comes first: what a version changed on the wire. */
import { isObject } from '../../../model/message.ts';
import type { ReadFrame } from '../../../model/read-frame.ts';
import type { Observer } from '../../../session/pass.ts';
import type { Change, DiffEntry } from '../result.ts';
import { makeSectionEntry } from './section.ts';

/** Keys whose value says which of several messages this is. */
const TYPE_KEYS = ['method', 'type', 'subtype', 'sessionUpdate', 'event'];
/** Below these is what models and tools write: no part of the protocol. */
const CONTENT_KEYS = new Set([
  ...['arguments', 'input', 'rawInput', 'rawOutput', 'updatedInput', 'structuredContent', 'tool_use_result', 'answers'],
]);
/** Objects with more keys than this are tables, not messages. */
const MAX_KEYS = 64;
const MAX_SHAPE_DEPTH = 16;
/** Real protocols have fewer. */
const MAX_TYPES = 1000;
const MAX_FIELDS = 2000;

interface ShapeField {
  f: number;
  types: Set<string>;
}

interface ShapeType {
  f: number;
  fields: Map<string, ShapeField>;
}

export class MessageShapes implements Observer {
  readonly types = new Map<string, ShapeType>();

  take({ frame, value, pairing }: ReadFrame): void {
    if (!isObject(value) || (frame.from !== 'client' && frame.from !== 'agent')) return;
    const answered = pairing?.role === 'answers' ? pairing.exchange?.method : null;
    const name = `${frame.from} ${answered ? `answer to ${answered}` : namesIn(value, 0).join(' ') || 'message'}`;
    let type = this.types.get(name);
    if (!type) {
      if (this.types.size >= MAX_TYPES) return;
      type = { f: frame.f, fields: new Map() };
      this.types.set(name, type);
    }
    this.#walk(value, '', type.fields, frame.f, 0);
  }

  #walk(value: unknown, path: string, fields: Map<string, ShapeField>, f: number, depth: number): void {
    if (path !== '') this.#note(path, typeOf(value), fields, f);
    if (typeof value !== 'object' || value === null || depth > MAX_SHAPE_DEPTH) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, MAX_KEYS)) {
        const kind = isObject(one) && typeof one.type === 'string' && one.type.length < 40 ? one.type : '*';
        this.#walk(one, `${path}/[${kind}]`, fields, f, depth + 1);
      }
      return;
    }
    const keys = Object.keys(value);
    if (keys.length > MAX_KEYS) return;
    for (const key of keys) {
      const inner = `${path}/${key}`;
      if (CONTENT_KEYS.has(key)) this.#note(inner, typeOf((value as Record<string, unknown>)[key]), fields, f);
      else this.#walk((value as Record<string, unknown>)[key], inner, fields, f, depth + 1);
    }
  }

  #note(path: string, type: string, fields: Map<string, ShapeField>, f: number): void {
    const known = fields.get(path);
    if (known) known.types.add(type);
    else if (fields.size < MAX_FIELDS) fields.set(path, { f, types: new Set([type]) });
  }
}

/** The types of a message and of those inside it, from outside to inside. */
function namesIn(value: Record<string, unknown>, depth: number): string[] {
  const names = TYPE_KEYS.flatMap((key) => (typeof value[key] === 'string' ? [value[key] as string] : []));
  if (depth > 2) return names;
  for (const key of ['params', 'update', 'request', 'event', 'delta']) {
    const inner = value[key];
    if (isObject(inner)) names.push(...namesIn(inner, depth + 1));
  }
  return names;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

export function diffShapes(sessions: { a: string; b: string }, a: MessageShapes, b: MessageShapes): DiffEntry[] {
  return [...new Set([...a.types.keys(), ...b.types.keys()])].flatMap((name): DiffEntry[] => {
    const [was, is] = [a.types.get(name), b.types.get(name)];
    if (was && is) return diffFields(sessions, name, was, is);
    const op = was ? 'removed' : 'added';
    const fields = { kind: 'message' as const, name, a: was?.f ?? null, b: is?.f ?? null, changes: [] };
    return [makeSectionEntry('shape', sessions, op, fields)];
  });
}

function diffFields(sessions: { a: string; b: string }, name: string, a: ShapeType, b: ShapeType): DiffEntry[] {
  const paths = [...new Set([...a.fields.keys(), ...b.fields.keys()])];
  const newPaths = new Set<string>();
  return paths.flatMap((path): DiffEntry[] => {
    const [was, is] = [a.fields.get(path), b.fields.get(path)];
    const [before, after] = [typesOf(was), typesOf(is)];
    if (before === after || (was && is && isOptional(was, is))) return [];
    // What is inside something new is new too.
    if ([...newPaths].some((outer) => path.startsWith(`${outer}/`))) return [];
    const op = was ? (is ? 'changed' : 'removed') : 'added';
    if (op !== 'changed') newPaths.add(path);
    const changes: Change[] = [{ op, path, a: was ? before : null, b: is ? after : null }];
    const entry = {
      kind: 'field' as const,
      name: name + path,
      what: name,
      a: was?.f ?? null,
      b: is?.f ?? null,
      changes,
    };
    return [makeSectionEntry('shape', sessions, op, entry)];
  });
}

const typesOf = (field: ShapeField | undefined): string => (field ? [...field.types].sort().join(' or ') : '');

/** A value that may be null was null in one of them. */
function isOptional(a: ShapeField, b: ShapeField): boolean {
  const kinds = (field: ShapeField) => [...field.types].filter((type) => type !== 'null');
  const [one, other] = [kinds(a), kinds(b)];
  return one.length === 0 || other.length === 0 || one.sort().join() === other.sort().join();
}
