/** What is one line for a person, though it is many items: what was sent again, the process's end, lines of a log. */
import type { Entry, Item } from '../core/timeline/shape.ts';

export interface Run {
  is: 'run';
  what: 'replayed' | 'process' | 'log' | 'compaction' | 'progress';
  items: Item[];
}

/** What is said by the items around it. */
const HIDDEN = new Set<Item['kind']>(['usage', 'status', 'turn-end', 'step-end']);

export function* folded(entries: Entry[]): Generator<Entry | Run> {
  let run: Run | null = null;
  const hooks = new Set(
    entries.flatMap((entry) => (isHook(entry) && entry.ask!.request !== null ? [hookKey(entry)] : [])),
  );
  for (const entry of entries) {
    if (entry.is === 'item' && isHidden(entry)) continue;
    // The notice of a hook that the client is asked about says nothing more.
    if (isHook(entry) && entry.ask!.request === null && hooks.has(hookKey(entry))) continue;
    const what = entry.is === 'item' ? runOf(entry) : null;
    if (run && (what !== run.what || !isSame(run.items[0]!, entry as Item))) {
      yield run;
      run = null;
    }
    if (what === null) yield entry;
    else if (run) run.items.push(entry as Item);
    else run = { is: 'run', what, items: [entry as Item] };
  }
  if (run) yield run;
}

function isHidden({ kind, text, flags, entries }: Item): boolean {
  if (entries.length > 0 || flags.includes('replayed')) return false;
  return HIDDEN.has(kind) || ((kind === 'log' || kind === 'hook-resolved') && text.trim() === '');
}

function isHook(entry: Entry): entry is Item {
  return entry.is === 'item' && entry.kind === 'hook' && entry.ask !== null;
}

const hookKey = ({ ask }: Item) => JSON.stringify([ask!.action, ask!.tool]);

function runOf(item: Item): Run['what'] | null {
  if (item.flags.includes('replayed')) return 'replayed';
  if (item.entries.length > 0) return null;
  const { kind } = item;
  return kind === 'process' || kind === 'log' || kind === 'compaction' || kind === 'progress' ? kind : null;
}

/** Logs and progress go on only as long as the same one speaks. */
function isSame(first: Item, { kind, name, text }: Item): boolean {
  if (first.flags.includes('replayed') || kind === 'process') return true;
  if (kind === 'progress') return first.text === text;
  return first.name === name;
}
