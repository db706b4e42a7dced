/** Folds runs of items into one line: replayed items, process events, log lines. */

import type { Entry, Item } from '../../model/timeline/entries.ts';
import { isHidden } from '../../model/timeline/hidden.ts';

export interface ItemRun {
  is: 'run';
  what: 'replayed' | 'process' | 'log' | 'compaction' | 'progress';
  items: Item[];
}

/** `shownElsewhere`: entries that are shown with another one. */
export function* foldRuns(entries: Entry[], shownElsewhere: ReadonlySet<Entry>): Generator<Entry | ItemRun> {
  let run: ItemRun | null = null;
  for (const entry of entries) {
    if (shownElsewhere.has(entry) || (entry.is === 'item' && isHidden(entry))) continue;
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
 * For each hook request, the agent's own notice about the same hook. The agent reports such a hook three times: it was
 * triggered, the request, it was resolved.
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
    const { action, target } = entry.ask;
    const notices = open.get(target === null ? `${action}` : `${action} ${target}`) ?? [];
    const around = notices.find(({ answer }) => answer === null || answer.f > entry.f);
    if (around) pairs.set(entry, around);
  }
  return pairs;
}

function runOf(item: Item): ItemRun['what'] | null {
  if (item.flags.includes('replayed')) return 'replayed';
  if (item.entries.length > 0) return null;
  const { kind } = item;
  return kind === 'process' || kind === 'log' || kind === 'compaction' || kind === 'progress' ? kind : null;
}

/** Logs and progress are folded only if they come from the same source. */
function isSame(first: Item, { kind, name, text }: Item): boolean {
  if (first.flags.includes('replayed') || kind === 'process') return true;
  if (kind === 'progress') return first.text === text;
  return first.name === name;
}
