/** An id beyond 2^53 is what its line says, not what a double holds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Exchanges } from '../../../lib/model/exchange.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { exactJson, idOfJson, withExactIds } from '../../../lib/model/id.ts';
import { numberAt } from '../../../lib/model/json/json-number.ts';
import { readMessage } from '../../../lib/model/message.ts';

const idOf = (line: string) => readMessage(line).id;

function take(exchanges: Exchanges, f: number, from: 'client' | 'agent', line: string) {
  const raw = new TextEncoder().encode(line);
  const frame: Frame = { f, t: f, t0: null, from, form: 'message', raw, eol: '\n', event: null, detail: {} };
  return exchanges.take(frame, readMessage(line));
}

describe('an id', () => {
  it('is paired by its digits, where a number cannot hold them', () => {
    const exchanges = new Exchanges();
    take(exchanges, 1, 'client', '{"id":9007199254740992,"method":"a"}');
    take(exchanges, 2, 'client', '{"id":9007199254740993,"method":"b"}');
    const answer = take(exchanges, 3, 'agent', '{"result":1, "id" : 9007199254740992 }');
    expect(answer).toMatchObject({ role: 'answers', exchange: { askedF: 1 } });
    const other = take(exchanges, 4, 'agent', '{"id":9007199254740993,"result":1}');
    expect(other).toMatchObject({ role: 'answers', exchange: { askedF: 2 } });
    expect(take(exchanges, 5, 'agent', '{"id":9007199254740994,"result":1}')).toMatchObject({ role: 'orphan' });
    expect(take(exchanges, 6, 'agent', '{"id":"9007199254740993","result":1}')).toMatchObject({ role: 'orphan' });
  });

  it('is a value where a number holds it', () => {
    expect(idOf('{"id":1.0,"result":0}')).toBe(1);
    expect(idOf('{"id":1e2,"result":0}')).toBe(100);
    expect(idOf('{"id":9007199254740991,"result":0}')).toBe(9007199254740991);
    expect(idOf('{"id":1e21,"result":0}')).toBe(10n ** 21n);
    expect(idOf('{"id":-9007199254740993,"result":0}')).toBe(-9007199254740993n);
    expect(idOf('{"id":1e999,"result":0}')).toBe(Number.POSITIVE_INFINITY);
    expect(idOf(`{"id":${'9'.repeat(5000)},"result":0}`)).toBe(Number.POSITIVE_INFINITY);
  });

  it('is exact where a request is withdrawn, and on the control channel', () => {
    const exact = (line: string) => withExactIds(JSON.parse(line), line);
    const cancel = '{"method":"notifications/cancelled","params":{"a":{"requestId":1},"requestId":9007199254740993}}';
    expect(exact(cancel).params).toMatchObject({ requestId: 9007199254740993n });
    const answer = '{"type":"control_response","response":{"request_id":9007199254740993}}';
    expect(exact(answer).response).toEqual({ request_id: 9007199254740993n });
    const other = '{"method":"x","params":{"requestId":9007199254740993}}';
    expect(exact(other).params).toEqual({ requestId: 2 ** 53 });
  });

  it('is written and read as its digits', () => {
    const row = { id: 9007199254740993n, list: [1n, undefined, 'x'], none: undefined, nested: { a: 2n ** 70n } };
    const text = '{"id":9007199254740993,"list":[1,null,"x"],"nested":{"a":1180591620717411303424}}';
    expect(exactJson(row)).toBe(text);
    expect(idOfJson('9007199254740993')).toBe(9007199254740993n);
    expect(idOfJson('"9007199254740993"')).toBe('9007199254740993');
    expect(idOfJson('{"not":"an id"}')).toBe(null);
    expect(idOfJson('{')).toBe(null);
  });
});

describe('the digits of a number', () => {
  it('are found behind any JSON, where JSON.parse finds the number', () => {
    const name = fc.constantFrom('id', 'a', 'params', '"', '\\', 'é');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>('id', '"id":1', '{', '}', '\\', 7, null),
        tie('object'),
      ),
      object: fc.oneof(fc.dictionary(name, tie('tree')), fc.array(tie('tree'))),
    }));
    const spaces = fc.constantFrom('', ' ', '\t');
    fc.assert(
      fc.property(
        fc.dictionary(name, tree),
        fc.array(name, { minLength: 1, maxLength: 2 }),
        spaces,
        (value, path, space) => {
          let inner: unknown = 9007199254740992;
          for (const key of path.slice(1).reverse()) inner = { ...(value[key] as object), [key]: inner };
          const line = JSON.stringify({ ...value, [path[0]!]: inner }, null, space);
          expect(numberAt(line, path)).toBe('9007199254740992');
        },
      ),
    );
  });

  it('are those of the last of two keys, and none where there is no number', () => {
    expect(numberAt('{"id":1,"id":2}', ['id'])).toBe('2');
    expect(numberAt('{"\\u0069d":3}', ['id'])).toBe('3');
    expect(numberAt('{"id":1,"id":"2"}', ['id'])).toBe(null);
    expect(numberAt('{"a":{"id":1},"a":{}}', ['a', 'id'])).toBe(null);
    expect(numberAt('{"a":[{"id":1}],"b":{"id":4}}', ['a', 'id'])).toBe(null);
    expect(numberAt('{"x":"\\\\\\"","id":5}', ['id'])).toBe('5');
  });
});
