/**
 * The state of the page in its address: `#f123&q=is:error&v=frames&z=12.5-44.2&b=120,188`, or `#f120-f188` for a range.
 * An address from elsewhere is as untrusted as a tape: what cannot be read is left out.
 */
import { VIEWS, type ViewName } from '../app.ts';

export interface AddressState {
  f: number | null;
  /** The last frame of a range. */
  to: number | null;
  query: string;
  view: ViewName | null;
  zoom: readonly [number, number] | null;
  bookmarks: readonly number[];
  session: number;
}

const NOWHERE: AddressState = { f: null, to: null, query: '', view: null, zoom: null, bookmarks: [], session: 0 };
/** More would not fit into an address. */
const MAX_BOOKMARKS = 200;

export function readHash(hash: string): AddressState {
  const place = { ...NOWHERE };
  for (const part of hash.replace(/^#/, '').split('&')) {
    const [, from, to] = /^f(\d{1,15})(?:-f?(\d{1,15}))?$/.exec(part) ?? [];
    if (from !== undefined) Object.assign(place, { f: Number(from), to: to === undefined ? null : Number(to) });
    const equals = part.indexOf('=');
    if (equals > 0) readPart(place, part.slice(0, equals), decoded(part.slice(equals + 1)));
  }
  return place;
}

function readPart(place: AddressState, name: string, value: string): void {
  if (name === 'q') place.query = value;
  if (name === 'v') place.view = VIEWS.find((view) => view === value) ?? null;
  if (name === 's' && /^\d$/.test(value)) place.session = Number(value);
  if (name === 'b') place.bookmarks = numbersIn(value);
  const [, from, to] = (name === 'z' && /^(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)$/.exec(value)) || [];
  if (from !== undefined && Number(from) < Number(to)) place.zoom = [Number(from), Number(to)];
}

function numbersIn(list: string): number[] {
  const numbers = list.split(',').filter((word) => /^\d{1,15}$/.test(word));
  return [...new Set(numbers.map(Number))].slice(0, MAX_BOOKMARKS);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

/** The shortest address of a place; it begins with `#`. */
export function writeHash(place: AddressState): string {
  const { f, to, query, view, zoom, bookmarks, session } = place;
  const parts: string[] = [];
  if (f !== null) parts.push(to === null || to === f ? `f${f}` : `f${f}-f${to}`);
  if (query !== '') parts.push(`q=${encoded(query)}`);
  if (view !== null) parts.push(`v=${view}`);
  if (zoom !== null) parts.push(`z=${seconds(zoom[0])}-${seconds(zoom[1])}`);
  if (bookmarks.length > 0) parts.push(`b=${bookmarks.slice(0, MAX_BOOKMARKS).join(',')}`);
  if (session !== 0) parts.push(`s=${session}`);
  return `#${parts.join('&')}`;
}

/** People read addresses: only what would end a part, or what mail programs break, is escaped. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/%(3A|2C|2F|40|24|3D|3E|3C)/g, (code) => decodeURIComponent(code));
}

function seconds(value: number): string {
  return String(Math.round(value * 1e6) / 1e6);
}
