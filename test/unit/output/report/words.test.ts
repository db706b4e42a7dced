/** The words of reports and reviews are complete in every language. */
import { describe, expect, it } from 'vitest';
import { LABELS } from '../../../../lib/analysis/redact/kinds.ts';
import { REVIEW_WORDS } from '../../../../lib/output/export/review-words.ts';
import {
  findTrouble,
  type OpenProblem,
  type Trouble,
  type TroubleEvidence,
} from '../../../../lib/output/report/trouble.ts';
import { WORDS } from '../../../../lib/output/report/words.ts';

const HAN = /\p{Script=Han}/u;
/** Program names and quotations: they are the same in both languages. */
const SAME = new Set(['agent', 'transcriptWords.agent', 'pointsTo.nobody', 'faults.agent', 'kinds.cookie']);

/** Every text with the path of its key. Functions are called with placeholders. */
function* textsIn(words: object, path = ''): Generator<[path: string, text: string]> {
  for (const [key, value] of Object.entries(words)) {
    const at = path === '' ? key : `${path}.${key}`;
    if (typeof value === 'string') yield [at, value];
    else if (typeof value === 'object') yield* textsIn(value, at);
    else yield [at, String(value(...placeholders(at)))];
  }
}

function placeholders(path: string): unknown[] {
  const read = { lines: 3, understood: 1, enough: false };
  if (path === 'counts') return [{ frames: 1, turns: 1, tools: 1, approvals: 1, read: null }];
  if (path === 'understood') return [read];
  if (/Answered$|answeredBadly$/.test(path)) return ['client', 'X'];
  return [1, 2, 'X'];
}

describe('Chinese', () => {
  it.each([
    ['reports', WORDS.zh],
    ['reviews', REVIEW_WORDS.zh],
  ])('has every word of %s', (_, words) => {
    const missing = [...textsIn(words)].filter(([path, text]) => !SAME.has(path) && !HAN.test(text));
    // A request is named by its kind and tool, and an arrangement of two other texts has no words of its own.
    expect(missing.map(([path]) => path)).toEqual(words === WORDS.zh ? ['verdicts.because'] : []);
  });

  it('names every kind that a redaction replaces, but those of key formats', () => {
    expect(Object.keys(LABELS).filter((kind) => !REVIEW_WORDS.zh.kinds[kind])).toEqual([]);
  });

  it('says that what commands print is quoted in English', () => {
    expect(WORDS.zh.quotedInEnglish).toMatch(HAN);
    expect(WORDS.en.quotedInEnglish).toBe('');
  });
});

describe('a verdict', () => {
  const found = (about: Partial<TroubleEvidence>): TroubleEvidence => ({
    ...{ why: [], findings: [], end: 20, longestWait: null },
    summary: { exit: { code: 0, signal: null }, state: 'ended', read: null } as never,
    ...about,
  });
  const open: OpenProblem = {
    ...{ f: 10, owes: 'client', what: 'approval of Shell', cause: 'the client closed stdin (f11)', hint: null },
    ...{ send: null, sender: null, open: true, waited: 6, rule: 'unanswered', follows: false, stalled: null },
  };

  it('is in the language of the report; only what it quotes is English', () => {
    const verdict = (about: Partial<TroubleEvidence>) => findTrouble(found(about), null, WORDS.zh).verdict;
    expect(verdict({})).toBe('wiretape 没有发现问题');
    expect(verdict({ longestWait: { f: 7, seconds: 40, kind: 'approval', tool: 'Shell' } })).toBe(
      'Shell 的审批（f7）等待了 40.00 s',
    );
    expect(verdict({ why: [open] })).toBe(
      '客户端始终没有应答 approval of Shell（f10，等待了 6.00 s）：the client closed stdin (f11)',
    );
  });

  it('says the same in both languages but for the words', () => {
    const without = ({ verdict: _, ...rest }: Trouble) => rest;
    for (const about of [{}, { why: [open] }])
      expect(without(findTrouble(found(about), null, WORDS.zh))).toEqual(without(findTrouble(found(about), null)));
  });
});
