/**
 * What differs from run to run and means nothing: ids, times, temporary paths, the folder that the agent ran in. Each is
 * replaced by a name in angle brackets before two texts are compared. The name has no number: one more id would make all
 * later ones differ. What a program reports also has durations, process ids, ports and addresses.
 */
import { Recent } from '../../model/recent.ts';
import { asPattern } from '../../model/text/text.ts';

/** `plain`: what people and models write. `output`: what programs report. */
export type Voice = 'plain' | 'output';

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
const PLAIN = new RegExp(`(${UUID})|(${HEX})|(${MOMENT})|(${TEMPORARY})|(${OF_PROCESS})|(${HOME})`, 'gi');

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
const OUTPUT = new RegExp(
  `(${DURATION})|(${PROCESS})|(${PORT})|(${ADDRESS})|(${CLOCK}|${EPOCH})|(${TOKENS})|(${LOGIN})`,
  'gi',
);
const MAY_BE_OUTPUT = /\d/;

/** A name that a program made up: `tmpab12cd34`, `run-x7Kq2Z`, `tmp.ZxR8dM2u1Q`. */
const MADE_UP =
  /^tmp[\w.]{6,}$|^[0-9a-f]{8,}$|\d{5,}|[-_.](?=[^-_.]*[\dA-Z])(?=[^-_.]*[A-Za-z])[A-Za-z0-9]{6,}(?:\.\w+)?$/;

/** How an id may look in a text. */
const WORDS = /[A-Za-z0-9][\w:.-]*\w/g;
/** Shorter ids are words that occur anyway. */
const SHORTEST_ID = 6;
const LONGEST_ID = 200;
const IDS = 10_000;
/** Is masked anyway. */
const WHOLE_UUID = new RegExp(`^${UUID}$`, 'i');

/** An id that a program reports: `task_id: bash-z7an0cyo`. */
const REPORTED =
  /\b(?:task|agent|session|shell|run|job|thread|subagent|conversation|request)[ _-]?id\b["']?(?::| is| =|=) ?["'`]?([\w-]{6,})/gi;

export class Mask {
  #folders: readonly Folder[] = [];
  readonly #names: readonly RegExp[];
  readonly #ids = new Recent<string, true>(IDS);

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
    if (path.length < 2 || this.#folders.length >= FOLDERS || this.#folders.some((one) => one.path === path)) return;
    this.#folders = [...this.#folders, folderOf(path)].sort((a, b) => b.path.length - a.path.length);
  }

  /** A value of the session that names something in it. */
  learn(id: unknown): void {
    if (typeof id !== 'string' || id.length < SHORTEST_ID || id.length > LONGEST_ID || WHOLE_UUID.test(id)) return;
    if (/\d/.test(id)) this.#ids.set(id, true);
  }

  /** The ids that a program reports in its output. */
  learnFrom(output: string): void {
    if (!/id/i.test(output)) return;
    for (const [, id] of output.matchAll(REPORTED)) this.learn(id);
  }

  text(text: string, voice: Voice): string {
    if (text === '') return text;
    let masked = text;
    for (const folder of this.#folders) masked = inFolder(masked, folder);
    for (const name of this.#names)
      masked = masked.replace(name, (found, made: string) => found.replace(made, '<name>'));
    if (mayBePlain(masked)) masked = masked.replace(PLAIN, nameOf);
    if (this.#ids.size > 0 && masked.length >= SHORTEST_ID && /\d/.test(masked))
      masked = masked.replace(WORDS, (word) => (this.#isId(word) ? '<id>' : word));
    if (voice === 'plain' || !MAY_BE_OUTPUT.test(masked)) return masked;
    return masked.replace(OUTPUT, outputName);
  }

  #isId(word: string): boolean {
    return word.length >= SHORTEST_ID && this.#ids.has(word);
  }
}

/** What the expression finds has one of these, or is a long word. */
function mayBePlain(text: string): boolean {
  return text.length >= SHORTEST_PLAIN && (text.includes('-') || text.includes('/') || text.length >= SHORTEST_HEX);
}

const SHORTEST_PLAIN = 6;
const SHORTEST_HEX = 32;

/** A folder that the agent works in, and how agents write it where there is little room. */
interface Folder {
  path: string;
  /** As the name of a folder: Claude and Qwen keep what they know of a project in `-work-app`. */
  slug: string;
  name: string;
  /** Its name alone, quoted or as a folder, if that is no word that occurs anyway. */
  alone: RegExp | null;
}

const ABSOLUTE = /^(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])/;
const FOLDERS = 20;
const SHORTEST_NAME = 6;

function folderOf(path: string): Folder {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const isWord = name.length < SHORTEST_NAME || !/[\d_.-]/.test(name);
  const word = asPattern(name);
  const alone = isWord ? null : new RegExp(`(?<![\\w./-])${word}(?=/)|(?<=(['"\`]))${word}(?=\\1)`, 'g');
  return { path, slug: path.replace(/[^A-Za-z0-9]/g, '-'), name, alone };
}

/** Also of a folder that has another path too, through a link. */
const PROJECT = /(?<=\/projects\/)-[A-Za-z0-9-]+(?=\/)/g;

function inFolder(text: string, { path, slug, name, alone }: Folder): string {
  // Most texts have no path, and are looked at once.
  if (!text.includes('/') && (alone === null || !text.includes(name)) && path.startsWith('/')) return text;
  const moved = text.includes(path) ? underPath(text, path) : text;
  const whole = moved.includes('/projects/-')
    ? moved.replace(PROJECT, '<cwd>')
    : moved.replaceAll(`/${slug}/`, '/<cwd>/');
  const short = whole.includes('...') || whole.includes('…') ? shortened(whole, path, name) : whole;
  return alone && short.includes(name) ? short.replace(alone, '<cwd>') : short;
}

/** Only whole names: `/home/me/app` is not in `/home/me/app-2`. */
function underPath(text: string, path: string): string {
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
function shortened(text: string, folder: string, name: string): string {
  return text.replace(/(?:\.{3}|…)([^\s'"`]{3,200})/g, (found, path: string) => {
    for (let at = path.lastIndexOf('/'); at >= SHORTEST_END; at = path.lastIndexOf('/', at - 1)) {
      const end = path.slice(0, at);
      if (folder.endsWith(end) || end.endsWith(`/${name}`)) return `<cwd>${path.slice(at)}`;
    }
    return found;
  });
}

const SHORTEST_END = 3;

function nameOf(found: string, ...groups: (string | undefined)[]): string {
  const [uuid, hex, moment, temporary, process] = groups;
  if (uuid !== undefined || hex !== undefined) return '<uuid>';
  if (moment !== undefined) return '<time>';
  if (process !== undefined) return '<pid>';
  if (temporary === undefined) return '~';
  const at = found.lastIndexOf('/');
  return MADE_UP.test(found.slice(at + 1)) ? '<tmp>' : found.replace(IN_NAME, '<time>');
}

const IN_NAME = new RegExp(NAMED_MOMENT, 'g');

const OUTPUT_NAMES = ['<duration>', '<pid>', '<port>', '<address>', '<time>', '<tokens>', '<id>'];

function outputName(_: string, ...groups: unknown[]): string {
  return OUTPUT_NAMES[groups.findIndex((group) => group !== undefined)]!;
}
