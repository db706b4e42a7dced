/** What wiretape exports, read by the programs that it is for. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { expect } from 'vitest';
import { wiretape } from '../support/run.ts';
import type { Place } from '../support/store.ts';
import { it, withAgents } from './support/agents.ts';

const TAPES = readdirSync('samples/tapes')
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => join('samples/tapes', name));

async function exported(place: Place, tape: string, format: string): Promise<string> {
  const { code, stdout } = await wiretape(place, ['export', tape, '--format', format]);
  expect(code).toBe(0);
  return String(stdout);
}

withAgents(['mermaid'], (mermaid) => {
  it("a sequence diagram is read by Mermaid's own parser", async ({ place }) => {
    const path = createRequire(join(mermaid.folder, 'package.json')).resolve('mermaid');
    const { default: reader } = await import(pathToFileURL(path).href);
    for (const tape of TAPES)
      expect(await reader.parse(await exported(place, tape, 'mermaid'))).toMatchObject({ diagramType: 'sequence' });
  });
});

withAgents(['otlp-proto'], (proto) => {
  // Ids are hexadecimal in OTLP, and base64 in the JSON of protocol buffers.
  const READ = `
import base64, json, sys
from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest as Request
count = 0
for line in sys.stdin:
    body = json.loads(line)
    for scope in body["resourceSpans"][0]["scopeSpans"]:
        for span in scope["spans"]:
            for key in ("traceId", "spanId", "parentSpanId"):
                if key in span: span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    request = json_format.ParseDict(body, Request())
    count += sum(len(scope.spans) for resource in request.resource_spans for scope in resource.scope_spans)
print(count)`;

  it('spans are requests of the OTLP schema', async ({ place }) => {
    for (const tape of TAPES) {
      const input = await exported(place, tape, 'otlp');
      const python = join(proto.folder, 'venv/bin/python');
      const { status, stdout, stderr } = spawnSync(python, ['-c', READ], { input, encoding: 'utf8' });
      expect([status, stderr]).toEqual([0, '']);
      expect(Number(stdout)).toBe(input.match(/"spanId"/g)!.length);
    }
  });
});

withAgents(['otel-collector'], (collector) => {
  it('spans are taken by a collector, exported and while they are recorded', async ({ place }) => {
    const port = await freePort();
    const endpoint = `127.0.0.1:${port}`;
    const config = join(place.dir, 'collector.yaml');
    writeFileSync(
      config,
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint } } } },
        exporters: { debug: { verbosity: 'detailed' } },
        service: {
          telemetry: { metrics: { level: 'none' } },
          pipelines: { traces: { receivers: ['otlp'], exporters: ['debug'] } },
        },
      }),
    );
    const child = spawn(collector.program, ['--config', `file:${config}`], { stdio: ['ignore', 'ignore', 'pipe'] });
    const said = new Said(child.stderr);
    try {
      await said.until(/Everything is ready/);
      let spans = 0;
      for (const tape of TAPES) {
        spans += (await exported(place, tape, 'otlp')).match(/"spanId"/g)!.length;
        const sent = await wiretape(place, ['export', tape, '--format', 'otlp', '--endpoint', `http://${endpoint}`]);
        expect([sent.code, sent.stderr.toString()]).toEqual([
          0,
          expect.stringMatching(/^wiretape: sent \d+ spans?\n$/),
        ]);
      }
      await said.until(/^Span #/gm, spans);
      const agent = [process.execPath, 'samples/agent.mjs'];
      await wiretape(place, ['record', '--otlp', `http://${endpoint}`, '--', ...agent], { input: '' });
      await said.until(/^Span #/gm, spans + 1);
      expect(said.text).toMatch(/Name {11}: execute_tool Shell/);
      expect(said.text).not.toMatch(/\terror\t/);
    } finally {
      child.kill();
    }
  });
});

/** What a program has said so far. */
class Said {
  text = '';
  #heard: () => void = () => {};

  constructor(stream: Readable) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      this.text += text;
      this.#heard();
    });
  }

  /** Waits until it has said it so many times. */
  async until(what: RegExp, times = 1): Promise<void> {
    while ((this.text.match(what)?.length ?? 0) < times)
      await new Promise<void>((heard) => {
        this.#heard = heard;
      });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

withAgents(['speedscope'], (speedscope) => {
  it('trace events are opened by speedscope', async ({ place, skip }) => {
    const executablePath = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(
      (path) => spawnSync(path, ['--version']).status === 0,
    );
    if (executablePath === undefined) return skip('no browser here');
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    try {
      for (const tape of TAPES) {
        const file = join(place.dir, 'trace.json');
        writeFileSync(file, await exported(place, tape, 'perfetto'));
        const page = await browser.newPage();
        const said: string[] = [];
        const imported = new Promise<void>((done) => {
          page.on('console', (message) => {
            const text = message.text();
            if (text.startsWith('import:')) done();
            else if (!/^speedscope|WebGL|^Importing as Trace Event/.test(text)) said.push(text);
          });
        });
        await page.goto(pathToFileURL(join(speedscope.folder, 'node_modules/speedscope/dist/release/index.html')).href);
        await page.setInputFiles('input[type=file]', file);
        await imported;
        expect(said).toEqual([]);
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});
