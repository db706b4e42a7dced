/** Differences that follow from how far an agent came before it was stopped or refused, which is chance. */
import type { DiffNode } from './node.ts';
import type { Change, EntryKind } from './result.ts';

/** How the turn around ended. */
export interface TurnEnding {
  /** It was cut off on both sides. */
  isCut: boolean;
  /** It ended otherwise on one of them. */
  differs: boolean;
}

export function turnEnding({ content: a }: DiffNode, { content: b }: DiffNode): TurnEnding {
  return { isCut: a?.isCut === true && b?.isCut === true, differs: a?.fields.status !== b?.fields.status };
}

/** That a step was stopped follows from the turn. */
export function isByChance({ isCut, differs }: TurnEnding, kind: EntryKind, change: Change): boolean {
  if (kind === 'step') return (isCut || differs) && change.path === '/state';
  return isCut && isPrefixOnly(change);
}

/** One text is the beginning of the other. */
export function isPrefixOnly({ path, a, b, masked }: Change): boolean {
  if (path !== '/text') return false;
  const [one, other] = [String(masked?.a ?? a), String(masked?.b ?? b)];
  return one.startsWith(other) || other.startsWith(one);
}

/** Some agents name a tool only when it runs. Until then, a call has a title: no name has a space. */
export function isLateName({ path, op, a, b }: Change): boolean {
  return path === '/tool' && op === 'changed' && isTitle(a) !== isTitle(b);
}

const isTitle = (tool: unknown): boolean => /\s/.test(String(tool));
