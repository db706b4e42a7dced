/**
 * A query over all frames at once: what columns decide is a byte for each frame, and the rest is tested line by line. A
 * byte says no, maybe or yes, in this order, so that AND is the least and OR the greatest of them.
 */
export const NO = 0;
export const MAYBE = 1;
export const YES = 2;

/** What is left of a query. `L` is a line, as the terms that need one see it. */
export type VerdictNode<L> =
  | { is: 'known'; bytes: Uint8Array }
  | { is: 'line'; test: (line: L) => boolean }
  | { is: 'not'; of: VerdictNode<L> }
  | { is: 'and' | 'or'; of: VerdictNode<L>[] };

/** Negates a byte for each frame, in place. */
export function negate(bytes: Uint8Array): Uint8Array {
  for (let i = 0; i < bytes.length; i++) bytes[i] = YES - bytes[i]!;
  return bytes;
}

/** Joins two in the first of them. */
export function merge(is: 'and' | 'or', into: Uint8Array, other: Uint8Array): Uint8Array {
  if (is === 'and') for (let i = 0; i < into.length; i++) into[i] = Math.min(into[i]!, other[i]!);
  else for (let i = 0; i < into.length; i++) into[i] = Math.max(into[i]!, other[i]!);
  return into;
}

/** A group of which all that is known is one part, which comes first. */
export function grouped<L>(is: 'and' | 'or', parts: readonly VerdictNode<L>[]): VerdictNode<L> {
  let known: Uint8Array | null = null;
  const others: VerdictNode<L>[] = [];
  for (const part of parts) {
    if (part.is !== 'known') others.push(part);
    else known = known === null ? part.bytes : merge(is, known, part.bytes);
  }
  if (known === null) return { is, of: others };
  const first: VerdictNode<L> = { is: 'known', bytes: known };
  return others.length === 0 ? first : { is, of: [first, ...others] };
}

/** What is known of each frame before any line is read. */
export function verdicts<L>(node: VerdictNode<L>, count: number): Uint8Array {
  switch (node.is) {
    case 'known':
      return node.bytes.slice();
    case 'line':
      return new Uint8Array(count).fill(MAYBE);
    case 'not':
      return negate(verdicts(node.of, count));
    default: {
      const { is, of } = node;
      return of.map((part) => verdicts(part, count)).reduce((into, other) => merge(is, into, other));
    }
  }
}

/** Whether a frame matches, by its index and its line. */
export function holds<L>(node: VerdictNode<L>, index: number, line: L): boolean {
  switch (node.is) {
    case 'known':
      return node.bytes[index] === YES;
    case 'line':
      return node.test(line);
    case 'not':
      return !holds(node.of, index, line);
    case 'and':
      return node.of.every((part) => holds(part, index, line));
    case 'or':
      return node.of.some((part) => holds(part, index, line));
  }
}
