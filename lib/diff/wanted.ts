/** What of two long sessions has to be kept in full: what one has and the other has not, as far as hashes tell. */
import type { Node } from './node.ts';
import type { Wanted } from './outline.ts';

export function wantedOf(a: readonly Node[], b: readonly Node[], masked: boolean): { a: Wanted; b: Wanted } {
  const which = masked ? 'exact' : 'same';
  const differs = unbalanced(a, b, which);
  const [restA, restB] = [a.filter(differs), b.filter(differs)];
  const parts = (nodes: Node[]) => nodes.flatMap(({ inside }) => inside ?? []);
  const partDiffers = unbalanced(parts(restA), parts(restB), which);
  const chosen = (nodes: Node[]): Wanted =>
    new Map(nodes.map((node) => [node.at, new Set((node.inside ?? []).filter(partDiffers).map(({ at }) => at))]));
  return { a: chosen(restA), b: chosen(restB) };
}

/** Whether one side has more of a hash than the other. */
function unbalanced(a: readonly Node[], b: readonly Node[], which: 'same' | 'exact'): (node: Node) => boolean {
  const counts = new Map<number, number>();
  for (const node of a) counts.set(node[which], (counts.get(node[which]) ?? 0) + 1);
  for (const node of b) counts.set(node[which], (counts.get(node[which]) ?? 0) - 1);
  return (node) => counts.get(node[which]) !== 0;
}

/** These turned out to be needed too: entries of their own, or parts of turns. */
export function withMissing(wanted: Wanted, nodes: readonly Node[], missing: ReadonlySet<Node>): Wanted {
  const all = new Map(wanted);
  for (const node of nodes) {
    const parts = (node.inside ?? []).filter((part) => missing.has(part)).map(({ at }) => at);
    if (missing.has(node)) for (const part of node.inside ?? []) parts.push(part.at);
    if (parts.length > 0 || missing.has(node)) all.set(node.at, new Set([...(all.get(node.at) ?? []), ...parts]));
  }
  return all;
}
