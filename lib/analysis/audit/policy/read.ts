/** Reads a policy file: text with a rule on each line, or JSON. Errors have the number of the line. */
import { isObject } from '../../../model/message.ts';
import {
  type Pattern,
  POLICY_VERDICTS,
  type Policy,
  PolicyError,
  type PolicyRule,
  type PolicyVerdict,
  readPattern,
} from './rule.ts';

const CONDITION_KEYS = ['tool', 'path', 'command'] as const;
type ConditionKey = (typeof CONDITION_KEYS)[number];
const MAX_RULES = 1000;

export function readPolicy(text: string): Policy {
  const plain = text.replace(/^\ufeff/, '');
  const policy = /^\s*[[{]/.test(plain) ? readJson(plain) : readText(plain);
  if (policy.rules.length > MAX_RULES)
    throw new PolicyError('too many rules', policy.rules[MAX_RULES]!.line, `use at most ${MAX_RULES}`);
  return policy;
}

function isVerdict(word: unknown): word is PolicyVerdict {
  return POLICY_VERDICTS.includes(word as PolicyVerdict);
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

function verdictOf(word: string, line: number): PolicyVerdict {
  if (isVerdict(word)) return word;
  throw new PolicyError(
    word === '' ? 'default has no value' : `unknown word ${JSON.stringify(word)}`,
    line,
    'a line starts with allow, ask, deny or default',
  );
}

/** `tool A,B path GLOB command PATTERN`: a command takes the rest of the line. */
function ruleOf(verdict: PolicyVerdict, conditions: string, line: number): PolicyRule {
  const rule: PolicyRule = { verdict, line, tool: null, command: null, path: null };
  for (let rest = conditions; rest !== ''; ) {
    const [, key = '', more = ''] = /^(\S+)\s*(.*)$/.exec(rest)!;
    if (!CONDITION_KEYS.includes(key as ConditionKey))
      throw new PolicyError(`unknown condition ${JSON.stringify(key)}`, line, 'use tool, path or command');
    const one = key as ConditionKey;
    if (rule[one]) throw new PolicyError(`${key} is given twice`, line, 'write one rule for each, or tool A,B');
    const [value = '', after = ''] = one === 'command' ? [more] : (/^(\S*)\s*(.*)$/.exec(more) ?? []).slice(1);
    rule[one] = (one === 'tool' ? value.split(',') : [value]).map((source) => readPattern(source, line, one));
    rest = after;
  }
  return checkRule(rule);
}

function checkRule(rule: PolicyRule): PolicyRule {
  // It would decide every call, which an unfinished line does not mean.
  if (!rule.tool && !rule.command && !rule.path)
    throw new PolicyError('a rule has no condition', rule.line, `for every call, write: default ${rule.verdict}`);
  if (rule.command && rule.path)
    throw new PolicyError('a rule has both command and path', rule.line, 'write a rule for each');
  return rule;
}

// JSON

function readJson(text: string): Policy {
  const value = parsePolicyJson(text);
  const list = Array.isArray(value) ? value : isObject(value) ? value.rules : undefined;
  if (!Array.isArray(list)) throw new PolicyError('there are no rules', 1, 'write {"rules": [...]}');
  const otherwise = isObject(value) ? (value.default ?? 'ask') : 'ask';
  if (!isVerdict(otherwise)) throw new PolicyError('default is not a decision', 1, 'use allow, ask or deny');
  const lines = linesOf(text, Array.isArray(value) ? 1 : 2);
  return { rules: list.map((rule, at) => readRule(rule, lines[at] ?? 1)), otherwise };
}

function readRule(value: unknown, line: number): PolicyRule {
  if (!isObject(value))
    throw new PolicyError('a rule is not an object', line, 'write {"decision": "allow", "tool": "Glob"}');
  const { decision, ...conditions } = value;
  if (!isVerdict(decision))
    throw new PolicyError('a rule has no decision', line, 'write "decision": "allow", "ask" or "deny"');
  const rule: PolicyRule = { verdict: decision, line, tool: null, command: null, path: null };
  for (const [key, condition] of Object.entries(conditions)) {
    if (!CONDITION_KEYS.includes(key as ConditionKey))
      throw new PolicyError(`unknown condition ${JSON.stringify(key)}`, line, 'use tool, path or command');
    rule[key as ConditionKey] = (Array.isArray(condition) ? condition : [condition]).map((source): Pattern => {
      if (typeof source !== 'string') throw new PolicyError(`${key} is not text`, line, 'write a glob such as "git *"');
      return readPattern(source, line, key as ConditionKey);
    });
  }
  return checkRule(rule);
}

function parsePolicyJson(text: string): unknown {
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
