/** Every type that is read has a shape, and the shapes are those of real messages: none without one of its fields. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CompositeShape, type JsonShape } from '../../../../lib/dialects/rules/schema.ts';
import { findMismatches } from '../../../../lib/dialects/rules/shape-mismatches.ts';
import { EVENTS as READ, LEGACY_EVENTS as READ_LEGACY } from '../../../../lib/dialects/wire/events.ts';
import { METHODS as READ_METHODS } from '../../../../lib/dialects/wire/methods.ts';
import { REQUESTS as READ_REQUESTS } from '../../../../lib/dialects/wire/requests.ts';
import { METHODS } from '../../../../lib/dialects/wire/rules/methods.ts';
import { EVENTS, LEGACY_EVENTS, REQUESTS } from '../../../../lib/dialects/wire/rules/shapes.ts';
import { isObject, parseJson, textOf } from '../../../../lib/model/message.ts';
import { readLineLog } from '../../../../lib/storage/tape/import/line-log.ts';
import { fixtures } from '../../../support/timeline.ts';

/** Never in a release. */
const UNRELEASED = 'set_yolo_mode';
/** Had no payload. */
const BARE = ['step_interrupted', 'compaction_begin', 'compaction_end'];

const names = (map: ReadonlyMap<unknown, unknown>) => [...map.keys()] as string[];

describe('shapes', () => {
  it('are there for all that is read', () => {
    expect(names(READ).filter((name) => !Object.hasOwn(EVENTS, name))).toEqual([]);
    expect(names(READ_REQUESTS).filter((name) => !Object.hasOwn(REQUESTS, name))).toEqual([]);
    expect(names(READ_LEGACY).filter((name) => !Object.hasOwn(LEGACY_EVENTS, name))).toEqual(BARE);
    expect(names(READ_METHODS).filter((name) => !Object.hasOwn(METHODS, name))).toEqual([UNRELEASED]);
  });

  const seen = payloads();

  it('are seen in real sessions, most of them', () => {
    expect(seen.size).toBeGreaterThan(25);
  });

  it.each([...seen])('%s: nothing is missing, and nothing may be', (type, payload) => {
    const shape: JsonShape = EVENTS[type] ?? REQUESTS[type] ?? LEGACY_EVENTS[type]!;
    expect(findMismatches(payload, shape, 'payload')).toEqual([]);
    for (const key of required(shape, payload)) {
      const { [key]: _gone, ...rest } = payload;
      expect(findMismatches(rest, shape, 'payload'), key).toMatchObject([{ what: 'is missing' }]);
      expect(findMismatches({ ...rest, [key]: Symbol('odd') }, shape, 'payload'), key).not.toEqual([]);
    }
  });
});

/** The keys that must be there; a value of a type that anything fits is none of them. */
function required(shape: JsonShape, payload: Record<string, unknown>): string[] {
  if (typeof shape === 'string' || typeof shape === 'function') return [];
  if (!(shape instanceof CompositeShape)) return Object.keys(shape).filter(isNeeded);
  const { of } = shape;
  if ('either' in of) return required(of.either.find((one) => findMismatches(payload, one, '').length === 0)!, payload);
  return 'shapes' in of ? ['type', ...Object.keys(of.shapes[String(payload.type)] ?? {})].filter(isNeeded) : [];
}

const isNeeded = (key: string) => !key.endsWith('?');

/** One payload of each type that the tapes of the project hold. */
function payloads(): Map<string, Record<string, unknown>> {
  const found = new Map<string, Record<string, unknown>>();
  for (const folder of readdirSync(fixtures).filter((name) => name.startsWith('wire-'))) {
    for (const name of readdirSync(join(fixtures, folder)).filter((name) => /(?<!\.meta)\.jsonl$/.test(name))) {
      for (const { from, form, raw } of readLineLog(join(fixtures, folder, name)).frames) {
        const value = from === 'agent' && form !== 'event' ? parseJson(textOf(raw)) : null;
        const params = isObject(value) && isObject(value.params) ? value.params : {};
        const type = String(params.type);
        const isKnown = [EVENTS, REQUESTS, LEGACY_EVENTS].some((table) => Object.hasOwn(table, type));
        if (isKnown && isObject(params.payload) && !found.has(type)) found.set(type, params.payload);
      }
    }
  }
  return found;
}
