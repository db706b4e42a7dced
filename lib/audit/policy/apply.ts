/**
 * What a policy would have decided about a recorded call. The first rule that matches decides, else the default. Each
 * simple command of a chain is judged by itself, and so is each path; the strictest verdict counts: a chain is allowed only
 * if every part of it is, and denied if any part is.
 */
import { changedPaths } from '../../core/changed-paths.ts';
import { isObject } from '../../core/message.ts';
import type { ApprovalRow } from '../row.ts';
import { COMMANDS, commandIn, PATHS } from '../subject.ts';
import { absolute, absolutePattern } from './path.ts';
import { matches, type Pattern, type Policy, type Rule, type Verdict } from './rule.ts';
import { type SimpleCommand, splitCommand } from './shell.ts';

export interface Ruled {
  verdict: Verdict;
  /** The line of the rule that decided; null for the default. */
  line: number | null;
}

/** What rules look at. */
export interface PolicyCall {
  tool: string | null;
  /** A shell command line. */
  command: string | null;
  paths: string[];
  cwd: string;
}

/** Those of tools that take several. */
const MORE_PATHS = ['target_file', 'source', 'destination'];

/** What ran, or else what was asked about. */
export function callOf(row: ApprovalRow, cwd: string): PolicyCall {
  const args = row.executed_arguments ?? row.arguments;
  const values = isObject(args) ? args : {};
  const shown = row.displays.find((block) => block.type === 'shell');
  const command = COMMANDS.map((key) => commandIn(values[key])).find((text) => text !== null);
  const paths = [...PATHS, ...MORE_PATHS].map((key) => values[key]).filter((value) => typeof value === 'string');
  const shownPaths = row.displays.flatMap((block) => (block.type === 'diff' ? [block.path] : []));
  const changed = [...shownPaths, ...changedPaths(values.changes)];
  return {
    tool: row.tool,
    command: command ?? (shown?.type === 'shell' ? shown.command : null),
    paths: [...new Set([...paths, ...changed])],
    cwd,
  };
}

/** The paths that rules look at: those of the arguments, and the files that a command redirects output to. */
export function pathsOf({ command, paths }: PolicyCall): string[] {
  const written = command === null ? [] : partsOf(command).flatMap(({ writes }) => writes);
  return [...new Set([...paths, ...written])];
}

export function ruleOn(policy: Policy, call: PolicyCall): Ruled {
  const { command, cwd, tool } = call;
  const parts: Part[] = command === null ? [] : partsOf(command);
  const targets = pathsOf(call).map((path) => absolute(path, cwd));
  const [one = { tool, cwd, part: null, path: null }, ...more] = [
    ...parts.map((part) => ({ tool, cwd, part, path: null })),
    ...targets.map((path) => ({ tool, cwd, part: null, path })),
  ];
  // A redirection is judged as a path only if a rule speaks of paths: its command has been judged already.
  const judged = [one, ...more].flatMap((piece) => {
    if (piece.path !== null && command !== null && !policy.rules.some((rule) => rule.path && holds(rule, piece)))
      return [];
    return [first(policy, piece)];
  });
  return judged.reduce((a, b) => (STRICTNESS[b.verdict] > STRICTNESS[a.verdict] ? b : a));
}

const STRICTNESS: Record<Verdict, number> = { allow: 0, ask: 1, deny: 2 };

interface Part extends Pick<SimpleCommand, 'writes'> {
  /** What an allow rule must match; null if nobody can tell what runs. */
  text: string | null;
  /** Any of these may match a rule that asks or denies. */
  forms: string[];
}

/** One simple command or one path of a call; both null for a call with neither. */
interface Piece {
  tool: string | null;
  cwd: string;
  part: Part | null;
  path: string | null;
}

function partsOf(command: string): Part[] {
  const { commands, unclear } = splitCommand(command);
  const parts = commands.map((one) => ({ text: unclear ? null : one.text, forms: formsOf(one), writes: one.writes }));
  return unclear || parts.length === 0 ? [...parts, { text: null, forms: [command.trim()], writes: [] }] : parts;
}

/** Words before which another command may stand. */
const BEFORE =
  /^(?:if|then|else|elif|while|until|do|!|\{|time|sudo|doas|env|xargs|nohup|exec|command|builtin|nice|timeout|stdbuf|setsid)$/;
const ASSIGNMENT = /^[A-Za-z_]\w*=/;
const MOST_FORMS = 16;

/** The command as written, without quotes, without what may stand before it, and without the folder of the program. */
function formsOf({ text, words }: SimpleCommand): string[] {
  const forms = new Set([text]);
  for (let at = 0; at < words.length && forms.size < MOST_FORMS; at++) {
    const rest = words.slice(at);
    forms.add(rest.join(' '));
    const name = rest[0]!.replace(/^.*\//, '');
    forms.add([name, ...rest.slice(1)].join(' '));
    // After sudo, env and the like, options and their values may follow.
    const isBefore = words.slice(0, at + 1).some((word) => BEFORE.test(word.replace(/^.*\//, '')));
    if (!isBefore && !ASSIGNMENT.test(rest[0]!)) break;
  }
  return [...forms];
}

function first({ rules, otherwise }: Policy, piece: Piece): Ruled {
  const rule = rules.find((one) => holds(one, piece));
  return rule ? { verdict: rule.verdict, line: rule.line } : { verdict: otherwise, line: null };
}

function holds(rule: Rule, piece: Piece): boolean {
  const { tool, part, path, cwd } = piece;
  if (rule.tool && !rule.tool.some((pattern) => tool !== null && matches(pattern, tool))) return false;
  if (rule.path && (path === null || !rule.path.some((pattern) => isAt(pattern, path, cwd)))) return false;
  if (!rule.command) return true;
  return part !== null && rule.command.some((pattern) => runs(pattern, part, rule.verdict));
}

function isAt(pattern: Pattern, path: string, cwd: string): boolean {
  return matches({ source: absolutePattern(pattern.source, cwd), regex: null }, path);
}

/** To allow a command that writes to a file, the pattern must speak of it. */
function runs(pattern: Pattern, { text, forms, writes }: Part, verdict: Verdict): boolean {
  if (verdict !== 'allow') return forms.some((form) => matches(pattern, form));
  return text !== null && (writes.length === 0 || pattern.source.includes('>')) && matches(pattern, text);
}
