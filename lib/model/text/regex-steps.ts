/**
 * How much a regular expression may have to do. To stop one costs more than to run it on a short text, so those that cannot
 * take long are run as they are.
 */

/**
 * So many steps at most on a text of that length; infinite if nobody can tell. A repeated group may have to try every way to
 * split the text. Each other repetition may have to try every length, from every place.
 */
export function maxSteps({ source }: RegExp, length: number): number {
  const { repetitions, branches } = shapeOf(source);
  return branches * Math.max(2, length) ** (repetitions + 1);
}

interface RegexShape {
  repetitions: number;
  branches: number;
}

const shapes = new Map<string, RegexShape>();

function shapeOf(source: string): RegexShape {
  const known = shapes.get(source);
  if (known) return known;
  const shape = readShape(source);
  shapes.set(source, shape);
  return shape;
}

const UNBOUNDED: RegexShape = { repetitions: Number.POSITIVE_INFINITY, branches: 1 };
/** An escape, a class, the beginning of a group, or one character; then how often. */
const REGEX_PART =
  /(\\(?:[1-9k]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[\s\S])([*+?]|\{\d+(?:,\d*)?\})?/gy;

function readShape(source: string): RegexShape {
  const shape = { repetitions: 0, branches: 1 };
  for (const [, part = '', often] of source.matchAll(REGEX_PART)) {
    // What a group has matched may be as long as the text.
    if (/^\\[1-9k]/.test(part)) return UNBOUNDED;
    if (part === '|') shape.branches++;
    if (often === undefined) continue;
    if (part === ')') return UNBOUNDED;
    shape.repetitions++;
  }
  return shape;
}
