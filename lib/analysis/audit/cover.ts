/** Whether a call is among those that a standing grant covers, where its dialect says which these are. */

import { hasOtherFields } from '../../dialects/common/fields.ts';
import { changedPaths } from '../../model/changed-paths.ts';
import type { Cover, GrantRule } from '../../model/event.ts';
import { isObject } from '../../model/message.ts';
import { commandIn, commandLine, pathsIn } from '../../model/subject.ts';
import { globMatches } from '../../model/text/glob.ts';
import { type SimpleCommand, splitCommand } from './policy/shell.ts';

/** What a grant was given for, or what a call is. */
export interface CoveredCall {
  tool: string | null;
  action: string | null;
  arguments: unknown;
}

/** `requested`: what the grant was given for; `ran`: the call. */
export function coversCall(cover: Cover, requested: CoveredCall, ran: CoveredCall): boolean {
  if (cover.is === 'rules')
    return anyRuleHolds(
      cover.rules.filter((rule) => isRuleFor(rule, requested, ran)),
      ran.arguments,
    );
  if (!isObject(requested.arguments) || !isObject(ran.arguments)) return false;
  if (cover.is === 'same') return isSameAction(requested.arguments, ran.arguments);
  return hasPrefix(cover.words, commandLine(ran.arguments.command));
}

/** What a grant covers, rule by rule, as it was given. */
export function listCover(cover: Cover | null): string[] {
  if (cover === null) return [];
  if (cover.is === 'same') return ['the same command or files again, in this session'];
  if (cover.is === 'prefix') return [`commands that begin with \`${cover.words.join(' ')}\``];
  return [...cover.rules.map(ruleText), ...cover.more];
}

/** `Bash(touch one.txt)`, as agents write it. */
function ruleText({ tool, pattern }: GrantRule): string {
  if (tool === null) return `\`${pattern ?? '*'}\``;
  return pattern === null ? tool : `${tool}(${pattern})`;
}

/** A rule that names no tool is for calls of the same kind. Some agents have only a title when they ask. */
function isRuleFor({ tool }: GrantRule, requested: CoveredCall, ran: CoveredCall): boolean {
  if (tool !== null || (requested.tool !== null && requested.tool === ran.tool))
    return ran.tool === (tool ?? requested.tool);
  return requested.action !== null && requested.action === ran.action;
}

/**
 * One of the rules has no pattern, or all commands of the line, or all files, are like one of the patterns. A pattern that is
 * neither a command nor a path is not known to hold.
 */
function anyRuleHolds(rules: readonly GrantRule[], args: unknown): boolean {
  if (rules.some(({ pattern }) => pattern === null)) return true;
  const patterns = rules.flatMap(({ pattern }) => pattern ?? []);
  const command = commandIn(args);
  if (command !== null) return allCommandsMatch(patterns, command);
  const paths = pathsIn(args);
  return paths.length > 0 && paths.every((path) => patterns.some((pattern) => matchesPath(pattern, path)));
}

/** The line is a pattern, or each command of it is like one: `npm run *`, `npm run:*`, or the command itself. */
function allCommandsMatch(patterns: readonly string[], line: string): boolean {
  if (patterns.includes(line.trim())) return true;
  const { commands, unclear } = splitCommand(line);
  if (unclear) return false;
  return (
    commands.length > 0 && commands.every((command) => patterns.some((pattern) => matchesCommand(pattern, command)))
  );
}

function matchesCommand(pattern: string, { text, writes }: SimpleCommand): boolean {
  if (writes.length > 0 && !pattern.includes('>')) return false;
  const glob = pattern.replace(/:\*$/, ' *');
  return globMatches(glob, text) || (glob.endsWith(' *') && text === glob.slice(0, -2));
}

/** A pattern for files is relative, from the root (`//`), or has stars. */
function matchesPath(pattern: string, path: string): boolean {
  const glob = pattern.replace(/^\/\//, '/').replace(/^\.\//, '').replaceAll('**', '*');
  return globMatches(glob, path) || (!glob.startsWith('/') && globMatches(`*/${glob}`, path));
}

type Arguments = Record<string, unknown>;

/** The same files, whatever changes in them, or the same command in the same folder. */
function isSameAction(requested: Arguments, ran: Arguments): boolean {
  const files = changedPaths(requested.changes);
  if (files.length === 0) return !hasOtherFields(requested, ran);
  const changed = changedPaths(ran.changes);
  return changed.length > 0 && changed.every((path) => files.includes(path));
}

/** All commands of the line begin so, or the line itself does, which is the script of a shell. */
function hasPrefix(prefix: readonly string[], command: string | null): boolean {
  if (command === null) return false;
  const { commands, unclear } = splitCommand(command);
  const [outer, ...inner] = commands;
  if (unclear || !outer) return false;
  const fits = ({ words }: { words: string[] }) => prefix.every((word, at) => words[at] === word);
  return inner.length > 0 && isScript(outer.words) ? fits(outer) || inner.every(fits) : commands.every(fits);
}

const isScript = ([program = '', option = '']: string[]): boolean =>
  /(?:^|\/)\w*sh$/.test(program) && /^-\w*c/.test(option);
