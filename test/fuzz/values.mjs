/** Values that readers do not expect, and changes of JSON. */

const NUMBERS = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-300,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 53 + 2,
  1e15,
  999999999999,
];
const STRINGS = [
  ...[
    '',
    ' ',
    '\n',
    '\r\n',
    '\0',
    '\x1b[31m\x1b]0;x\x07',
    '\u202e',
    '\ud800',
    '\udfff',
    '\u2028',
    '\ufeff',
    '__proto__',
  ],
  ...[
    'constructor',
    'toString',
    'hasOwnProperty',
    'length',
    'then',
    '../../../etc/passwd',
    '/',
    'NaN',
    'undefined',
    'null',
  ],
  ...[
    '-1',
    '1e999',
    '9'.repeat(400),
    'A'.repeat(70_000),
    '世'.repeat(3000),
    '<script>alert(1)</script>',
    '=cmd()',
    "'; DROP --",
  ],
  ...[
    '%s%n',
    '$(x)',
    '`',
    '|',
    '```\n',
    '275760-09-13T00:00:00.000Z',
    '+275760-09-13T00:00:00.000Z',
    '0000-00-00',
    'f1',
    'last',
  ],
];

export function oddValue(random, depth = 0) {
  const kind = random.below(depth > 3 ? 4 : 9);
  if (kind === 0) return random.pick(NUMBERS);
  if (kind === 1) return random.pick(STRINGS);
  if (kind === 2) return random.pick([null, true, false]);
  if (kind === 3) return random.below(100_000) - 50_000;
  if (kind === 4) return Array.from({ length: random.few(20) }, () => oddValue(random, depth + 1));
  if (kind === 5) return Object.fromEntries([[random.pick(STRINGS), oddValue(random, depth + 1)]]);
  if (kind === 6) return nested(random);
  return kind === 7 ? [] : {};
}

function nested(random) {
  let value = random.pick([1, 'x', null]);
  const isArray = random.chance(0.5);
  for (let left = random.few(3000); left > 0; left--) value = isArray ? [value] : { a: value };
  return value;
}

/** Every place in a value: the object or array, and the key. */
function placesIn(value, found = [], depth = 0) {
  if (value === null || typeof value !== 'object' || depth > 40 || found.length > 5000) return found;
  for (const key of Object.keys(value)) {
    found.push([value, key]);
    placesIn(value[key], found, depth + 1);
  }
  return found;
}

/** Changes a few places; `others`: values of its sort, to be mixed with. */
export function changeJson(value, random, others = []) {
  for (let left = random.few(4); left > 0; left--) {
    const places = placesIn(value);
    if (places.length === 0) return oddValue(random);
    const [holder, key] = random.pick(places);
    const kind = random.below(8);
    if (kind === 0) delete holder[key];
    else if (kind === 1 && !Array.isArray(holder))
      holder[random.pick([`${key}x`, ...STRINGS.slice(0, 20)])] = holder[key];
    else if (kind === 2) holder[key] = typeof holder[key] === 'string' ? Number(holder[key]) : String(holder[key]);
    else if (kind === 3 && others.length > 0) holder[key] = partOf(random.pick(others), random);
    else if (kind === 4 && typeof holder[key] === 'number') holder[key] = random.pick(NUMBERS);
    else if (kind === 5) [holder[key], holder[random.pick(Object.keys(holder))]] = [oddValue(random), holder[key]];
    else holder[key] = oddValue(random);
  }
  return value;
}

function partOf(value, random) {
  const places = placesIn(value);
  if (places.length === 0) return value;
  const [holder, key] = random.pick(places);
  return structuredClone(holder[key]);
}

/** JSON, or nearly: some of what parsers of other languages write. */
export function textOf(value, random) {
  let text;
  try {
    text = JSON.stringify(value) ?? 'null';
  } catch {
    return '{}';
  }
  if (!random.chance(0.05)) return text;
  return random.pick([
    () => text.slice(0, random.below(text.length + 1)),
    () => text.replace(/\d+/, '1e400'),
    () => text.replace(/:/g, ': '),
    () => text.replace('}', ',"jsonrpc":"1.0"}'),
    () => `${text}${text}`,
    () => `\ufeff${text}`,
    () => text.replace(/"/g, "'"),
    () => text.replaceAll(/[a-z]/g, (c) => (random.chance(0.1) ? `\\u00${c.charCodeAt(0).toString(16)}` : c)),
  ])();
}

/** Bytes flipped, inserted, repeated, cut off. */
export function changeBytes(bytes, random) {
  let changed = Buffer.from(bytes);
  for (let left = random.few(6); left > 0 && changed.length > 0; left--) {
    const at = random.below(changed.length);
    const kind = random.below(6);
    if (kind === 0) changed = changed.subarray(0, at);
    else if (kind === 1) changed = Buffer.concat([changed.subarray(0, at), changed.subarray(at + random.few(2000))]);
    else if (kind === 2) {
      const piece = changed.subarray(at, at + random.few(3000));
      changed = Buffer.concat([changed.subarray(0, at), ...Array(random.few(20)).fill(piece), changed.subarray(at)]);
    } else if (kind === 3) changed[at] = random.pick([0, 0x0a, 0x0d, 0x1b, 0x22, 0x5c, 0x7b, 0x80, 0xff]);
    else changed[at] ^= 1 << random.below(8);
  }
  return changed;
}
