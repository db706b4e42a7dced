/**
 * How much a regular expression may have to do. To stop one costs more than to run it on a short text, so those that cannot
 * take long are run as they are.
 */

/**
 * So many steps at most on a text of that length; infinite if nobody can tell. A repeated group may have to try every way to
 * split the text. Each other repetition may have to try every length, from every place.
 */
export function mostSteps({ source }: RegExp, length: number): number {
  const { repetitions, branches } = shapeOf(source);
  return branches * Math.max(2, length) ** (repetitions + 1);
}

interface Shape {
  repetitions: number;
  branches: number;
}

const shapes = new Map<string, Shape>();

function shapeOf(source: string): Shape {
  const known = shapes.get(source);
  if (known) return known;
  const shape = readShape(source);
  shapes.set(source, shape);
  return shape;
}

const UNKNOWN: Shape = { repetitions: Number.POSITIVE_INFINITY, branches: 1 };
/** An escape, a class, the beginning of a group, or one character; then how often. */
const PART =
  /(\\(?:[1-9k]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[\s\S])([*+?]|\{\d+(?:,\d*)?\})?/gy;

function readShape(source: string): Shape {
  const shape = { repetitions: 0, branches: 1 };
  for (const [, part = '', often] of source.matchAll(PART)) {
    // What a group has matched may be as long as the text.
    if (/^\\[1-9k]/.test(part)) return UNKNOWN;
    if (part === '|') shape.branches++;
    if (often === undefined) continue;
    if (part === ')') return UNKNOWN;
    shape.repetitions++;
  }
  return shape;
}
