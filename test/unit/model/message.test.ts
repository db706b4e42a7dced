import { describe, expect, it } from 'vitest';
import { Exchanges } from '../../../lib/model/exchange.ts';
import type { Frame } from '../../../lib/model/frame.ts';
import { readMessage, textOf } from '../../../lib/model/message.ts';

describe('readMessage', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":"1","method":"prompt"}', { envelope: 'request', method: 'prompt', id: '1' }],
    ['{"id":0,"method":"x"}', { envelope: 'request', id: 0 }],
    ['{"method":"event","params":{}}', { envelope: 'notification', id: null }],
    ['{"id":7,"result":null}', { envelope: 'response', id: 7 }],
    ['{"id":null,"error":{"code":-32700,"message":"x"}}', { envelope: 'error', id: null, code: -32700 }],
    ['{"id":7,"result":{},"error":{"code":1}}', { envelope: 'error', code: 1 }],
    ['{"id":7,"result":{},"error":null}', { envelope: 'response', code: null, body: {} }],
    ['{"type":"assistant","message":{}}', { envelope: 'none', type: 'assistant' }],
    ['[1]', { envelope: 'none' }],
    ['not json', { envelope: 'none' }],
    ['null', { envelope: 'none' }],
  ])('%s', (text, expected) => {
    expect(readMessage(text)).toMatchObject(expected);
  });

  it('does not take bytes for text', () => {
    expect(textOf(new Uint8Array([0xff, 0xfe]))).toBeNull();
    expect(textOf(new Uint8Array([0xef, 0xbb, 0xbf, 0x41]))).toBe('\ufeffA');
  });
});

describe('Exchanges', () => {
  it('pairs by asker and by the type of the id', () => {
    const pairs = new Exchanges();
    let f = 0;
    const take = (from: Frame['from'], text: string) => {
      const frame = { f: ++f, t: f, from } as Frame;
      return pairs.take(frame, readMessage(text));
    };
    take('client', '{"id":1,"method":"prompt"}');
    take('agent', '{"id":1,"method":"request"}');
    take('client', '{"id":"1","method":"other"}');
    expect(take('client', '{"id":1,"result":{}}')).toMatchObject({
      role: 'answers',
      exchange: { asker: 'agent', askedF: 2, answerF: 4 },
    });
    expect(take('agent', '{"id":"1","result":{}}')).toMatchObject({
      role: 'answers',
      exchange: { method: 'other', askedF: 3 },
    });
    expect(take('agent', '{"id":1,"error":{}}')).toMatchObject({
      role: 'answers',
      exchange: { method: 'prompt', askedF: 1, answerF: 6 },
    });
    expect(take('agent', '{"id":1,"result":{}}')).toMatchObject({
      role: 'duplicate',
      exchange: { askedF: 1, answerF: 6 },
    });
    expect(take('agent', '{"id":9,"result":{}}')).toEqual({ role: 'orphan', exchange: null });
  });

  it('tells a request that is sent again from another one under the same id', () => {
    const pairs = new Exchanges();
    let f = 0;
    const take = (text: string) => pairs.take({ f: ++f, t: f, from: 'agent' } as Frame, readMessage(text));
    expect(take('{"id":1,"method":"request","params":{"a":1}}')?.role).toBe('asks');
    expect(take('{"id":1,"method":"request","params":{"a":1}}')).toMatchObject({
      role: 'asks-again',
      exchange: { askedF: 1 },
    });
    expect(take('{"id":1,"method":"request","params":{"a":2}}')).toMatchObject({
      role: 'asks',
      exchange: { askedF: 3 },
    });
  });

  it('pairs nothing by a null id', () => {
    const pairs = new Exchanges();
    const take = (from: Frame['from'], text: string) => pairs.take({ f: 1, t: 0, from } as Frame, readMessage(text));
    expect(take('client', '{"id":null,"method":"cancel"}')).toBeNull();
    expect(take('agent', '{"id":null,"error":{"code":-32600}}')).toEqual({ role: 'orphan', exchange: null });
  });

  it('takes requests nested deeper than can be written', () => {
    const pairs = new Exchanges();
    const deep = `{"id":1,"method":"x","params":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const take = () => pairs.take({ f: 1, t: 0, from: 'client' } as Frame, readMessage(deep));
    expect(take()?.role).toBe('asks');
    expect(take()?.role).toBe('asks');
  });
});
