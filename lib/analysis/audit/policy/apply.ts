/**
 * What a policy would have decided about a recorded call. The first rule that matches decides, else the default. Each
 * simple command of a chain is judged by itself, and so is each path; the strictest verdict counts: a chain is allowed only
 * if every part of it is, and denied if any part is. What is not known is never allowed by default, nor by a rule if one
 * before it might match: the policy cannot judge it.
 */

import { folderIn } from '../../../model/subject.ts';
import type { ApprovalRow } from '../row.ts';
import { commandOf, pathsOf as filesOf, lastArgumentsOf, toolName, toolOrKind } from '../subject.ts';
import { foldersOf } from './folders.ts';
import { folderAt, pathMatches } from './path.ts';
import { matches, type Pattern, type Policy, type PolicyRule, type PolicyVerdict } from './rule.ts';
import { isAssignment, isBefore, isExpanded, type SimpleCommand, splitCommand } from './shell.ts';
import { findUnknown, type UnknownPart } from './unknown.ts';

export const CANNOT_JUDGE = 'cannot judge';

export interface PolicyRuling {
  verdict: PolicyVerdict | typeof CANNOT_JUDGE;
  /** The line of the rule that decided; null for the default, and if none could. */
  line: number | null;
}

/** What rules look at. */
export interface PolicyCall {
  /** Its name, or else its kind. */
  tool: string | null;
  /** Its name is known. */
  isNamed: boolean;
  /** What else it is called: a title. Only rules that ask or deny look at it. */
  title: string | null;
  /** A shell command line. */
  command: string | null;
  /** A text that may be its command. */
  possibleCommand: string | null;
  paths: string[];
  /** What a rule would have to know, but nobody knows. */
  unknown: UnknownPart | null;
  /** Where patterns begin; empty if nobody knows. */
  cwd: string;
  /** Where the command begins. */
  folder: string;
}

/** What ran, or else what was asked about. `processFolder`: where the agent was started. */
export function policyCallOf(row: ApprovalRow, processFolder: string): PolicyCall {
  const { subject } = row;
  const cwd = row.cwd ?? processFolder;
  const ownFolder = folderIn(lastArgumentsOf(row));
  const command = commandOf(row);
  const paths = filesOf(row);
  return {
    tool: toolOrKind(row),
    isNamed: subject === null || toolName(row) !== null,
    title: row.tool,
    command,
    possibleCommand: subject?.title ?? null,
    paths,
    unknown: findUnknown(row, command, paths),
    cwd,
    folder: ownFolder === null ? cwd : folderAt(ownFolder, cwd),
  };
}

/** The paths that rules look at: those of the arguments, and the files that a command redirects output to. */
export function pathsOf({ command, paths }: PolicyCall): string[] {
  const written = command === null ? [] : partsOf(command).flatMap(({ writes }) => writes);
  return [...new Set([...paths, ...written])];
}

export function applyPolicy(policy: Policy, call: PolicyCall): PolicyRuling {
  const { command, cwd, tool, isNamed, title, unknown } = call;
  const of = { tool, isNamed, title, cwd, part: null, path: null, folder: cwd, isSure: true, unknown: null };
  const parts: CommandPart[] = command === null ? [] : partsOf(command);
  const written = command === null ? [] : partsOf(command).flatMap(({ writes }) => writes);
  const targets: PolicyPiece[] = [
    ...call.paths.map((path) => ({ ...of, path })),
    ...foldersOf(parts, call.folder).flatMap((folder) =>
      written.map((path) => ({ ...of, path, folder, isSure: isKnownPath(path) })),
    ),
  ];
  const known: PolicyPiece[] = [...parts.map((part) => ({ ...of, part })), ...targets];
  const missing: PolicyPiece[] = unknown === null ? [] : [{ ...of, unknown, part: unknownPart(call) }];
  const [one = of, ...more] = [...missing, ...known];
  // A redirection is judged as a path only if a rule speaks of paths: its command has been judged already.
  const judged = [one, ...more].flatMap((piece) => {
    if (
      piece.path !== null &&
      command !== null &&
      !policy.rules.some((rule) => rule.path && ruleHolds(rule, piece) !== false)
    )
      return [];
    return [firstRuling(policy, piece)];
  });
  return judged.reduce((a, b) => (STRICTNESS[b.verdict] > STRICTNESS[a.verdict] ? b : a));
}

/** Who is asked decides what cannot be judged, too. */
const STRICTNESS: Record<PolicyRuling['verdict'], number> = { allow: 0, [CANNOT_JUDGE]: 1, ask: 2, deny: 3 };

interface CommandPart extends Pick<SimpleCommand, 'words' | 'writes' | 'isNamed'> {
  /** What an allow rule must match; null if nobody can tell what runs. */
  text: string | null;
  /** Any of these may match a rule that asks or denies. */
  forms: string[];
}

/** One simple command or one path of a call; both null for a call with neither. */
interface PolicyPiece extends Pick<PolicyCall, 'tool' | 'isNamed' | 'title' | 'cwd' | 'unknown'> {
  part: CommandPart | null;
  path: string | null;
  /** Where the path begins; null if nobody knows. */
  folder: string | null;
  /** The path is not what a shell makes of a variable or a pattern. */
  isSure: boolean;
}

/** A command of which only a text is known that may be it, or not even that. */
function unknownPart({ unknown, possibleCommand: maybe }: PolicyCall): CommandPart | null {
  if (unknown === 'path') return null;
  const split = maybe === null ? [] : partsOf(maybe).flatMap(({ forms }) => forms);
  return { text: null, forms: ['', ...split], words: [], writes: [], isNamed: false };
}

function partsOf(command: string): CommandPart[] {
  const { commands, unclear } = splitCommand(command);
  const parts = commands.map(({ text, words, writes, isNamed }) => {
    return { text: unclear ? null : text, forms: formsOf(text, words), words, writes, isNamed };
  });
  const whole = { text: null, forms: [command.trim()], words: [], writes: [], isNamed: false };
  return unclear || parts.length === 0 ? [...parts, whole] : parts;
}

const MAX_COMMAND_FORMS = 16;

/** The command as written, without quotes, without what may stand before it, and without the folder of the program. */
function formsOf(text: string, words: readonly string[]): string[] {
  const forms = new Set([text]);
  for (let at = 0; at < words.length && forms.size < MAX_COMMAND_FORMS; at++) {
    const rest = words.slice(at);
    forms.add(rest.join(' '));
    const name = rest[0]!.replace(/^.*\//, '');
    forms.add([name, ...rest.slice(1)].join(' '));
    // After sudo, env and the like, options and their values may follow.
    if (!words.slice(0, at + 1).some(isBefore) && !isAssignment(rest[0]!)) break;
  }
  return [...forms];
}

function firstRuling({ rules, otherwise }: Policy, piece: PolicyPiece): PolicyRuling {
  let isInDoubt = false;
  for (const rule of rules) {
    const verdict = ruleHolds(rule, piece);
    if (verdict === true)
      return rule.verdict === 'allow' && isInDoubt ? CANNOT_JUDGE_RULING : { verdict: rule.verdict, line: rule.line };
    if (verdict === null) isInDoubt = true;
  }
  const isKnown = piece.unknown === null && (piece.part === null || isFollowed(piece.part));
  return otherwise === 'allow' && (isInDoubt || !isKnown) ? CANNOT_JUDGE_RULING : { verdict: otherwise, line: null };
}

const isFollowed = ({ text, isNamed }: CommandPart): boolean => text !== null && isNamed;

const CANNOT_JUDGE_RULING: PolicyRuling = { verdict: CANNOT_JUDGE, line: null };

/** Null if a rule that asks or denies may hold, and nobody can tell. A rule that allows must hold for certain. */
function ruleHolds(rule: PolicyRule, piece: PolicyPiece): boolean | null {
  const ofTool = isOfTool(rule, piece);
  const about = ofTool !== false && isAbout(rule, piece);
  return about && ofTool === null ? null : about;
}

const doubtOf = ({ verdict }: PolicyRule): false | null => (verdict === 'allow' ? false : null);

/** A tool of which only a title is known may have any name. */
function isOfTool(rule: PolicyRule, { tool, isNamed, title }: PolicyPiece): boolean | null {
  if (!rule.tool) return true;
  const names = rule.verdict === 'allow' ? [tool] : [tool, title];
  if (names.some((name) => name !== null && rule.tool!.some((pattern) => matches(pattern, name)))) return true;
  return isNamed ? false : doubtOf(rule);
}

/** Whether the command or the path is one that the rule is about. */
function isAbout(rule: PolicyRule, { part, path, folder, isSure, cwd, unknown }: PolicyPiece): boolean | null {
  const doubt = doubtOf(rule);
  if (rule.path) {
    if (path !== null) {
      const found = rule.path.map(({ source }) => pathMatches(source, path, cwd, folder));
      return found.includes(true) || (isSure && !found.includes(null) ? false : doubt);
    }
    // What matches everything matches what is not known. A command that nobody can follow may write any file.
    const isFile = unknown === 'path' || unknown === 'call';
    if (isFile && rule.path.some(({ source }) => /^\*+$/.test(source))) return rule.verdict !== 'allow';
    return isFile || part?.text === null ? doubt : false;
  }
  if (!rule.command) return true;
  if (part === null) return false;
  return (
    rule.command.some((pattern) => commandMatches(pattern, part, rule.verdict)) || (isFollowed(part) ? false : doubt)
  );
}

/** A home is not known either, but a rule may name it. */
export const isKnownPath = (path: string): boolean => !isExpanded(path.replace(/^~(?=\/|$)/, ''));

/** To allow a command that writes to a file, the pattern must speak of it. */
function commandMatches(pattern: Pattern, { text, forms, writes }: CommandPart, verdict: PolicyVerdict): boolean {
  if (verdict !== 'allow') return forms.some((form) => matches(pattern, form));
  return text !== null && (writes.length === 0 || pattern.source.includes('>')) && matches(pattern, text);
}
