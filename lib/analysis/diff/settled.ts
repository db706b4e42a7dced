/** Which entries of a timeline nothing more is expected to happen to. */
import { isOpenAsk } from '../../model/ledger/records.ts';
import type { Entry, Item } from '../../model/timeline/entries.ts';

/** `asks`: whether the line of an item asks for an answer. */
export function isSettled(entry: Entry, asks: (item: Item) => boolean): boolean {
  if (entry.is === 'turn' && entry.status === null) return false;
  if (entry.is === 'step' && entry.state === 'running') return false;
  if (entry.is === 'item' && !isItemSettled(entry, asks)) return false;
  return entry.entries.every((one) => isSettled(one, asks));
}

const ANSWERED_KINDS = new Set<Item['kind']>(['prompt', 'control', 'mode', 'steer', 'cancel', 'handshake']);

function isItemSettled(item: Item, asks: (item: Item) => boolean): boolean {
  const { kind, call, ask, answer } = item;
  if (call && (call.state === 'running' || call.asks.some(isOpenAsk))) return false;
  if (ask && isOpenAsk(ask)) return false;
  if (answer) return true;
  return !asks(item) && !ANSWERED_KINDS.has(kind);
}
