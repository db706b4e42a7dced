/** The rules of a policy, and what a pattern matches. */
import { globMatches, hasGlob } from '../../../model/text/glob.ts';

export const POLICY_VERDICTS = ['allow', 'ask', 'deny'] as const;
export type PolicyVerdict = (typeof POLICY_VERDICTS)[number];

/** A glob (`*` any text, `?` one character), or a regular expression that matches anywhere. Case counts. */
export interface Pattern {
  source: string;
  regex: RegExp | null;
}

/** All conditions must hold; each holds if one of its patterns matches. */
export interface PolicyRule {
  verdict: PolicyVerdict;
  /** Of the policy file. */
  line: number;
  tool: Pattern[] | null;
  command: Pattern[] | null;
  path: Pattern[] | null;
}

export interface Policy {
  rules: PolicyRule[];
  /** For what no rule matches. */
  otherwise: PolicyVerdict;
}

export class PolicyError extends Error {
  readonly line: number;
  readonly hint: string;

  constructor(message: string, line: number, hint: string) {
    super(message);
    this.line = line;
    this.hint = hint;
  }
}

const MAX_PATTERN_CHARS = 256;

/** Reads `glob` or `/regex/`. A path that ends with a slash is a glob in `path`, where no regular expression is read. */
export function readPattern(source: string, line: number, key: 'tool' | 'command' | 'path'): Pattern {
  if (source === '') throw new PolicyError(`${key} has no pattern`, line, 'write a glob such as git *');
  if (source.length > MAX_PATTERN_CHARS)
    throw new PolicyError('the pattern is too long', line, `use at most ${MAX_PATTERN_CHARS} characters`);
  if (key !== 'command' || source.length < 3 || !source.startsWith('/') || !source.endsWith('/'))
    return { source, regex: null };
  try {
    return { source, regex: new RegExp(source.slice(1, -1)) };
  } catch (error) {
    throw new PolicyError(
      `invalid regular expression: ${(error as Error).message}`,
      line,
      'write it as /^git (log|diff)/',
    );
  }
}

export function matches({ source, regex }: Pattern, text: string): boolean {
  if (regex) return regex.test(text);
  return hasGlob(source) ? globMatches(source, text) : source === text;
}
