/** What the rules of the rule set would find does not survive, in any form; and every rule is known once. */
import { describe, expect, it } from 'vitest';
import { KNOWN_RULES, RULE_SET, SERVICE_RULES } from '../../../../lib/analysis/redact/rule-set.ts';
import { redactSession } from '../../../../lib/analysis/redact/session.ts';
import type { Frame } from '../../../../lib/model/frame.ts';
import { KEY_FORMATS } from '../../../../lib/model/text/key-formats.ts';
import { sessionInMemory } from '../../../../lib/session/session.ts';
import { sampleOf, seeded } from '../../../rules/sample-text.mjs';
import { metadataFor } from '../../../support/fixture-sessions.ts';

/** How the set itself writes its samples: § is the secret, and NAME that of the service. */
const NOTATIONS = [
  ...['NAMEToken="§"', 'NAME_token: §', 'NAME_TOKEN ::= "§"', 'NAME_TOKEN ?= "§"', 'var NAMEToken string = "§"'],
  ...['{"NAME_token": "§"}', '<NAMEToken>\n    §\n</NAMEToken>', 'System.setProperty("NAME_TOKEN", "§")'],
  ...['  "NAMEToken" => "§"', '$NAMEToken .= "§"', 'NAMEToken := `§`', 'NAME_api_token = "§"'],
];

interface Sample {
  text: string;
  secret: string;
}

function samples(seed: number): Sample[] {
  const random = seeded(seed);
  const services = SERVICE_RULES.flatMap(({ names, forms }) =>
    forms.flatMap((form) =>
      NOTATIONS.map((notation) => {
        const { text: secret } = sampleOf(form, random)!;
        const name = names[Math.floor(random() * names.length)]!;
        return { secret, text: notation.replace('NAME', () => name).replace('§', () => secret) };
      }),
    ),
  );
  const formats = KEY_FORMATS.flatMap(({ form }) =>
    [1, 2, 3].flatMap(() => {
      const secret = sampleOf(form.source, random)?.text;
      // A form may want a digit that was not drawn.
      return secret && new RegExp(`^(?:${form.source})`).test(secret) ? [{ secret, text: `use ${secret} for it` }] : [];
    }),
  );
  return [...services, ...formats];
}

const event = (type: string, payload: object) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'event', params: { type, payload } });
const result = (output: string) =>
  event('ToolResult', { tool_call_id: 't', return_value: { is_error: false, output, message: '', display: [] } });
const codes = (text: string) => [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** The lines that say it, and what is read of them afterwards. */
const FORMS: Record<string, { lines(sample: Sample): string[]; read(lines: string[]): string }> = {
  plain: {
    lines: ({ text }) => [result(text)],
    read: (lines) => JSON.parse(lines[0]!).params.payload.return_value.output,
  },
  coloured: {
    lines: ({ text, secret }) => [result(text.replace(secret, () => `\x1b[32m${secret}\x1b[0m`))],
    read: (lines) => FORMS.plain!.read(lines).replace(/\x1b\[\d+m/g, ''),
  },
  streamed: {
    lines: ({ text }) => [
      event('StepBegin', { n: 1 }),
      ...text.match(/.{1,5}/gs)!.map((piece) => event('ContentPart', { type: 'text', text: piece })),
    ],
    read: (lines) => lines.map((line) => JSON.parse(line).params.payload.text ?? '').join(''),
  },
  escaped: {
    lines: ({ text, secret }) => [result(text).replace(JSON.stringify(secret).slice(1, -1), () => codes(secret))],
    read: (lines) => FORMS.plain!.read(lines),
  },
  'in base64': {
    lines: ({ text }) => [result(Buffer.from(`näher: ${text}`).toString('base64'))],
    read: (lines) => Buffer.from(FORMS.plain!.read(lines), 'base64').toString(),
  },
  nested: {
    lines: ({ text }) => [result(JSON.stringify({ a: JSON.stringify([{ note: text }]) }))],
    read: (lines) => JSON.parse(JSON.parse(FORMS.plain!.read(lines)).a)[0].note,
  },
};

const frameOf = (line: string, f: number): Frame => ({
  ...{ f, t: f, t0: null, from: f === 1 ? 'client' : 'agent', form: 'message', eol: '\n', event: null, detail: {} },
  raw: Buffer.from(line),
});
const PROMPT = '{"jsonrpc":"2.0","id":"1","method":"prompt","params":{"user_input":"x"}}';

describe(`the rules of ${RULE_SET.name} ${RULE_SET.version}`, () => {
  it('are known, each once', () => {
    expect(KNOWN_RULES.size).toBeGreaterThan(200);
    expect(RULE_SET.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it.each(Object.entries(FORMS))('%s: at most one in a hundred survives', (form, { lines, read }) => {
    const all = samples(form.length * 31 + form.charCodeAt(0));
    const said = all.map(lines);
    const session = sessionInMemory(
      metadataFor('rules', ['kimi', '--wire']),
      [PROMPT, ...said.flat()].map((line, i) => frameOf(line, i + 1)),
    );
    const after = [...redactSession(session).session.frames()].map(({ raw }) => Buffer.from(raw).toString()).slice(1);
    const left: string[] = [];
    let at = 0;
    all.forEach(({ text, secret }, i) => {
      const own = after.slice(at, at + said[i]!.length);
      at += said[i]!.length;
      if (read(own).includes(secret)) left.push(text);
    });
    expect(all.length).toBeGreaterThan(1000);
    expect(left.length / all.length, left.slice(0, 20).join('\n')).toBeLessThanOrEqual(0.01);
  });
});
