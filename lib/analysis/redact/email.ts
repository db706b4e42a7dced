/** E-mail addresses, in any script. */
import type { Hit } from './kinds.ts';

const ASCII_DOMAIN =
  /@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}([A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})(?![A-Za-z0-9@])/y;
/** With the top-level domains that are written in other scripts, and those of letters. */
const ANY_DOMAIN =
  /@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.){1,8}([A-Za-z]{2,24}|中国|中國|公司|网络|網絡|网址|在线|中文网|集团|企业|政务|公益|商标|移动|手机|商城|网店|香港|台湾|台灣|新加坡|рф|рус|онлайн|сайт|укр|бел|срб|한국|भारत|みんな|ไทย|مصر|امارات|السعودية)(?![\p{L}\p{N}@])/uy;
/** What follows a dot in names of files and packages is no domain. */
const FILE_ENDING =
  /^(?:png|jpe?g|gif|svg|webp|ico|js|mjs|cjs|ts|mts|tsx|jsx|json|md|txt|py|rs|go|sh|css|html?|ya?ml|toml|lock|log|zip|gz|map|vue|java|rb|php|cpp|hpp)$/i;
/** Letters of scripts that are written without blanks: a word before an address may be part of the sentence. */
const UNSPACED_LETTER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const LETTER = /[\p{L}\p{M}\p{N}]/u;

export const isLocalPartChar = (c: number): boolean =>
  (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c >= 48 && c <= 57) || c === 46 || c === 95 || c === 43 || c === 45;

/** The address around an `@`. */
export function emailHit(text: string, at: number): Hit | null {
  let start = localStart(text, at);
  while (start < at && /[.+-]/.test(text[start]!)) start++;
  if (start === at) return null;
  const [form, found] =
    [ASCII_DOMAIN, ANY_DOMAIN].map((one) => [one, matchAt(one, text, at)] as const).find(([, one]) => one) ?? [];
  if (!form || !found) return null;
  // The name of a file may end with an address and its own ending.
  const isFile = FILE_ENDING.test(found[1]!);
  if (isFile && !/\.[A-Za-z]{2,24}\.[A-Za-z]+$/.test(found[0])) return null;
  const end = at + found[0].length - (isFile ? found[1]!.length + 1 : 0);
  // git@host:path is a place, and the same for everybody.
  if (text.slice(start, at) === 'git') return null;
  return { kind: 'email', start, end, from: start, strong: false };
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}

function localStart(text: string, at: number): number {
  let start = at;
  for (; start > 0 && at - start < 64; start--) {
    const c = text.charCodeAt(start - 1);
    if (isLocalPartChar(c)) continue;
    if (c < 128 || !LETTER.test(text[start - 1]!)) break;
    // Behind letters of another script, it is the sentence that ends here.
    if (UNSPACED_LETTER.test(text[start - 1]!) && start < at && !UNSPACED_LETTER.test(text[start]!)) break;
  }
  return start;
}
