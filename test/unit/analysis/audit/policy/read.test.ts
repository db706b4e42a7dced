/** Reading a policy: both formats, and what is wrong with a bad one, with the number of the line. */
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../../../lib/analysis/audit/policy/read.ts';
import { PolicyError } from '../../../../../lib/analysis/audit/policy/rule.ts';

function wrong(text: string): string {
  try {
    readPolicy(text);
    return 'nothing';
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    return `${error.line}: ${error.message}`;
  }
}

describe('a policy file', () => {
  it('is text, with a rule on each line', () => {
    const { rules, otherwise } = readPolicy(
      '\ufeff# mine\r\n\r\ndefault deny\r\nallow tool A,B command git *\nask path x',
    );
    expect(otherwise).toBe('deny');
    expect(rules.map(({ verdict, line }) => `${line} ${verdict}`)).toEqual(['4 allow', '5 ask']);
    expect(rules[0]!.tool!.map(({ source }) => source)).toEqual(['A', 'B']);
    expect(rules[0]!.command![0]!.source).toBe('git *');
  });

  it('or JSON, with the same meaning', () => {
    const json =
      '{"default": "deny",\n "rules": [\n  {"decision": "allow", "tool": ["A", "B"], "command": "git *"},\n  {"decision": "ask", "path": "x"}\n]}';
    const text = 'default deny\n\nallow tool A,B command git *\nask path x';
    expect(readPolicy(json)).toEqual(readPolicy(text));
    expect(readPolicy('[{"decision": "deny", "tool": "A"}]').rules).toHaveLength(1);
  });

  it.each([
    ['allow tool A\nalow tool B', '2: unknown word "alow"'],
    ['allow tol A', '1: unknown condition "tol"'],
    ['\nallow tool', '2: tool has no pattern'],
    ['allow tool A tool B', '1: tool is given twice'],
    ['allow path a command b', '1: a rule has both command and path'],
    ['default maybe', '1: unknown word "maybe"'],
    ['default', '1: default has no value'],
    ['deny command /(/', '1: invalid regular expression: Invalid regular expression: /(/: Unterminated group'],
    [`deny command ${'x'.repeat(300)}`, '1: the pattern is too long'],
    ['{"rules": 3}', '1: there are no rules'],
    ['{"default": "no", "rules": []}', '1: default is not a decision'],
    ['{"rules": [\n{"decision": "allow", "tool": "A"},\n{"tool": "A"}]}', '3: a rule has no decision'],
    ['{"rules": [\n{"decision": "allow"}]}', '2: a rule has no condition'],
    ['deny tool A\nallow', '2: a rule has no condition'],
    ['default ask\ndefault allow', '2: default is given twice'],
    ['[\n{"decision": "allow", "tol": "A"}]', '2: unknown condition "tol"'],
    ['[\n{"decision": "allow", "tool": 3}]', '2: tool is not text'],
  ])('says what is wrong and where: %j', (text, expected) => {
    expect(wrong(text)).toBe(expected);
  });

  it('says where JSON breaks off', () => {
    expect(wrong('{"rules": [\n  {"decision": "allow",}\n]}')).toMatch(/^2: not valid JSON/);
  });
});
