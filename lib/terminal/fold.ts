/** What is one line for a person, though it is many items: what was sent again, the process's end, lines of a log. */
import type { Entry, Item } from '../core/timeline/shape.ts';

export interface Run {
  is: 'run';
  what: 'replayed' | 'process' | 'log' | 'compaction' | 'progress';
  items: Item[];
}

/** What is said by the items around it. */
const HIDDEN = new Set<Item['kind']>(['usage', 'status', 'turn-end', 'step-end']);

/** `said`: what is told with something else. */
export function* folded(entries: Entry[], said: ReadonlySet<Entry>): Generator<Entry | Run> {
  let run: Run | null = null;
  for (const entry of entries) {
    if (said.has(entry) || (entry.is === 'item' && isHidden(entry))) continue;
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

/**
 * A hook that the client is asked about is told three times: that it was triggered, the request, that it is resolved. The
 * request, with the notice that it stands between.
 */
export function hookNotices(entries: Entry[]): Map<Item, Item> {
  const pairs = new Map<Item, Item>();
  const open = new Map<string, Item[]>();
  for (const entry of [...entries].sort((a, b) => a.f - b.f)) {
    if (entry.is !== 'item' || entry.kind !== 'hook') continue;
    if (!entry.ask) {
      open.set(entry.name ?? '', [...(open.get(entry.name ?? '') ?? []), entry]);
      continue;
    }
    const { action, tool } = entry.ask;
    const notices = open.get(tool === null ? `${action}` : `${action} ${tool}`) ?? [];
    const around = notices.find(({ answer }) => answer === null || answer.f > entry.f);
    if (around) pairs.set(entry, around);
  }
  return pairs;
}

function isHidden({ kind, text, flags, entries }: Item): boolean {
  if (entries.length > 0 || flags.includes('replayed')) return false;
  return HIDDEN.has(kind) || ((kind === 'log' || kind === 'hook-resolved') && text.trim() === '');
}

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
