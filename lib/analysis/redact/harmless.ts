/** Random-looking things that are no secrets, recognised by their context: digests, ids, pictures, text in base64. */
import { runEnd } from './base64.ts';
import { encodedIn } from './views.ts';

/** How ids of agents, models and requests begin. */
const AGENT_ID =
  /^(?:msg|toolu|srvtoolu|tool|call|fc|rs|ws|item|chatcmpl|cmpl|gen|resp|req|request|run|thread|asst|agent|ses|sess|session|prt|part|step|turn|evt|event|task|batch|file|conv|chat|trace|span|job|plan|perm|ask|toolcall|functions)[_-][A-Za-z0-9_-]+$/i;
/** How names of digests and of commits end, and of what has one. */
const DIGEST_NAME =
  /(?:sha-?\d{1,3}|md5|blake\d[bs]?|crc|digest|checksum|integrity|hash|hashes|etag|fingerprint|commit|tree|blob|objects?|parent|revision|rev)$/;
/** What programs number in hexadecimal: only with a sign between. */
const HEX_NUMBER_NAME =
  /(?:trace|traceparent|span|nonce|build|layer|image|containers?|overlay2|snapshot|cache|id|ids)$/;
/** But not if it belongs to a key or to a person. */
const PRIVATE_ID_NAME = /(?:key|access|client|secret|token|app|account|user|tenant|customer)[_-]?ids?$/;
/** Digests that are not in hexadecimal, and paths of Nix. */
const ENCODED_DIGEST = /(?:sha(?:1|256|384|512)[-:=]|\bh1:|\/nix\/store\/|SHA256:|MD5:|code_challenge=|pk-hash=)$/;
/** What a program that computes digests writes behind one. */
const FILE_FOLLOWS = /^ [ *][^\s]/;
/** Pictures, archives and fonts in base64. */
const PICTURE_START =
  /^(?:iVBORw0KGgo|\/9j\/[24]|R0lGOD|UklGR|JVBERi|PHN2Zy|Qk[0-9A-Za-z]{2}AA|AAABAA|d09GM|T2dnUw|SUkqA|TU0AK|AGFzbQ)/;
const DATA_URL = /;base64,$/;
const HEX = /^[0-9A-Fa-f]+$/;

/**
 * Whether the part from `start` to `end`, in a run from `run` to `stop`, is certainly no secret: because it is named here, and
 * so it is harmless elsewhere, or by its own form.
 */
export function harmlessReason(
  text: string,
  start: number,
  end: number,
  run: number,
  stop: number,
): 'named' | 'form' | null {
  if (isNamed(text, start, end, run)) return 'named';
  const around = text.slice(run, stop);
  if (
    PICTURE_START.test(around) ||
    PICTURE_START.test(text.slice(start, end)) ||
    DATA_URL.test(text.slice(Math.max(0, run - 8), run))
  )
    return 'form';
  return isTextInBase64(text, start, end, run) ? 'form' : null;
}

function isNamed(text: string, start: number, end: number, run: number): boolean {
  if (HEX.test(text.slice(start, end))) return FILE_FOLLOWS.test(text.slice(end, end + 3)) || isNamedHex(text, start);
  if (AGENT_ID.test(text.slice(wordStart(text, start, run), end))) return true;
  return (
    ENCODED_DIGEST.test(text.slice(Math.max(0, start - 20), start)) ||
    ENCODED_DIGEST.test(text.slice(Math.max(0, run - 20), run))
  );
}

const SIGNS = new Set([...' \t:=@~/#-"\'\\']);
/** A file whose digest it is, in brackets; the first part of a path or a number of which this is the second. */
const FILE_IN_BRACKETS = /\([^()\n]{1,100}\)$/;
const PATH_PART = /(?:^|[^A-Za-z0-9])(?:[0-9a-f]{2})$/;
const MAX_NAME_CHARS = 40;

/** Whether a name before it says that it is a digest, or the number of something. */
function isNamedHex(text: string, start: number): boolean {
  let { end, signs } = signsBefore(text, start);
  const before = text.slice(Math.max(0, end - 102), end);
  const part = PATH_PART.test(before) ? 2 : before.endsWith(')') ? (FILE_IN_BRACKETS.exec(before)?.[0].length ?? 0) : 0;
  if (part > 0) ({ end, signs } = signsBefore(text, end - part, signs));
  const name = text.slice(wordStart(text, end, Math.max(0, end - MAX_NAME_CHARS)), end).toLowerCase();
  if (name === '' || PRIVATE_ID_NAME.test(name)) return false;
  return DIGEST_NAME.test(name)
    ? signs !== ''
    : HEX_NUMBER_NAME.test(name) && (/[^\s]/.test(signs) || (signs !== '' && /^ids?$/.test(name)));
}

function signsBefore(text: string, start: number, more = ''): { end: number; signs: string } {
  let end = start;
  while (end > 0 && start - end < 12 && SIGNS.has(text[end - 1]!)) end--;
  return { end, signs: text.slice(end, start) + more };
}

/** Where the word begins that it is the end of. */
function wordStart(text: string, start: number, run: number): number {
  let at = start;
  while (at > run && /[A-Za-z0-9_-]/.test(text[at - 1]!)) at--;
  return at;
}

/** It is looked into: what is in it is replaced, and nothing else. */
function isTextInBase64(text: string, start: number, end: number, run: number): boolean {
  let from = start;
  while (from > run && runEnd(text.slice(from - 1, from), 0) === 1) from--;
  return encodedIn(text.slice(from, runEnd(text, from))).some(
    (one) => from + one.start <= start && from + one.end >= end,
  );
}
