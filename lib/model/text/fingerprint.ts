/** JSON by which a value is recognised later, without keeping all of it. */

/** Longer JSON is kept as a hash. */
const MAX_WHOLE_CHARS = 64;

/** Equal for equal values; null for a value that cannot be serialised, which is the same as no other. */
export function fingerprint(value: unknown): string | null {
  const json = jsonOf(value);
  return json === null || json.length <= MAX_WHOLE_CHARS ? json : `${json.length} ${hashes(json)}`;
}

export function isSameJson(a: unknown, b: unknown): boolean {
  const json = jsonOf(a);
  return json !== null && json === jsonOf(b);
}

function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    // Nested too deep, or a number that JSON cannot have.
    return null;
  }
}

/** Two hashes of 32 bits (FNV-1a): JSON never begins with a number and a space, so it cannot look like this. */
function hashes(json: string): string {
  let one = 0x811c9dc5;
  let other = 0x1000193;
  for (let at = 0; at < json.length; at++) {
    const c = json.charCodeAt(at);
    one = Math.imul(one ^ c, 0x01000193);
    other = Math.imul(other ^ c, 0x85ebca6b);
    other ^= other >>> 13;
  }
  return `${one >>> 0} ${other >>> 0}`;
}
