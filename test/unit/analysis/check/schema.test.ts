import { describe, expect, it } from 'vitest';
import { either, type JsonShape, mapOf, tagged, wrapped } from '../../../../lib/dialects/rules/schema.ts';
import { findMismatches } from '../../../../lib/dialects/rules/shape-mismatches.ts';

const PART: JsonShape = tagged('type', {
  text: { text: 'string' },
  think: { think: 'string', 'more?': 'string|null' },
});
const EVENT: JsonShape = wrapped('type', 'payload', { Step: { n: 'integer' }, Nested: { event: () => EVENT } });

const told = (value: unknown, shape: JsonShape) =>
  findMismatches(value, shape, 'x').map(({ path, what }) => `${path} ${what}`);

describe('a value fits', () => {
  it.each<[string, unknown, JsonShape]>([
    ['a word', 'a', 'string'],
    ['one of several', null, 'string|null'],
    ['an integer that is written as a float', 1.0, 'integer'],
    ['a text that is one of the words', 'block', "'allow'|'block'"],
    ['fields, with one that nobody knows', { a: 1, b: [] }, { a: 'number' }],
    ['fields, without one that may be absent', {}, { 'a?': 'number' }],
    ['a list', ['a', 'b'], ['string']],
    ['an empty list', [], ['string']],
    ['a map', { a: '1', b: '2' }, mapOf('string')],
    ['a known type', { type: 'text', text: '' }, PART],
    ['an unknown type', { type: 'smell' }, PART],
    ['a type with the name of something else', { type: 'constructor' }, PART],
    ['one of two shapes', [{ type: 'think', think: '', more: null }], either('string', [PART])],
    ['itself in itself', { type: 'Nested', payload: { event: { type: 'Step', payload: { n: 1 } } } }, EVENT],
  ])('%s', (_, value, shape) => {
    expect(told(value, shape)).toEqual([]);
  });
});

describe('a value does not fit', () => {
  it.each<[string, unknown, JsonShape, string[]]>([
    ['another type', 1, 'string', ['x is the number 1, not a string']],
    ['none of several', true, 'string|null', ['x is true, not a string or null']],
    ['a float for an integer', 1.5, 'integer', ['x is the number 1.5, not an integer']],
    ['another word', 'maybe', "'allow'|'block'", ['x is "maybe", not "allow" or "block"']],
    ['a field that is missing', {}, { a: 'number' }, ['x.a is missing']],
    ['no object', null, {}, ['x is null, not an object']],
    ['an item', ['a', 1], ['string'], ['x[1] is the number 1, not a string']],
    ['a value of a map', { a: 1 }, mapOf('string'), ['x.a is the number 1, not a string']],
    ['no type', { text: '' }, PART, ['x.type is missing']],
    ['a type that is no text', { type: 1 }, PART, ['x.type is the number 1, not a string']],
    ['a field of a type', { type: 'text', text: 1 }, PART, ['x.text is the number 1, not a string']],
    ['neither of two', 1, either('string', [PART]), ['x is the number 1, not a string or a list']],
    ['nearly one of two', [{ type: 'text' }], either('string', [PART]), ['x[0].text is missing']],
    [
      'nearly the second of two',
      { b: 1, c: 'x' },
      either({ a: 'number', c: 'number' }, { b: 'number', c: 'number' }),
      ['x.c is the string "x", not a number'],
    ],
    [
      'deep inside',
      { type: 'Nested', payload: { event: { type: 'Step', payload: {} } } },
      EVENT,
      ['x.payload.event.payload.n is missing'],
    ],
  ])('%s', (_, value, shape, faults) => {
    expect(told(value, shape)).toEqual(faults);
  });
});

describe('hostile values', () => {
  it('are not walked without end', () => {
    let value: unknown = { type: 'Step', payload: {} };
    for (let i = 0; i < 5000; i++) value = { type: 'Nested', payload: { event: value } };
    expect(told(value, EVENT)).toEqual([]);
  });

  it('are told of a few times only', () => {
    expect(told(Array(100_000).fill(1), ['string'])).toHaveLength(5);
  });

  it('cannot be written as text', () => {
    expect(told({ toString: 1 }, "'a'|string")).toEqual(['x is an object, not "a" or a string']);
  });

  it('do not name what objects have by nature', () => {
    expect(told({ toString: 1 }, { toString: 'string' })).toEqual(['x.toString is the number 1, not a string']);
    expect(told({}, { toString: 'string' })).toEqual(['x.toString is missing']);
  });
});
