/** Every rule has one form of id, an entry that says what it means and how to fix it, and an example that breaks it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../lib/analysis/check/entries.ts';
import { INCOMPLETE } from '../../lib/analysis/check/incomplete.ts';
import { isAtLeast } from '../../lib/analysis/check/report.ts';
import { RULES, rulesNamed } from '../../lib/analysis/check/rules.ts';
import { DIALECTS } from '../../lib/dialects/index.ts';
import { refOf } from '../../lib/dialects/rules/rule.ts';
import { findingsIn, readExamples } from '../support/rule-examples.ts';
import { anchorsOf } from './markdown.ts';

const ALL = [...RULES, INCOMPLETE];
const IDS = ALL.map(({ id }) => id);
const examples = readExamples();

describe('ids', () => {
  it('say whose rule it is, then what it is about', () => {
    const families = ['io', 'rpc', ...DIALECTS.flatMap(({ conformance }) => conformance?.prefix ?? [])];
    const form = new RegExp(`^(?:${families.join('|')})(?:-[a-z0-9]+)+$`);
    expect(IDS.filter((id) => !form.test(id))).toEqual([]);
    expect(new Set(IDS).size).toBe(IDS.length);
  });

  it('may be those of before, in any case', () => {
    const named = (word: string) => rulesNamed(word, ALL).map(({ id }) => id);
    expect(named('r14')).toEqual(['wire-approval-answer']);
    expect(named('id-reuse')).toEqual(['wire-id-in-use']);
    expect(named('incomplete')).toEqual(['io-incomplete']);
    expect(named('shape')).toEqual(IDS.filter((id) => id.endsWith('-shape')));
    expect(named('wire')).toEqual([]);
  });

  it('are not those that other rules had', () => {
    const aliases = ALL.flatMap(({ aliases = [] }) => aliases);
    expect(aliases.filter((alias) => IDS.includes(alias))).toEqual([]);
  });
});

describe('entries', () => {
  it.each(ALL)('$id says what it means and how to fix it', ({ id }) => {
    const { means, fix } = entryOf(id)!;
    for (const text of [means, fix]) expect(text).toMatch(/^\S[^\n]{8,}\.$/);
  });

  it('are where findings refer to', () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/rules.md', import.meta.url)), 'utf8');
    const anchors = anchorsOf(page).map((anchor) => `docs/rules.md#${anchor}`);
    expect(IDS.map(refOf).filter((ref) => !anchors.includes(ref))).toEqual([]);
  });
});

describe('examples', () => {
  it('are of rules that exist', () => {
    expect([...examples.keys()].filter((id) => !IDS.includes(id))).toEqual([]);
  });

  it.each(ALL)('$id has one that breaks it, as gravely as the rule says', ({ id, severity }) => {
    const [first] = findingsIn(examples.get(id)!).filter(({ rule }) => rule === id);
    expect(first!.ref).toBe(refOf(id));
    expect(isAtLeast(first!.severity, severity)).toBe(true);
  });
});
