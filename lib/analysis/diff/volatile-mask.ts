/**
 * What differs from run to run and means nothing: ids, times, temporary paths, the folder that the agent ran in. Each is
 * replaced by a name in angle brackets before two texts are compared. The name has no number: one more id would make all
 * later ones differ. What a program reports also has durations, process ids, ports and addresses.
 */
import { LimitedMap } from '../../model/limited-map.ts';
import { asPattern } from '../../model/text/text.ts';

/** `plain`: what people and models write. `output`: what programs report. */
export type MaskMode = 'plain' | 'output';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const HEX = '(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])';
/** In the name of a file, which may have no colon, and of a folder for each day. */
const NAMED_MOMENT =
  '(?<!\\d)\\d{4}-\\d\\d-\\d\\d[T_]\\d\\d-\\d\\d-\\d\\d(?:[-.]\\d{1,6}(?=Z|[^\\w-]|$))?Z?(?!\\d)|(?<=/)20\\d\\d/\\d\\d/\\d\\d(?=/)';
const MOMENT = `${NAMED_MOMENT}|${'\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?(?:\\[[A-Za-z_/]+\\])?'}`;
/** Folders for temporary files, and what is in them. */
const TEMPORARY = '(?:/private)?(?:/tmp|/var/tmp|/dev/shm|/var/folders/\\w\\w/\\w+/T)/[\\w.@+-]+';
/** Sockets and locks that are called as the process that made them. */
const OF_PROCESS = '(?<=/)\\d+(?=\\.(?:sock|pid|lock)\\b)';
const HOME = '/(?:home|Users)/[\\w.-]+(?=[/\\s"\'`:,;)\\]]|$)';

/** One expression, because most texts have none of them and are read once. */
const PLAIN_VOLATILE = new RegExp(`(${UUID})|(${HEX})|(${MOMENT})|(${TEMPORARY})|(${OF_PROCESS})|(${HOME})`, 'gi');

const DURATION =
  '(?<![\\w.])\\d+(?:\\.\\d+)? ?(?:ns|µs|us|ms|msec|s|sec|secs|seconds?|minutes?|milliseconds?)(?![\\w-])|\\b(?:duration|elapsed|total|uptime|latency)_?(?:ms|seconds)["\']?[:=] ?\\d+';
const PROCESS = '\\b(?:pid|ppid|pgid|process(?: group)?(?: id)?)\\b["\']?[:=# ]+\\d+|\\(node:\\d+\\)';
const PORT = '(?:localhost|127\\.0\\.0\\.1|\\[::1?\\]|0\\.0\\.0\\.0):\\d{2,5}';
const ADDRESS = '\\b0x[0-9a-f]{6,16}\\b';
const CLOCK = '(?<![\\d:])\\d\\d:\\d\\d:\\d\\d(?:[.,]\\d+)?(?![\\d:])';
/** Milliseconds since 1970, and what makes an id of them. */
const EPOCH = '(?<![\\d.])1[5-9]\\d{11}(?:-[0-9a-f]{6,})?(?![\\w.])';
const TOKENS = '\\b\\d[\\d,.]*[kM]? tokens?\\b|\\b\\w*tokens["\']?: ?\\d+';
/** What a program makes up for one login. */
const LOGIN = '(?<=[?&](?:state|nonce|code_challenge)=)[\\w.~%-]+';
const OUTPUT_VOLATILE = new RegExp(
  `(${DURATION})|(${PROCESS})|(${PORT})|(${ADDRESS})|(${CLOCK}|${EPOCH})|(${TOKENS})|(${LOGIN})`,
  'gi',
);
const MAY_BE_OUTPUT = /\d/;

/** A name that a program made up: `tmpab12cd34`, `run-x7Kq2Z`, `tmp.ZxR8dM2u1Q`. */
const MADE_UP =
  /^tmp[\w.]{6,}$|^[0-9a-f]{8,}$|\d{5,}|[-_.](?=[^-_.]*[\dA-Z])(?=[^-_.]*[A-Za-z])[A-Za-z0-9]{6,}(?:\.\w+)?$/;

/** How an id may look in a text. */
const ID_WORD = /[A-Za-z0-9][\w:.-]*\w/g;
/** Shorter ids are words that occur anyway. */
const MIN_ID_CHARS = 6;
const MAX_ID_CHARS = 200;
const MAX_IDS = 10_000;
/** Is masked anyway. */
const WHOLE_UUID = new RegExp(`^${UUID}$`, 'i');

/** An id that a program reports: `task_id: bash-z7an0cyo`. */
const REPORTED_ID =
  /\b(?:task|agent|session|shell|run|job|thread|subagent|conversation|request)[ _-]?id\b["']?(?::| is| =|=) ?["'`]?([\w-]{6,})/gi;

export class VolatileMask {
  #folders: readonly MaskedFolder[] = [];
  readonly #names: readonly RegExp[];
  readonly #ids = new LimitedMap<string, true>(MAX_IDS);

  /** `folders`: where the agent ran. `names`: what agents make up; see the traits of the dialect. */
  constructor(folders: readonly string[], names: readonly RegExp[] = []) {
    this.#names = names;
    for (const folder of folders) this.learnFolder(folder);
  }

  /** A folder that the agent works in. */
  learnFolder(folder: unknown): void {
    if (typeof folder !== 'string' || !ABSOLUTE.test(folder)) return;
    const path = folder.replace(/^file:\/\//, '').replace(/\/+$/, '');
    // The root is no place of its own.
    if (path.length < 2 || this.#folders.length >= MAX_FOLDERS || this.#folders.some((one) => one.path === path))
      return;
    this.#folders = [...this.#folders, folderOf(path)].sort((a, b) => b.path.length - a.path.length);
  }

  /** A value of the session that names something in it. */
  learnId(id: unknown): void {
    if (typeof id !== 'string' || id.length < MIN_ID_CHARS || id.length > MAX_ID_CHARS || WHOLE_UUID.test(id)) return;
    if (/\d/.test(id)) this.#ids.set(id, true);
  }

  /** The ids that a program reports in its output. */
  learnFrom(output: string): void {
    if (!/id/i.test(output)) return;
    for (const [, id] of output.matchAll(REPORTED_ID)) this.learnId(id);
  }

  text(text: string, mode: MaskMode): string {
    if (text === '') return text;
    let masked = text;
    for (const folder of this.#folders) masked = maskFolder(masked, folder);
    for (const name of this.#names)
      masked = masked.replace(name, (found, made: string) => found.replace(made, '<name>'));
    if (mayBePlain(masked)) masked = masked.replace(PLAIN_VOLATILE, placeholderOf);
    if (this.#ids.size > 0 && masked.length >= MIN_ID_CHARS && /\d/.test(masked))
      masked = masked.replace(ID_WORD, (word) => (this.#isId(word) ? '<id>' : word));
    if (mode === 'plain' || !MAY_BE_OUTPUT.test(masked)) return masked;
    return masked.replace(OUTPUT_VOLATILE, outputPlaceholder);
  }

  #isId(word: string): boolean {
    return word.length >= MIN_ID_CHARS && this.#ids.has(word);
  }
}

/** What the expression finds has one of these, or is a long word. */
function mayBePlain(text: string): boolean {
  return text.length >= MIN_PLAIN_CHARS && (text.includes('-') || text.includes('/') || text.length >= MIN_HEX_CHARS);
}

const MIN_PLAIN_CHARS = 6;
const MIN_HEX_CHARS = 32;

/** A folder that the agent works in, and how agents write it where there is little room. */
interface MaskedFolder {
  path: string;
  /** As the name of a folder: Claude and Qwen keep what they know of a project in `-work-app`. */
  slug: string;
  name: string;
  /** Its name alone, quoted or as a folder, if that is no word that occurs anyway. */
  alone: RegExp | null;
}

const ABSOLUTE = /^(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])/;
const MAX_FOLDERS = 20;
const MIN_NAME_CHARS = 6;

function folderOf(path: string): MaskedFolder {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isWord = name.length < MIN_NAME_CHARS || !/[\d_.-]/.test(name);
  const word = asPattern(name);
  const alone = isWord ? null : new RegExp(`(?<![\\w./-])${word}(?=/)|(?<=(['"\`]))${word}(?=\\1)`, 'g');
  return { path, slug: path.replace(/[^A-Za-z0-9]/g, '-'), name, alone };
}

/** Also of a folder that has another path too, through a link. */
const PROJECT = /(?<=\/projects\/)-[A-Za-z0-9-]+(?=\/)/g;

function maskFolder(text: string, { path, slug, name, alone }: MaskedFolder): string {
  // Most texts have no path, and are looked at once.
  if (!text.includes('/') && (alone === null || !text.includes(name)) && path.startsWith('/')) return text;
  const moved = text.includes(path) ? maskPath(text, path) : text;
  const whole = moved.includes('/projects/-')
    ? moved.replace(PROJECT, '<cwd>')
    : moved.replaceAll(`/${slug}/`, '/<cwd>/');
  const short = whole.includes('...') || whole.includes('…') ? maskShortPath(whole, path, name) : whole;
  return alone && short.includes(name) ? short.replace(alone, '<cwd>') : short;
}

/** Only whole names: `/home/me/app` is not in `/home/me/app-2`. */
function maskPath(text: string, path: string): string {
  let out = '';
  let from = 0;
  for (let at = text.indexOf(path); at >= 0; at = text.indexOf(path, at + path.length)) {
    if (/[\w.-]/.test(text[at + path.length] ?? '') && !/^\.(?:\s|$)/.test(text.slice(at + path.length))) continue;
    out += `${text.slice(from, at)}<cwd>`;
    from = at + path.length;
  }
  return out + text.slice(from);
}

/** A path of which only the end is shown: `...me/app/main.ts`. */
function maskShortPath(text: string, folder: string, name: string): string {
  return text.replace(/(?:\.{3}|…)([^\s'"`]{3,200})/g, (found, path: string) => {
    for (let at = path.lastIndexOf('/'); at >= MIN_END_CHARS; at = path.lastIndexOf('/', at - 1)) {
      const end = path.slice(0, at);
      if (folder.endsWith(end) || end.endsWith(`/${name}`)) return `<cwd>${path.slice(at)}`;
    }
    return found;
  });
}

const MIN_END_CHARS = 3;

function placeholderOf(found: string, ...groups: (string | undefined)[]): string {
  const [uuid, hex, moment, temporary, process] = groups;
  if (uuid !== undefined || hex !== undefined) return '<uuid>';
  if (moment !== undefined) return '<time>';
  if (process !== undefined) return '<pid>';
  if (temporary === undefined) return '~';
  const at = found.lastIndexOf('/');
  return MADE_UP.test(found.slice(at + 1)) ? '<tmp>' : found.replace(IN_NAME, '<time>');
}

const IN_NAME = new RegExp(NAMED_MOMENT, 'g');

const OUTPUT_PLACEHOLDERS = ['<duration>', '<pid>', '<port>', '<address>', '<time>', '<tokens>', '<id>'];

function outputPlaceholder(_: string, ...groups: unknown[]): string {
  return OUTPUT_PLACEHOLDERS[groups.findIndex((group) => group !== undefined)]!;
}
