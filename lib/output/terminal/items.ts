/** Words for single items of a timeline: calls, results, flags and names. */
import type { Block } from '../../model/event.ts';
import { humanSeconds, visible, wholeSeconds } from '../../model/text/text.ts';
import type { Item, Turn } from '../../model/timeline/entries.ts';
import type { Theme } from './theme.ts';

const NO_RESULT_WORDS: Record<string, string> = {
  cut: 'cut off',
  abandoned: 'no result',
  discarded: 'discarded when the step was retried',
};

/** `Shell`, `ok`, `waited 2.10 s, ran 25 ms`, painted. */
export function callWords(item: Item, { theme, clock }: { theme: Theme; clock?: number }): string[] {
  const { tool, result, state, queue, wait, run } = item.call!;
  const times = [
    queue !== null && queue >= 0.1 ? `queued ${humanSeconds(queue)}` : null,
    wait ? `waited ${humanSeconds(wait)}` : null,
    run === null ? null : `ran ${humanSeconds(run)}`,
  ].filter((word) => word !== null);
  const without = state === 'running' ? runningWords(item, clock) : (NO_RESULT_WORDS[state] ?? state);
  const end = result ? (result.ok ? theme.good('ok') : theme.bad('error')) : theme.warn(without);
  const name = `${theme.strong(visible(tool ?? 'tool'))}${flagWords(item, theme)}`;
  return times.length > 0 ? [name, end, theme.dim(times.join(', '))] : [name, end];
}

/** A call in a session that runs waits for its client, or runs; in another it has no result. */
function runningWords({ call, t }: Item, clock: number | undefined): string {
  if (clock === undefined) return 'no result';
  const { asks } = call!;
  const open = asks.find(({ wait }) => wait === null);
  if (open) return `waiting ${wholeSeconds(clock - open.t)} for the client`;
  // Waiting is not running.
  const since = asks.reduce((latest, ask) => Math.max(latest, ask.t + ask.wait!), t);
  return `running ${wholeSeconds(clock - since)}`;
}

/** If the prompt itself was not recorded: what the agent reports about it before anything else. */
export function reportedPrompt({ entries }: Turn): Item | null {
  const first = entries.find(
    (entry) => entry.is !== 'item' || entry.kind === 'prompt' || (entry.kind === 'turn-begin' && entry.text !== ''),
  );
  return first?.is === 'item' && first.subagent === null && first.entries.length === 0 ? first : null;
}

/** Whether a file is already shown as a change. */
export function isShown(block: Block, changes: Block[]): boolean {
  return changes.some(
    (change) =>
      block.type === 'resource' && change.type === 'diff' && block.uri === change.path && block.text === change.after,
  );
}

/** The name of an item; nested turns have their own. */
export function kindWords({ kind, subagent, parent, turn }: Item): string {
  if (kind !== 'turn-begin') return kind;
  if (subagent === null && parent === null) return turn === null ? 'turn of the agent' : 'nested turn';
  return subagent === null || subagent === parent ? 'subagent' : `subagent ${visible(subagent)}`;
}

export function flagWords(item: Item, theme: Theme, before = ' '): string {
  return item.flags.length > 0 ? theme.warn(`${before}[${item.flags.map((flag) => visible(flag)).join(' ')}]`) : '';
}
