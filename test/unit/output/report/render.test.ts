/** A report in Markdown: it fits, says what was cut, and recorded text stays where it belongs. */
import { Parser } from 'commonmark';
import { describe, expect, it } from 'vitest';
import { replayText } from '../../../../lib/output/report/facts.ts';
import { FORMS, PLAIN_FORM } from '../../../../lib/output/report/forms.ts';
import { type ReportFacts, renderReport } from '../../../../lib/output/report/render.ts';
import type { TranscriptPiece } from '../../../../lib/output/report/transcript.ts';
import { WORDS } from '../../../../lib/output/report/words.ts';

const HOSTILE = '</details>\n````\n# hi @everyone fixes #1 <script>alert(1)</script> ![x](http://evil) | `';

function piece(kind: TranscriptPiece['kind'], f: number, turn: number, text: string | null): TranscriptPiece {
  return { kind, f, t: f / 10, turn, head: `**${kind}**`, text, language: 'text', depth: kind === 'turn' ? 0 : 1 };
}

function factsWith(pieces: TranscriptPiece[], text = 'plain'): ReportFacts {
  const verdict = `the client never answered f42: ${text}`;
  return {
    verdict,
    trouble: {
      ...{ kind: 'open', f: 42, verdict, culprit: 'client' },
      ...{ expected: '{"id":1}', hint: `answer it ${text}`, frames: [42] },
    },
    environment: [{ name: 'agent', value: `kimi ${text}` }],
    ...{ look: 42, besides: [], isRedacted: true },
    redaction: WORDS.en.redacted('2 tokens'),
    why: text,
    findings: [{ severity: 'error', rule: 'io-early-eof', f: 42, fault: 'client', message: text }],
    pieces,
    frames: [{ f: 42, from: 'agent', t: 4.2, text: JSON.stringify({ text }), isEvent: false }],
    stderr: [text],
    commands: ['wiretape replay report.zip'],
    replays: 'A replay of the tape gives the same conversation.',
    fields: { version: 'kimi 1.49', model: text },
    footer: 'Made with wiretape.',
  };
}

const talk = (turns: number, lines: number): TranscriptPiece[] =>
  Array.from({ length: turns }, (_, n) => [
    piece('turn', n * 10, n + 1, null),
    piece('prompt', n * 10 + 1, n + 1, `do ${n}`),
    piece('thinking', n * 10 + 2, n + 1, 'hm\n'.repeat(lines)),
    piece('call', n * 10 + 3, n + 1, '{"command":"ls"}'),
    piece(
      'result',
      n * 10 + 4,
      n + 1,
      Array.from({ length: lines }, (__, i) => `line ${n}.${i} ${'x'.repeat(40)}`).join('\n'),
    ),
    piece('text', n * 10 + 5, n + 1, 'done'),
  ]).flat();

const bytes = (text: string) => Buffer.byteLength(text);

describe('a report', () => {
  it('quotes what a replay does otherwise', () => {
    const text = replayText({ same: false, requests: 1, otherwise: [`removed proc ${HOSTILE}`, '\0'] }, WORDS.en);
    const kinds = new Set<string>();
    const walker = new Parser().parse(text).walker();
    for (let step = walker.next(); step; step = walker.next()) kinds.add(step.node.type);
    expect([...kinds].sort()).toEqual(['code', 'document', 'paragraph', 'text']);
    expect(text).not.toContain('\0');
  });

  it('is whole where it fits', () => {
    const text = renderReport(factsWith(talk(5, 30)), PLAIN_FORM, WORDS.en);
    expect(text).toContain('line 4.29');
    expect(text).toContain('hm');
    expect(text).not.toContain(' cut, see f');
    expect(text.startsWith('## Summary\n\n````text\nthe client never answered f42')).toBe(true);
    expect(text).toContain('This points to the **client**.');
  });

  it('is cut to its limit, the trouble last, and says where', () => {
    for (const [turns, lines] of [
      [20, 200],
      [400, 100],
      [5000, 30],
    ] as const) {
      const text = renderReport(factsWith(talk(turns, lines)), PLAIN_FORM, WORDS.en);
      expect(bytes(text)).toBeLessThanOrEqual(60_000);
      expect(text).toContain('the client never answered f42');
      expect(text).toMatch(/lines cut, see f44 in the recording|… \d+/);
      expect(text).toContain('f41 +4.10 s');
    }
  });

  it('fits any limit that leaves room for the verdict', () => {
    for (const limit of [3000, 5000, 10_000, 60_000])
      expect(bytes(renderReport(factsWith(talk(50, 300)), PLAIN_FORM, WORDS.en, limit))).toBeLessThanOrEqual(limit);
  });

  it('keeps recorded text in code, in every form and language', () => {
    const facts = factsWith([piece('turn', 40, 1, null), piece('text', 42, 1, HOSTILE)], HOSTILE);
    for (const form of [PLAIN_FORM, ...FORMS])
      for (const words of Object.values(WORDS)) {
        const walker = new Parser().parse(renderReport(facts, form, words)).walker();
        for (let step = walker.next(); step; step = walker.next()) {
          const { type, literal } = step.node;
          expect(['link', 'image']).not.toContain(type);
          if (type !== 'code' && type !== 'code_block') expect(literal ?? '').not.toMatch(/everyone|alert|evil|fixes/);
        }
      }
  });

  it('follows the form of a project', () => {
    for (const form of FORMS) {
      const text = renderReport(factsWith(talk(2, 5)), form, WORDS.en);
      const ids = [...text.matchAll(/^### (.+)$/gm)].map(([, id]) => id);
      expect(ids).toEqual(form.fields.map(({ id }) => id));
      expect(text).toContain('the client never answered f42');
    }
  });
});
