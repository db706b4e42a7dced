/** Formats for other programs, over every tape of the suite: each keeps the rules of its readers. */
import { type Node as MarkdownNode, Parser } from 'commonmark';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../lib/model/frame.ts';
import { asciicast } from '../../../../lib/output/export/asciicast.ts';
import { csv } from '../../../../lib/output/export/csv.ts';
import type { ExportFormat } from '../../../../lib/output/export/index.ts';
import { json } from '../../../../lib/output/export/json.ts';
import { md } from '../../../../lib/output/export/md.ts';
import { mermaid } from '../../../../lib/output/export/mermaid.ts';
import { otlp } from '../../../../lib/output/export/otlp.ts';
import { perfetto } from '../../../../lib/output/export/perfetto.ts';
import { type Session, sessionInMemory } from '../../../../lib/session/session.ts';
import { summarise } from '../../../../lib/session/summary.ts';
import { fixtureSessions, metadataFor } from '../../../support/fixture-sessions.ts';
import { sample } from '../../../support/scale.ts';
import { sessionOn } from '../../../support/session.ts';

const QUIET = { note: () => {}, progress: () => {} };

const textOf = (format: ExportFormat, session: Session): string =>
  [...(format.write(session, QUIET) as Iterable<string | Uint8Array>)]
    .map((piece) => Buffer.from(piece as string).toString())
    .join('');

interface TraceEvent {
  ph: string;
  name: string;
  cat: string;
  pid: number;
  tid: number;
  ts: number;
  dur: number;
  args: Record<string, unknown>;
}

const eventsOf = (session: Session): TraceEvent[] => JSON.parse(textOf(perfetto, session)).traceEvents;

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const spansOf = (session: Session): OtlpSpan[] =>
  textOf(otlp, session)
    .trimEnd()
    .split('\n')
    .flatMap((line) => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans);

const tour = () => sessionOn('samples/tapes/tour.jsonl');
const hang = () => sessionOn('samples/tapes/hang.jsonl');

/** Text that means something to every reader. */
const HOSTILE = [
  '</details><script>alert(1)</script>',
  '````\n# heading\n````text',
  '@everyone fixes #1 https://github.com/a/b/issues/1',
  '![x](http://evil/x.png)',
  '[click](javascript:alert(1))',
  'end',
  'A->>C: forged; participant X',
  '| cell | `code',
  '\u001b[31m\u202e\u0000',
  '=cmd()',
];

function hostileSession(): Session {
  const lines = HOSTILE.flatMap((text, i) => [
    { from: 'client', value: { jsonrpc: '2.0', method: 'prompt', id: `p${i}`, params: { user_input: text } } },
    { from: 'agent', value: event('TurnBegin', { user_input: text }) },
    { from: 'agent', value: event('StepBegin', { n: 1 }) },
    { from: 'agent', value: event('ContentPart', { type: 'text', text }) },
    {
      from: 'agent',
      value: event('ToolCall', {
        type: 'function',
        id: `c${i}`,
        function: { name: text, arguments: JSON.stringify({ text }) },
      }),
    },
    {
      from: 'agent',
      value: event('ToolResult', {
        tool_call_id: `c${i}`,
        return_value: { is_error: false, output: text, message: text, display: [] },
      }),
    },
    { from: 'agent', value: { jsonrpc: '2.0', id: `p${i}`, result: { status: 'finished' } } },
  ]);
  const frames = lines.map(({ from, value }, i) => ({
    ...{ f: i + 1, t: i / 10, t0: null, from, form: 'message', eol: '\n', event: null, detail: null, flags: [] },
    raw: Buffer.from(JSON.stringify(value)),
  })) as unknown as Frame[];
  return sessionInMemory(metadataFor('hostile', ['kimi', '--wire']), frames);
}

const event = (type: string, payload: object) => ({ jsonrpc: '2.0', method: 'event', params: { type, payload } });

describe('trace events', () => {
  it('of every tape nest on each thread, as their readers demand', () => {
    for (const session of sample(fixtureSessions(), 40)) {
      const open = new Map<string, number[]>();
      for (const { ph, pid, tid, ts, dur, name } of eventsOf(session)) {
        expect(['X', 'M', 'C', 'i']).toContain(ph);
        if (ph !== 'X') continue;
        expect(Number.isInteger(ts) && ts >= 0 && dur >= 0, `${session.id} ${name}`).toBe(true);
        const ends = open.get(`${pid} ${tid}`) ?? [];
        open.set(`${pid} ${tid}`, ends);
        while (ends.length > 0 && ends.at(-1)! <= ts) ends.pop();
        if (ends.length > 0) expect(ends.at(-1)!, `${session.id} ${name}`).toBeGreaterThanOrEqual(ts + dur);
        ends.push(ts + dur);
      }
    }
  });

  it('have every call and every turn that the session has', () => {
    for (const session of [tour(), ...sample(fixtureSessions(), 40)]) {
      const events = eventsOf(session).filter(({ ph }) => ph === 'X');
      const count = (cat: string) => events.filter((one) => one.cat === cat).length;
      const { tools, turns } = summarise(session);
      expect([session.id, count('tool'), count('turn')]).toEqual([session.id, tools, turns]);
    }
  });

  it('keep waiting apart from running, and draw what never ended to the end of its turn', () => {
    const events = eventsOf(hang());
    const open = events.filter(({ args }) => args?.open === true);
    expect(open.map(({ cat }) => cat)).toEqual(expect.arrayContaining(['turn', 'tool', 'wait']));
    const [turn, tool, wait] = ['turn', 'tool', 'wait'].map((cat) => open.find((one) => one.cat === cat)!);
    expect(tool!.ts + tool!.dur).toBe(turn!.ts + turn!.dur);
    expect(wait!.dur).toBeGreaterThan(turn!.dur / 2);
  });

  it('count tokens and context', () => {
    const counters = eventsOf(tour()).filter(({ ph }) => ph === 'C');
    expect(new Set(counters.map(({ name }) => name))).toEqual(new Set(['tokens', 'context']));
    for (const { args } of counters) for (const value of Object.values(args)) expect(value).toBeTypeOf('number');
  });
});

describe('spans for OpenTelemetry', () => {
  it('of every tape are one tree, in time', () => {
    for (const session of sample(fixtureSessions(), 40)) {
      const spans = spansOf(session);
      const ids = new Set(spans.map(({ spanId }) => spanId));
      expect([session.id, ids.size]).toEqual([session.id, spans.length]);
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
      expect(spans.filter(({ parentSpanId }) => parentSpanId === undefined)).toHaveLength(1);
      for (const { parentSpanId, startTimeUnixNano, endTimeUnixNano, traceId, spanId } of spans) {
        if (parentSpanId !== undefined) expect(ids).toContain(parentSpanId);
        expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano));
        expect([traceId, spanId]).toEqual([
          expect.stringMatching(/^[0-9a-f]{32}$/),
          expect.stringMatching(/^[0-9a-f]{16}$/),
        ]);
      }
    }
  });

  it('keep to the conventions for generative AI', () => {
    const spans = spansOf(tour());
    const named = (name: string) => spans.find((span) => span.name === name)!;
    const attributes = (span: OtlpSpan) =>
      Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
    expect(attributes(named('invoke_agent Kimi Code CLI'))).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'Kimi Code CLI',
      'gen_ai.usage.input_tokens': '7845',
      'gen_ai.usage.output_tokens': '133',
    });
    expect(attributes(named('execute_tool Shell'))).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'Shell',
      'error.type': 'tool_error',
    });
    expect(attributes(named('wait approval'))).toMatchObject({ 'wiretape.decision': 'allow' });
  });

  it('are the same each time', () => {
    expect(textOf(otlp, tour())).toBe(textOf(otlp, tour()));
  });
});

describe('a sequence diagram', () => {
  it('has only lines of its grammar, whatever was recorded', () => {
    const LINE =
      /^ {2}(?:participant \w+(?: as [^;#]*(?:#\d+;[^;#]*)*)?|rect rgba\([\d., ]+\)|end|Note over [AC,]+: .+|[ACT]\d*(?:->>|-->>|--x)[ACT]\d*: .+)$/;
    for (const session of [tour(), hang(), hostileSession()]) {
      const [first, ...lines] = textOf(mermaid, session).trimEnd().split('\n');
      expect(first).toBe('sequenceDiagram');
      for (const line of lines) expect(line).toMatch(LINE);
      expect(lines.filter((line) => line === '  end')).toHaveLength(
        lines.filter((line) => line.includes(' rect ')).length,
      );
    }
  });

  it('says so where it is cut off', () => {
    const notes: string[] = [];
    const long = fixtureSessions().reduce((a, b) => (summarise(a).frames > summarise(b).frames ? a : b));
    const text = [
      ...(mermaid.write(long, { ...QUIET, note: (note) => void notes.push(note) }) as Iterable<string>),
    ].join('');
    expect(text.split('\n').length).toBeLessThan(330);
    expect(text.includes('cut off')).toBe(notes.length > 0);
  });
});

describe('Markdown', () => {
  /** What a reader of Markdown sees outside of code. */
  function outsideCode(text: string): { kinds: Set<string>; words: string } {
    const kinds = new Set<string>();
    let words = '';
    const walker = new Parser().parse(text).walker();
    for (let step = walker.next(); step; step = walker.next()) {
      const node: MarkdownNode = step.node;
      if (!step.entering) continue;
      kinds.add(node.type);
      if (node.type !== 'code' && node.type !== 'code_block') words += `${node.literal ?? ''} `;
    }
    return { kinds, words };
  }

  it('keeps hostile text in fences and code spans', () => {
    const { kinds, words } = outsideCode(textOf(md, hostileSession()));
    expect(kinds).not.toContain('link');
    expect(kinds).not.toContain('image');
    for (const bad of ['alert', '@everyone', '#1', 'evil', 'click', 'forged', 'heading', 'cmd()'])
      expect(words).not.toContain(bad);
  });

  it('has every prompt and every word of the agent', () => {
    const text = textOf(md, tour());
    for (const said of [
      'What is in this project?',
      'Let me look around first.',
      '总结：测试已修复 ✅',
      'high water at midnight',
    ])
      expect(text).toContain(said);
    expect(text.match(/^## Turn /gm)).toHaveLength(summarise(tour()).turns!);
  });
});

describe('JSON and CSV', () => {
  it('have what the commands print', () => {
    for (const session of sample(fixtureSessions(), 40)) {
      const { timeline, approvals, session: summary } = JSON.parse(textOf(json, session));
      expect(summary.frames).toBe(summarise(session).frames);
      expect([Array.isArray(timeline), Array.isArray(approvals)]).toEqual([true, true]);
      const lines = textOf(csv, session).trimEnd().split('\r\n');
      expect([session.id, lines.length]).toEqual([session.id, summary.frames + 1]);
    }
  });

  it('hold no formula', () => {
    expect(textOf(csv, hostileSession())).not.toMatch(/(?:^|,)"?[=@]/m);
  });
});

describe('a recording for asciinema', () => {
  it('has a header, then pictures in time that fit the terminal', () => {
    for (const session of [tour(), hang(), hostileSession()]) {
      const [header, ...events] = textOf(asciicast, session)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(header).toMatchObject({ version: 2, width: 100, height: 32 });
      expect(events.length).toBeGreaterThan(3);
      let before = 0;
      for (const [t, kind, text] of events) {
        expect(kind).toBe('o');
        expect(t).toBeGreaterThanOrEqual(before);
        before = t;
        expect(text.split('\r\n')).toHaveLength(32);
        // Ours, and nothing that was recorded.
        expect(text.replace(/\u001b\[(?:H|K|J|[\d;]*m)/g, '')).not.toContain('\u001b');
      }
    }
  });
});
