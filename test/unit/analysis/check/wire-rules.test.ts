/** Every rule of Wire has tapes that break it, and tapes that nearly do; all that is found in either is told here. */
import { describe, expect, it } from 'vitest';
import { RULES } from '../../../../lib/analysis/check/rules.ts';
import { findingsOf } from '../../../support/wire-check.ts';
import { asking } from './wire-cases/asking.ts';
import { framing } from './wire-cases/framing.ts';
import type { Case } from './wire-cases/lines.ts';
import { questions } from './wire-cases/questions.ts';
import { turns } from './wire-cases/turns.ts';

const cases = { ...framing, ...asking, ...questions, ...turns };
const rules = RULES.filter(({ id }) => id.startsWith('wire-'));

const found = ({ lines, ...given }: Case) =>
  findingsOf(lines, { ...given, rules })
    .toSorted((a, b) => a.f - b.f)
    .map(({ rule, f, severity }) => `${rule} f${f}${severity === 'error' ? '' : ` ${severity}`}`);

describe.each(Object.entries(cases))('%s', (id, { breaks, spares }) => {
  it.each(breaks)('is broken by $what', (one) => {
    expect(found(one)).toEqual(one.found);
    expect(found(one).some((finding) => finding.startsWith(`${id} `))).toBe(true);
  });

  it.each(spares)('is not broken by $what', (one) => {
    expect(found(one)).toEqual(one.found);
    expect(found(one).some((finding) => finding.startsWith(`${id} `))).toBe(false);
  });
});

it('every rule has both', () => {
  const both = Object.entries(cases).filter(([, { breaks, spares }]) => breaks.length > 0 && spares.length > 0);
  expect(both.map(([id]) => id).sort()).toEqual(rules.map(({ id }) => id).sort());
});
