/** Reads a policy file: text with a rule on each line, or JSON. Errors have the number of the line. */
import { isObject } from '../../../model/message.ts';
import { type Pattern, type Policy, PolicyError, patternOf, type Rule, VERDICTS, type Verdict } from './rule.ts';

const KEYS = ['tool', 'path', 'command'] as const;
type Key = (typeof KEYS)[number];
const MOST = 1000;

export function readPolicy(text: string): Policy {
  const plain = text.replace(/^\ufeff/, '');
  const policy = /^\s*[[{]/.test(plain) ? readJson(plain) : readText(plain);
  if (policy.rules.length > MOST)
    throw new PolicyError('too many rules', policy.rules[MOST]!.line, `use at most ${MOST}`);
  return policy;
}

function isVerdict(word: unknown): word is Verdict {
  return VERDICTS.includes(word as Verdict);
}

// Text

function readText(text: string): Policy {
  const policy: Policy = { rules: [], otherwise: 'ask' };
  let hasDefault = false;
  for (const [at, raw] of text.split(/\r?\n/).entries()) {
    const words = raw.trim();
    if (words === '' || words.startsWith('#')) continue;
    const [, verdict = '', rest = ''] = /^(\S+)\s*(.*)$/.exec(words)!;
    const line = at + 1;
    if (verdict === 'default') {
      if (hasDefault) throw new PolicyError('default is given twice', line, 'write it once');
      hasDefault = true;
      policy.otherwise = verdictOf(rest, line);
    } else policy.rules.push(ruleOf(verdictOf(verdict, line), rest, line));
  }
  return policy;
}

function verdictOf(word: string, line: number): Verdict {
  if (isVerdict(word)) return word;
  throw new PolicyError(
    word === '' ? 'default has no value' : `unknown word ${JSON.stringify(word)}`,
    line,
    'a line starts with allow, ask, deny or default',
  );
}

/** `tool A,B path GLOB command PATTERN`: a command takes the rest of the line. */
function ruleOf(verdict: Verdict, conditions: string, line: number): Rule {
  const rule: Rule = { verdict, line, tool: null, command: null, path: null };
  for (let rest = conditions; rest !== ''; ) {
    const [, key = '', more = ''] = /^(\S+)\s*(.*)$/.exec(rest)!;
    if (!KEYS.includes(key as Key))
      throw new PolicyError(`unknown condition ${JSON.stringify(key)}`, line, 'use tool, path or command');
    const one = key as Key;
    if (rule[one]) throw new PolicyError(`${key} is given twice`, line, 'write one rule for each, or tool A,B');
    const [value = '', after = ''] = one === 'command' ? [more] : (/^(\S*)\s*(.*)$/.exec(more) ?? []).slice(1);
    rule[one] = (one === 'tool' ? value.split(',') : [value]).map((source) => patternOf(source, line, one));
    rest = after;
  }
  return checked(rule);
}

function checked(rule: Rule): Rule {
  // It would decide every call, which an unfinished line does not mean.
  if (!rule.tool && !rule.command && !rule.path)
    throw new PolicyError('a rule has no condition', rule.line, `for every call, write: default ${rule.verdict}`);
  if (rule.command && rule.path)
    throw new PolicyError('a rule has both command and path', rule.line, 'write a rule for each');
  return rule;
}

// JSON

function readJson(text: string): Policy {
  const value = parsed(text);
  const list = Array.isArray(value) ? value : isObject(value) ? value.rules : undefined;
  if (!Array.isArray(list)) throw new PolicyError('there are no rules', 1, 'write {"rules": [...]}');
  const otherwise = isObject(value) ? (value.default ?? 'ask') : 'ask';
  if (!isVerdict(otherwise)) throw new PolicyError('default is not a decision', 1, 'use allow, ask or deny');
  const lines = linesOf(text, Array.isArray(value) ? 1 : 2);
  return { rules: list.map((rule, at) => ruleIn(rule, lines[at] ?? 1)), otherwise };
}

function ruleIn(value: unknown, line: number): Rule {
  if (!isObject(value))
    throw new PolicyError('a rule is not an object', line, 'write {"decision": "allow", "tool": "Glob"}');
  const { decision, ...conditions } = value;
  if (!isVerdict(decision))
    throw new PolicyError('a rule has no decision', line, 'write "decision": "allow", "ask" or "deny"');
  const rule: Rule = { verdict: decision, line, tool: null, command: null, path: null };
  for (const [key, told] of Object.entries(conditions)) {
    if (!KEYS.includes(key as Key))
      throw new PolicyError(`unknown condition ${JSON.stringify(key)}`, line, 'use tool, path or command');
    rule[key as Key] = (Array.isArray(told) ? told : [told]).map((source): Pattern => {
      if (typeof source !== 'string') throw new PolicyError(`${key} is not text`, line, 'write a glob such as "git *"');
      return patternOf(source, line, key as Key);
    });
  }
  return checked(rule);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    const [, position] = /position (\d+)/.exec(message) ?? [];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split('\n').length;
    throw new PolicyError(`not valid JSON: ${message.split('\n')[0]}`, line, 'or write text: allow command git status');
  }
}

/** The lines on which the objects of the list begin: those that open at this depth. */
function linesOf(text: string, depth: number): number[] {
  const lines: number[] = [];
  let now = 0;
  let line = 1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (char === '\n') line++;
    else if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') {
      if (now === depth) lines.push(line);
      now++;
    } else if (char === '}' || char === ']') now--;
  }
  return lines;
}

function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
