/**
 * What an ACP call runs or changes. ACP has no fields for that, so agents put it in `rawInput`, in the title, in locations, in
 * diffs, in a text such as `$ npm test`, or name the tool only in the id of the call.
 */
import { isObject, parseJson } from '../../model/message.ts';
import { type CallSubject, commandIn, isShell, pathsIn } from '../../model/subject.ts';
import { objectOf, objectsOf, stringOf } from '../common/fields.ts';
import type { JsonObject } from '../dialect.ts';

/** What is known so far of a call. */
export interface KnownCall {
  id: string;
  /** A name, or else the first title. */
  tool: string | null;
  named: boolean;
  kind: string | null;
  title: string | null;
  /** The tool is a text of the arguments, so it is a title. */
  repeats: boolean;
  /** From `rawInput`, of any frame. */
  command: string | null;
  files: readonly string[];
  /** From the latest `rawInput`, which is the arguments of the call. */
  given: { command: boolean; files: readonly string[] };
  /** From a text such as `$ npm test`. */
  typed: string | null;
  /** From locations and diffs. */
  shown: readonly string[];
  /** Undefined while there was none. */
  subject: CallSubject | null | undefined;
}

const NOTHING: KnownCall['given'] = { command: false, files: [] };

export const unknownCall = (id: string): KnownCall => ({
  ...{ id, tool: null, named: false, kind: null, title: null, repeats: false },
  ...{ command: null, files: [], given: NOTHING, typed: null, shown: [], subject: undefined },
});

const MAX_PATHS = 1000;
/** A longer text outside the arguments is not kept: nobody can tell what it runs. */
const MAX_TEXT_LENGTH = 1 << 16;

/** Adds what a frame says. `announces`: its text is not yet output. */
export function learnSubject(call: KnownCall, details: JsonObject, announces: boolean): void {
  const { rawInput } = details;
  call.title = shortOf(stringOf(details.title)) ?? call.title;
  if (rawInput !== undefined && rawInput !== null) {
    const command = commandIn(rawInput);
    const files = pathsIn(rawInput);
    call.given = { command: command !== null, files };
    call.command = command ?? call.command;
    call.files = joined(call.files, files);
  }
  call.shown = joined(call.shown, shownPaths(details));
  if (announces) call.typed = typedIn(details.content) ?? call.typed;
  call.repeats ||= isAmongTexts(call.tool, rawInput);
  const subject = subjectOf(call);
  if (!isSame(subject, call.subject ?? null)) call.subject = subject;
}

/** Gemini has the arguments for a tool of MCP only as a text in its request. */
export function withInput(details: JsonObject): JsonObject {
  if (details.rawInput !== undefined && details.rawInput !== null) return details;
  const [item, ...more] = objectsOf(details.content);
  const text = more.length === 0 ? stringOf(objectOf(item?.content).text) : null;
  const value = text?.startsWith('{') ? parseJson(text) : undefined;
  return isObject(value) ? { ...details, rawInput: value } : details;
}

/** The call is over: only what its rows need is kept. */
export function closeSubject(call: KnownCall): void {
  Object.assign(call, { title: null, command: null, files: [], given: NOTHING, typed: null, shown: [] });
}

/** Null if the arguments and the name of the tool say as much. */
function subjectOf(call: KnownCall): CallSubject | null {
  const { tool, typed, shown, files, given, kind } = call;
  const name = nameOf(call);
  const known = call.command ?? typed ?? titleAsCommand(call);
  const command = given.command ? null : known;
  const title = kind === 'execute' && known === null ? call.title : null;
  const paths = [...new Set([...files, ...shown])].filter((path) => !given.files.includes(path));
  const isPlain = name === tool && command === null && title === null && paths.length === 0;
  if (isPlain) return null;
  return { name, command, title, paths, ...(paths.length >= MAX_PATHS ? { cut: true } : {}) };
}

const WORD = /^[\w./:-]+$/;
/** Gemini: `run_shell_command-1794853397489` and `run_shell_command__run_shell_command_1794853397489_0`. */
const NAMED_ID = /^([A-Za-z]\w*?)(?:__\1)?[-_]\d{12,}(?:[-_][A-Za-z0-9]+)*$/;
const MAX_ID_LENGTH = 200;
/** `terminal: npm test` */
const NAMED_TITLE = /^(\w+): (.+)$/s;

function nameOf(call: KnownCall): string | null {
  const { id, tool, named, repeats, command, typed, kind } = call;
  if (named || tool === null) return tool ?? nameInId(id);
  const inId = nameInId(id);
  if (inId !== null) return inId;
  const known = command ?? typed;
  // The only word of a title may be the command itself.
  if (WORD.test(tool) && !repeats && tool !== known && (kind !== 'execute' || known !== null)) return tool;
  const [, name = null, titleRest = null] = NAMED_TITLE.exec(tool) ?? [];
  return titleRest !== null && (titleRest === known || [...call.files, ...call.shown].includes(titleRest))
    ? name
    : null;
}

function nameInId(id: string): string | null {
  const [, name = null] = id.length > MAX_ID_LENGTH ? [] : (NAMED_ID.exec(id) ?? []);
  return name === null || /^(?:tool_?)?(?:call|use)?$/i.test(name) ? null : name;
}

/** Something may be missing at the end. */
const SHORTENED = /…$|[^./]\.\.\.$/;
/** Or something may be added, such as the folder. */
const ANNOTATED = /[\])]$/;

/** A title in backticks, and the title of a call whose id names a shell, are the command. */
function titleAsCommand({ id, title, kind }: KnownCall): string | null {
  const isShellId = isShell(nameInId(id) ?? '');
  if (title === null || (kind !== 'execute' && !isShellId)) return null;
  const [, quoted = null] = /^`([^`]+)`$/.exec(title) ?? [];
  if (quoted !== null) return SHORTENED.test(quoted) ? null : quoted;
  return isShellId && !SHORTENED.test(title) && !ANNOTATED.test(title) ? title : null;
}

/** The folder in which a command runs may be among its locations, and is no file that it changes. */
function shownPaths({ locations, content, rawInput }: JsonObject): string[] {
  const { cwd } = objectOf(rawInput);
  const diffs = objectsOf(content).filter(({ type }) => type === 'diff');
  const changes = diffs.flatMap((diff) => objectsOf(diff.changes));
  const paths = [...objectsOf(locations), ...diffs, ...changes].flatMap(({ path, oldPath }) => [oldPath, path]);
  return paths.flatMap((path) => (typeof path === 'string' && path !== '' && path !== cwd ? [path] : []));
}

function typedIn(content: unknown): string | null {
  for (const item of objectsOf(content)) {
    const text = stringOf(objectOf(item.content).text);
    const [, typed = null] = /(?:^|\n)\$ (.+)$/s.exec(text ?? '') ?? [];
    if (typed !== null && !SHORTENED.test(typed)) return shortOf(typed);
    // Kimi; a long command is cut there.
    const [, runs = null] = /^Requesting approval to Running: (.+)$/s.exec(text ?? '') ?? [];
    if (runs !== null && !SHORTENED.test(runs) && !ANNOTATED.test(runs)) return shortOf(runs);
  }
  return null;
}

const shortOf = (text: string | null): string | null => (text !== null && text.length > MAX_TEXT_LENGTH ? null : text);

function isAmongTexts(tool: string | null, rawInput: unknown): boolean {
  if (tool === null || typeof rawInput !== 'object' || rawInput === null) return false;
  return Object.values(rawInput).includes(tool);
}

/** All of them, or the list itself if it has them already. */
function joined(known: readonly string[], more: readonly string[]): readonly string[] {
  const added = more.filter((one) => !known.includes(one));
  return added.length === 0 ? known : [...known, ...added].slice(0, MAX_PATHS);
}

function isSame(a: CallSubject | null, b: CallSubject | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.name !== b.name || a.command !== b.command || a.title !== b.title || a.cut !== b.cut) return false;
  return a.paths.length === b.paths.length && a.paths.every((path, at) => path === b.paths[at]);
}

/**
 * Which of the open calls a request with an id of its own is about: the same kind, and the same command or file. Each request
 * may have to look at all of them, so what it looks for is made once.
 */
export function isAboutThat(request: KnownCall): (call: KnownCall) => boolean {
  const shape = shapeOf(request.id);
  const requestedCommand = commandOf(request);
  const wanted = [...request.files, ...request.shown];
  const isWanted = (file: string) => wanted.some((path) => isSameFile(path, file));
  return (call) => {
    if (request.kind !== null && call.kind !== null && request.kind !== call.kind) return false;
    if (requestedCommand === null) {
      if (!call.files.some(isWanted) && !call.shown.some(isWanted)) return false;
    } else {
      const runs = commandOf(call);
      if (runs === null ? !isTitledAs(requestedCommand, call.title) : requestedCommand !== runs) return false;
    }
    return shape !== shapeOf(call.id);
  };
}

/** `terminal: npm test`, or only the beginning of it. */
function isTitledAs(command: string, title: string | null): boolean {
  const [, text = '', isCut] = /^(?:\w+: )?(.+?)(…|\.\.\.)?$/s.exec(title ?? '') ?? [];
  return isCut === undefined ? command === blankless(text) : text.length > 3 && command.startsWith(blankless(text));
}

/** One of them may be relative. */
const isSameFile = (a: string, b: string): boolean => a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`);

function commandOf({ command, typed, subject }: KnownCall): string | null {
  const known = command ?? typed ?? subject?.command ?? null;
  return known === null ? null : blankless(known);
}

const ODD_BLANK = /^\s|\s$|[^\S ]| {2}/;
const blankless = (text: string): string => (ODD_BLANK.test(text) ? text.trim().replaceAll(/\s+/g, ' ') : text);

/** Ids of calls look alike: a prefix and something that counts or is random. */
const shapeOf = (id: string): string => id.replaceAll(/[0-9a-f]{4,}|\d+/gi, '#');
