/** What a call runs or changes: its command, and the paths of files. Agents spell the keys of their arguments in many ways. */
import { changedPaths } from './changed-paths.ts';
import { isObject } from './message.ts';
import { shellWord } from './text/shell.ts';

/** What the protocol says about a call outside its arguments: in a title, in its id, in a location, in a diff. */
export interface CallSubject {
  /** The name of its tool; null if only a title is known. */
  name: string | null;
  command: string | null;
  /** A text that may be its command, or may only describe it. */
  title: string | null;
  paths: string[];
  /** There are more paths than are kept. */
  cut?: boolean;
}

/** Keys in lower case, without `_` and `-`. */
const COMMAND_KEYS = new Set(['command', 'cmd', 'commands', 'commandline', 'shellcommand', 'bashcommand', 'script']);
const PATH_KEYS = new Set([
  ...['path', 'paths', 'filepath', 'filepaths', 'file', 'files', 'filename', 'filenames', 'absolutepath'],
  ...['absolutefilepath', 'relativepath', 'relativeworkspacepath', 'notebookpath', 'targetfile', 'targetpath'],
  ...['source', 'sourcepath', 'src', 'destination', 'destinationpath', 'dest', 'dst', 'oldpath', 'newpath'],
  ...['outputpath', 'outputfile', 'changes'],
]);
const FILE_KEYS = new Set([...PATH_KEYS, 'patch', 'patchtext', 'diff', 'input']);
/** Some agents put the arguments of the tool into those of the request. */
const ARGUMENT_KEYS = new Set(['arguments', 'args', 'input', 'params', 'parameters', 'toolinput', 'rawinput']);
/** Some tools take several commands or edits at once, each with its own arguments. */
const LIST_KEYS = new Set(['edits', 'operations', 'steps', 'commands', 'actions', 'replacements']);
const MAX_DEPTH = 3;

/** Most keys are as they should be: every row of a listing asks about all of them. */
const normalisedKey = (key: string): string => (/^[a-z]+$/.test(key) ? key : key.replaceAll(/[_-]/g, '').toLowerCase());

/** The command line in the arguments of a call; each of several is on a line of its own. */
export function commandIn(args: unknown): string | null {
  const lines = valuesOf(args, COMMAND_KEYS).flatMap(([key, value, { args: apart, arguments: words = apart }]) => {
    if (key === 'commands' && isTexts(value)) return value;
    const line = commandLine(value);
    if (line === null) return [];
    // Some agents have the program and its arguments apart, as ACP's terminals do.
    return isTexts(words) ? [line, ...words.map(shellWord)].join(' ') : line;
  });
  return lines.length === 0 ? null : [...new Set(lines)].join('\n');
}

/** A command as a shell would take it. */
export function commandLine(value: unknown): string | null {
  if (typeof value === 'string') return value;
  // The words of a command that needs no shell.
  return isTexts(value) && value.length > 0 ? value.map(shellWord).join(' ') : null;
}

/** The files that the arguments of a call and a patch in them name, or else those of a diff, which may shorten the names. */
export function pathsIn(args: unknown): string[] {
  const named: string[] = [];
  const patches: string[] = typeof args === 'string' ? [args] : [];
  for (const [key, value] of valuesOf(args, FILE_KEYS)) {
    if (PATH_KEYS.has(key)) for (const path of pathsOf(key, value)) named.push(path);
    else if (typeof value === 'string') patches.push(value);
  }
  for (const patch of patches) for (const path of pathsMatching(IN_PATCH, patch)) named.push(path);
  const found = named.length > 0 ? named : patches.flatMap((patch) => pathsMatching(IN_DIFF, patch));
  return found.length > 1 ? [...new Set(found)] : found;
}

const FOLDER_KEYS = new Set(['cwd', 'workdir', 'workingdir', 'workingdirectory', 'directory', 'dirpath']);

/** The folder in which a command runs, if the arguments of its call say so. */
export function folderIn(args: unknown): string | null {
  for (const [, value] of valuesOf(args, FOLDER_KEYS)) if (typeof value === 'string' && value !== '') return value;
  return null;
}

function pathsOf(key: string, value: unknown): string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (isTexts(value)) return value;
  return key === 'changes' || Array.isArray(value) ? changedPaths(value) : [];
}

const IN_PATCH = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;
const IN_DIFF = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm;

function pathsMatching(pattern: RegExp, text: string): string[] {
  const found = [...text.matchAll(pattern)].map(([, path]) => path!.trim());
  return found.filter((path) => path !== '/dev/null' && path !== 'dev/null');
}

type KeyValue = [key: string, value: unknown, among: Record<string, unknown>];

/** The values of these keys, also in arguments inside the arguments, each with the object that it stands in. */
function valuesOf(args: unknown, keys: ReadonlySet<string>, depth = 0, found: KeyValue[] = []): KeyValue[] {
  if (!isObject(args)) return found;
  for (const name of Object.keys(args)) {
    const key = normalisedKey(name);
    const value = args[name];
    if (ARGUMENT_KEYS.has(key) && isObject(value) && depth < MAX_DEPTH) valuesOf(value, keys, depth + 1, found);
    else if (LIST_KEYS.has(key) && Array.isArray(value) && value.some(isObject)) {
      if (depth < MAX_DEPTH) for (const one of value) valuesOf(one, keys, depth + 1, found);
    } else if (keys.has(key)) found.push([key, value, args]);
  }
  return found;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** Tools that run a command line, and tools that change files, in the words of many agents. */
const SHELL_TOOL =
  /^(?:bash|shell|sh|zsh|cmd|powershell|pwsh|terminal|(?:local_?)?shell(?:_?command)?|(?:run|exec(?:ute)?)_?(?:shell_?|terminal_?)?commands?|run_?in_?terminal|command_?execution|write_?(?:bash|powershell|stdin))$/i;
const EDITOR_TOOL =
  /^(?:(?:multi_?|notebook_?)?edit|write|create|delete|replace|move|editor|patch|patch_?apply|file_?change|search_?replace)$/i;
/** By these names, other servers change files too. */
const FILE_TOOL =
  /^(?:(?:write|edit|create|delete|patch|move|save|append_?to|replace_?in|str_?replace|write_?to)_?files?|str_?replace(?:_?editor)?|apply_?patch)$/i;
/** Tools that run a program in a language of its own. */
const INTERPRETER_TOOL =
  /^(?:i?python3?|node|js|jupyter|(?:js|node|python)_?repl|code_?interpreter|(?:run|exec(?:ute)?)_?(?:python|javascript|js|node|code|script)|eval)$/i;

/** Without the server that has the tool: `files.write_file`, `mcp__files__write_file`. */
const ownName = (name: string): string => name.replace(/^.*(?:\.|__)/s, '');

export const isShell = (name: string): boolean => SHELL_TOOL.test(ownName(name));
export const isInterpreter = (name: string): boolean => INTERPRETER_TOOL.test(ownName(name));

export function isEditor(name: string): boolean {
  const own = ownName(name);
  return FILE_TOOL.test(own) || (!name.includes('__') && EDITOR_TOOL.test(own));
}
