/** Spans sent to a collector: a real server that accepts, is busy, refuses, or is not there. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { otlpRequests } from '../../../../lib/output/export/otlp.ts';
import { sendOtlp, tracesUrl } from '../../../../lib/output/export/otlp-send.ts';
import { sessionOn } from '../../../support/session.ts';

type Answering = (request: IncomingMessage, body: string, response: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function collector(answer: Answering): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => answer(request, body, response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const tour = () => otlpRequests(sessionOn('samples/tapes/tour.jsonl'));

describe('spans for a collector', () => {
  it('are posted as JSON to the path of traces', async () => {
    const got: { url: string; type: string; spans: number }[] = [];
    const endpoint = await collector(({ url, headers }, body, response) => {
      const { spans } = JSON.parse(body).resourceSpans[0].scopeSpans[0];
      got.push({ url: url!, type: headers['content-type']!, spans: spans.length });
      response.end('{}');
    });
    const sent = await sendOtlp(endpoint, tour());
    expect(got).toEqual([{ url: '/v1/traces', type: 'application/json', spans: sent.spans }]);
    expect(sent).toMatchObject({ requests: 1, rejected: 0, message: null });
  });

  it('are sent again while the collector is busy, as late as it asks', async () => {
    let tries = 0;
    const slept: number[] = [];
    const endpoint = await collector((_, __, response) => {
      tries++;
      if (tries === 1) response.writeHead(503, { 'retry-after': '7' }).end();
      else if (tries === 2) response.writeHead(429).end();
      else response.end('{"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}}');
    });
    const sleep = async (ms: number) => void slept.push(ms);
    const reasons: string[] = [];
    const onRetry = (reason: string) => void reasons.push(reason);
    expect(await sendOtlp(endpoint, tour(), { sleep, onRetry })).toMatchObject({ rejected: 2, message: 'too old' });
    expect(slept).toEqual([7000, 1000]);
    expect(reasons).toEqual(['the collector answered 503', 'the collector answered 429']);
  });

  it('are not sent again where they were refused', async () => {
    let tries = 0;
    const endpoint = await collector((_, __, response) => {
      tries++;
      response.writeHead(400).end('no such field');
    });
    await expect(sendOtlp(endpoint, tour())).rejects.toThrow('the collector answered 400: no such field');
    expect(tries).toBe(1);
  });

  it('are sent, whatever the collector has to say about it', async () => {
    let written = 0;
    const block = 'A'.repeat(1 << 16);
    const closed: Promise<void>[] = [];
    const endpoint = await collector((_, __, response) => {
      closed.push(new Promise((done) => response.on('close', done)));
      const flood = () => {
        while (!response.destroyed && response.write(block)) written += block.length;
        written += block.length;
        if (!response.destroyed) response.once('drain', flood);
      };
      flood();
    });
    const sent = await sendOtlp(endpoint, tour());
    await Promise.all(closed);
    expect(sent).toMatchObject({ rejected: 0, message: null });
    // What fills the buffers of the system, and no more.
    expect(written).toBeLessThan(64 << 20);
  });

  it('are counted by us, not by the collector', async () => {
    for (const rejectedSpans of ['-5', '1e999', 'many', '99999999', null, {}]) {
      const errorMessage = 'x'.repeat(5000);
      const endpoint = await collector((_, __, response) =>
        response.end(JSON.stringify({ partialSuccess: { rejectedSpans, errorMessage } })),
      );
      const { spans, rejected, message } = await sendOtlp(endpoint, tour());
      expect(rejected >= 0 && rejected <= spans, String(rejectedSpans)).toBe(true);
      expect(message!.length).toBeLessThanOrEqual(300);
    }
  });

  it('go only where the user says', async () => {
    let seen = 0;
    const other = await collector((_, __, response) => {
      seen++;
      response.end('{}');
    });
    const endpoint = await collector((_, __, response) => response.writeHead(307, { location: `${other}/x` }).end());
    const failure = await sendOtlp(endpoint, tour()).catch((error) => error);
    expect([failure.message, failure.hint]).toEqual([
      expect.stringContaining('the collector answered 307'),
      `it redirects to ${other}/x`,
    ]);
    expect(seen).toBe(0);
  });

  it('wait as long as is reasonable for a collector that has no room', async () => {
    let tries = 0;
    const endpoint = await collector((_, __, response) => {
      tries++;
      response.writeHead(503, { 'retry-after': '99999999' }).end();
    });
    const slept: number[] = [];
    const sleep = async (ms: number) => void slept.push(ms);
    await expect(sendOtlp(endpoint, tour(), { sleep })).rejects.toThrow('the collector answered 503, 5 times');
    expect([tries, slept]).toEqual([5, [30_000, 30_000, 30_000, 30_000]]);
  });

  it('need a collector', async () => {
    const endpoint = await collector(() => {});
    for (const close of closing.splice(0)) close();
    const slept: number[] = [];
    const sleep = async (ms: number) => void slept.push(ms);
    await expect(sendOtlp(endpoint, tour(), { sleep })).rejects.toThrow('ECONNREFUSED, 5 times');
    expect(slept).toEqual([500, 1000, 2000, 4000]);
  });

  it('need an address', () => {
    expect(String(tracesUrl('http://host:4318'))).toBe('http://host:4318/v1/traces');
    expect(String(tracesUrl('https://host/otlp/v1/traces'))).toBe('https://host/otlp/v1/traces');
    for (const wrong of ['localhost:4318', 'ftp://host', 'collector', ''])
      expect(() => tracesUrl(wrong)).toThrow('invalid endpoint');
  });
});
