/** Which regular expressions are certain to end soon: the others are run where they can be stopped. */
import { describe, expect, it } from 'vitest';
import { maxSteps } from '../../../../lib/model/text/regex-steps.ts';

describe('the steps of a regular expression', () => {
  it.each([
    [/ACME/, 1],
    [/ACME-\d+/, 2],
    [/a*b*/, 3],
    [/a?b?c{2}d{1,3}/, 5],
    [/(?<secret>[^)*+]+)x/, 2],
    [/(?<=key: )\w+/, 2],
    [/\(+\[*/, 3],
  ])('%s grow with the power %i of the text', (regex, power) => {
    expect(maxSteps(regex, 1000)).toBe(1000 ** power);
  });

  it('are as many more as there are branches', () => {
    expect(maxSteps(/(?:a|b|c)d/, 10)).toBe(30);
  });

  it.each([/(a+)+/, /(?:ab){3}/, /(a|aa)*c/, /(?<x>a)b?\k<x>/, /(a)\1/])('%s may be any number', (regex) => {
    expect(maxSteps(regex, 10)).toBe(Number.POSITIVE_INFINITY);
  });
});
