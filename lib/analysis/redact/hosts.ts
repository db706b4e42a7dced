/** Addresses of machines: private ones and names of internal networks; public ones and those of network cards on request. */
import type { Hit } from './kinds.ts';

const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])';
const END = '(?![0-9A-Za-z]|\\.[0-9])';
const PRIVATE_IPV4 = new RegExp(
  `(?:10(?:\\.${OCTET}){3}|(?:192\\.168|169\\.254|172\\.(?:1[6-9]|2[0-9]|3[01]))(?:\\.${OCTET}){2})${END}`,
  'y',
);
const ANY_IPV4 = new RegExp(`(?!0\\.|127\\.|255\\.)${OCTET}(?:\\.${OCTET}){3}${END}`, 'y');

const hit = (kind: string, start: number, end: number): Hit => ({ kind, start, end, from: start, strong: false });

function matchHit(form: RegExp, text: string, at: number): Hit | null {
  form.lastIndex = at;
  return form.test(text) ? hit('address', at, form.lastIndex) : null;
}

/** A private IPv4 address. */
export function privateIpv4Hit(text: string, at: number): Hit | null {
  return matchHit(PRIVATE_IPV4, text, at);
}

const LOCAL_IPV6 = /f(?:[cd][0-9a-f]{2}|e[89ab][0-9a-f])(?::[0-9a-f]{0,4}){2,7}(?![0-9A-Za-z:])/iy;
const PUBLIC_IPV6 = /[23][0-9a-f]{3}(?::[0-9a-f]{0,4}){2,7}(?![0-9A-Za-z:])/iy;
const MAC_ADDRESS = /[0-9a-f]{2}([:-])[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}(?![0-9A-Za-z:-])/iy;

/** A private IPv6 address. */
export function privateIpv6Hit(text: string, at: number): Hit | null {
  return wholeIpv6(text, matchHit(LOCAL_IPV6, text, at));
}

function wholeIpv6(text: string, found: Hit | null): Hit | null {
  const written = found ? text.slice(found.start, found.end) : '';
  return written.includes('::') || written.split(':').length === 8 ? found : null;
}

/** Any address of a machine at the start of a word, or of its network card. */
export function anyAddressHit(text: string, at: number): Hit | null {
  const before = text[at - 1] ?? '';
  if (before === '.') return null;
  const found =
    matchHit(ANY_IPV4, text, at) ?? (before === ':' ? null : wholeIpv6(text, matchHit(PUBLIC_IPV6, text, at)));
  if (found) return found;
  // The end of a longer row, as of a fingerprint, is none.
  if (before === ':' || before === '-') return null;
  const card = matchHit(MAC_ADDRESS, text, at);
  // A date has no such form, but a row of zeros or of ff is no card.
  return card && !/^(?:00|ff)(?:.(?:00|ff)){5}$/i.test(text.slice(card.start, card.end)) ? card : null;
}

export const INTERNAL_ENDINGS = [
  '.internal',
  '.corp',
  '.local',
  '.lan',
  '.intranet',
  '.localdomain',
  '.home.arpa',
] as const;
/** The same for everybody. */
const PUBLIC_NAMES =
  /^(?:host\.docker|gateway\.docker|kubernetes\.docker|metadata\.google|svc\.cluster|kubernetes\.default\.svc\.cluster|localhost)\./i;
const HOST_CHARACTER = /[A-Za-z0-9.-]/;
const MAX_HOST_CHARS = 120;
/** What a name of a machine stands behind: a scheme, a user, a program that connects, a header. */
const HOST_CONTEXT =
  /(?:\/\/|@|\b(?:ssh|scp|ping|telnet|curl|wget|host|hostname|nslookup|dig|server|Host|HostName|search|domain|from|to|at|on)[ \t]{1,2}(?:is )?["'`]?|\b[Hh]ost(?:[Nn]ame)?["']?[:=] ?["']?)$/;

/**
 * A name that ends with the dot at `at` and the ending of an internal network. Code has names such as `config.local`, so it
 * must have a digit or a hyphen, or stand where a machine is named, or have a port.
 */
export function internalHostHit(text: string, at: number): Hit | null {
  const ending = INTERNAL_ENDINGS.find((one) => text.startsWith(one, at));
  if (ending === undefined) return null;
  const end = at + ending.length;
  if (/[A-Za-z0-9_(-]/.test(text[end] ?? '') || /^\.[A-Za-z0-9_]/.test(text.slice(end, end + 2))) return null;
  let start = at;
  while (start > 0 && at - start < MAX_HOST_CHARS && HOST_CHARACTER.test(text[start - 1]!)) start--;
  const before = text[start - 1] ?? '';
  const name = text.slice(start, end);
  if (!/^[A-Za-z0-9]/.test(name) || /[_$\\~]/.test(before) || name.includes('..') || PUBLIC_NAMES.test(name))
    return null;
  // A file in a folder, unless the folder is a scheme.
  const isConnected =
    HOST_CONTEXT.test(text.slice(Math.max(0, start - 24), start)) || /^:[0-9]{2,5}\b/.test(text.slice(end, end + 7));
  if (before === '/' && !isConnected) return null;
  const isNamed =
    ending === '.corp' || ending === '.lan' || ending === '.intranet' || /[0-9-]/.test(text.slice(start, at));
  return isConnected || isNamed ? hit('host', start, end) : null;
}
