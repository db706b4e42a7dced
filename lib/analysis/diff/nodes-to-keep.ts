/** What of two long sessions has to be kept in full: what one has and the other has not, as far as hashes tell. */
import type { DiffNode } from './node.ts';
import { hashAt, loadedNodes, type NodeList, nodeAt, type SiblingNodes } from './nodes.ts';
import type { WantedNodes } from './outline.ts';
import { commonEnds } from './pair-nodes.ts';

export function findWanted(a: SiblingNodes, b: SiblingNodes, masked: boolean): { a: WantedNodes; b: WantedNodes } {
  const which = masked ? 'exact' : 'same';
  const { head, tail } = commonEnds(a, b, which);
  const rest = (list: SiblingNodes) => Array.from({ length: list.length - head - tail }, (_, n) => head + n);
  const differs = unbalanced([hashesAt(a, rest(a), which)], [hashesAt(b, rest(b), which)]);
  const chosen = (list: SiblingNodes) =>
    rest(list).flatMap((i) => (differs(hashAt(list, i, which)) ? [nodeAt(list, i)] : []));
  const [restA, restB] = [chosen(a), chosen(b)];
  const parts = (nodes: DiffNode[]) =>
    nodes.map(({ inside }) => (inside ? hashesAt(inside, [...all(inside)], which) : []));
  const partDiffers = unbalanced(parts(restA), parts(restB));
  const wanted = (nodes: DiffNode[]): WantedNodes =>
    new Map(
      nodes.map(({ at, inside }) => {
        const places = inside ? [...all(inside)].filter((j) => partDiffers(hashAt(inside, j, which))) : [];
        return [at, new Set(places.map((j) => nodeAt(inside!, j).at))];
      }),
    );
  return { a: wanted(restA), b: wanted(restB) };
}

const all = (list: SiblingNodes) => new Array(list.length).keys();

const hashesAt = (list: SiblingNodes, places: number[], which: 'same' | 'exact'): number[] =>
  places.map((i) => hashAt(list, i, which));

/** Whether one side has more of a hash than the other. */
function unbalanced(a: number[][], b: number[][]): (hash: number) => boolean {
  const counts = new Map<number, number>();
  for (const hashes of a) for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  for (const hashes of b) for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) - 1);
  return (hash) => counts.get(hash) !== 0;
}

/** These turned out to be needed too: entries of their own, or parts of turns. */
export function addMissing(wanted: WantedNodes, nodes: NodeList, missing: ReadonlySet<DiffNode>): WantedNodes {
  const all = new Map(wanted);
  for (const node of nodes.objects()) {
    const parts = loadedNodes(node.inside ?? [])
      .filter((part) => missing.has(part))
      .map(({ at }) => at);
    if (missing.has(node)) for (const part of node.inside ?? []) parts.push(part.at);
    if (parts.length > 0 || missing.has(node)) all.set(node.at, new Set([...(all.get(node.at) ?? []), ...parts]));
  }
  return all;
}
