/** What is done to an input of each kind, so that it is still nearly one. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { zip } from '../../dist/lib/storage/tape/zip.js';
import { changeBytes, changeJson, oddValue, textOf } from './values.mjs';

const LF = '\n';

export function mutateTape(tape, random, others) {
  if (random.chance(0.1)) return changeBytes(tape, random);
  let lines = tape.toString('utf8').split(LF);
  for (let left = random.few(12); left > 0; left--) lines = changeLines(lines, random, others);
  const bytes = Buffer.from(lines.join(random.chance(0.03) ? '\r\n' : LF));
  return random.chance(0.1) ? changeBytes(bytes, random) : bytes;
}

function changeLines(lines, random, others) {
  // The first line is the metadata; it decides whether the rest is read.
  const at = random.chance(0.05) ? 0 : 1 + random.below(Math.max(1, lines.length - 1));
  const line = lines[at] ?? '';
  const kind = random.below(14);
  if (kind === 0) lines.splice(at, random.few(10));
  else if (kind === 1) lines.splice(at, 0, ...Array(random.few(40)).fill(line));
  else if (kind === 2) [lines[at], lines[random.below(lines.length)]] = [lines[random.below(lines.length)] ?? '', line];
  else if (kind === 3) lines[at] = line.slice(0, random.below(line.length + 1));
  else if (kind === 4) lines.splice(at, 0, ...someOf(random.pick(others), random));
  else if (kind === 5) lines[at] = line.replaceAll(/"(f|t|t0)":[\d.]+/g, (_, key) => `"${key}":${oddNumber(random)}`);
  else if (kind === 6) lines[at] = line.replace(/"from":"\w+"/, `"from":${JSON.stringify(random.pick(FROM))}`);
  else if (kind === 7) lines[at] = line.replace(/"message":/, () => random.pick(CONTENT));
  else if (kind === 8) lines.splice(at, 0, textOf(oddFrame(random), random));
  else lines[at] = changedLine(line, random, others);
  return lines;
}

const FROM = ['client', 'agent', 'stderr', 'proc', 'nobody', '', 1];
const CONTENT = [
  '"text":',
  '"bytes":',
  '"event":',
  '"eol":"","message":',
  '"head":"Content-Length: 9\\r\\n\\r\\n","message":',
  '"x":1,"message":',
];
const EVENTS = ['spawn', 'exit', 'eof', 'gap', 'lost', 'signal', 'unread', 'broken-pipe', 'unframed', 'replay', 'x'];

const oddNumber = (random) => random.pick(['0', '-1', '1e9', '1e400', '9007199254740993', '0.5', '"1"', 'null', '1']);

function oddFrame(random) {
  const f = random.below(200);
  const head = { f, t: random.below(1e6) / 1000, from: random.pick(FROM) };
  const kind = random.below(5);
  if (kind === 0) return { ...head, event: random.pick(EVENTS), ...objectOf(oddValue(random)) };
  if (kind === 1) return { ...head, text: String(oddValue(random)) };
  if (kind === 2) return { ...head, bytes: random.pick(['', '!!', 'AAAA', '/w==', 'A']) };
  if (kind === 3)
    return { type: 'seal', f, t: 1, at: '2026-11-16T02:29:12.000000Z', sha256: 'x', final: random.chance(0.5) };
  return { ...head, message: oddValue(random) };
}

const objectOf = (value) => (value !== null && typeof value === 'object' && !Array.isArray(value) ? value : { value });

function someOf(tape, random) {
  const lines = tape.toString('utf8').split(LF).slice(1);
  const at = random.below(lines.length);
  return lines.slice(at, at + random.few(20));
}

function changedLine(line, random, others) {
  let value;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  const donors = random.chance(0.3) ? someOf(random.pick(others), random).flatMap(parsed) : [];
  return textOf(changeJson(value, random, donors), random);
}

function parsed(line) {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

const BLOCK = /^(<script type="application\/octet-stream" id=")([^"]+)(">)([A-Za-z0-9+/=]*)(<\/script>)$/gm;

export function mutatePage(page, random, others) {
  if (random.chance(0.1)) return changeBytes(page, random);
  const text = page.toString('latin1');
  const blocks = new Map([...text.matchAll(BLOCK)].map(([, , id, , base64]) => [id, base64]));
  const forged = random.chance(0.5) ? consistent(blocks, random, others) : lies(blocks, random);
  const said = text.replace(BLOCK, (whole, open, id, middle, old, close) => {
    const content = forged.get(id) ?? old;
    if (content === null) return '';
    const line = `${open}${id}${middle}${content}${close}`;
    return random.chance(0.002) ? `${line}${LF}${whole}` : line;
  });
  const bytes = Buffer.from(said, 'latin1');
  return random.chance(0.05) ? changeBytes(bytes, random) : bytes;
}

const packed = (content) => gzipSync(content, { level: 1 }).toString('base64');
const unpacked = (base64) => gunzipSync(Buffer.from(base64, 'base64'));

/** Another tape, about which everything that the page says is true. */
function consistent(blocks, random, others) {
  const [head, map] = ['head', 's0-map'].map((id) => JSON.parse(unpacked(blocks.get(id)).toString('utf8')));
  const chunks = [...blocks.keys()].filter((id) => /^s0-c\d+$/.test(id)).length;
  const tape = mutateTape(
    Buffer.concat(Array.from({ length: chunks }, (_, n) => unpacked(blocks.get(`s0-c${n}`)))),
    random,
    others,
  );
  const step = Math.max(1, Math.ceil(tape.length / random.few(4)));
  const pieces = [];
  for (let at = 0; at < tape.length; at += step) pieces.push(tape.subarray(at, at + step));
  map.tape.bytes = pieces.map((piece) => piece.length);
  head.sessions[0].tape = {
    ...head.sessions[0].tape,
    bytes: tape.length,
    chunks: pieces.length,
    sha256: createHash('sha256').update(tape).digest('hex'),
  };
  // Blocks cannot be added where there were none: what is left over goes into the last one.
  if (pieces.length > chunks) {
    const last = Buffer.concat(pieces.splice(chunks - 1));
    pieces.push(last);
    map.tape.bytes = pieces.map((piece) => piece.length);
    head.sessions[0].tape.chunks = pieces.length;
  }
  const forged = new Map(pieces.map((piece, n) => [`s0-c${n}`, packed(piece)]));
  if (random.chance(0.2)) changeJson(head, random);
  if (random.chance(0.1)) changeJson(map, random);
  return forged.set('head', packed(JSON.stringify(head))).set('s0-map', packed(JSON.stringify(map)));
}

function lies(blocks, random) {
  const forged = new Map();
  for (let left = random.few(3); left > 0; left--) {
    const id = random.chance(0.7) ? random.pick(['head', 's0-map', 's0-c0']) : random.pick([...blocks.keys()]);
    const old = blocks.get(id);
    if (old === undefined) continue;
    forged.set(id, random.pick(LIES)(old, random));
  }
  return forged;
}

/** Null if the value is nested too deeply for JSON.stringify. */
function written(value) {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

const LIES = [
  () => null,
  () => '',
  (old, random) => old.slice(0, random.below(old.length)),
  (old, random) => packed(changeBytes(unpacked(old), random)),
  (old, random) => changeBytes(Buffer.from(old, 'base64'), random).toString('base64'),
  (_, random) => packed(Buffer.alloc(random.few(40) << 20, random.pick(['[', ' ', '{"a":', '\n', 'A']))),
  (_, random) => packed(written(oddValue(random)) ?? ''),
  (old, random) => {
    const [value] = parsed(unpacked(old).toString('utf8'));
    return value === undefined ? old : packed(written(changeJson(value, random)) ?? '');
  },
];

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50].map((signature) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(signature, 0);
  return bytes;
});
/** Where the fields of a head are, after its signature: offset and bytes. */
const FIELDS = new Map([
  [
    LOCAL,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [14, 4],
      [18, 4],
      [22, 4],
      [26, 2],
      [28, 2],
    ],
  ],
  [
    CENTRAL,
    [
      [4, 2],
      [8, 2],
      [10, 2],
      [16, 4],
      [20, 4],
      [24, 4],
      [28, 2],
      [30, 2],
      [32, 2],
      [38, 4],
      [42, 4],
    ],
  ],
  [
    END,
    [
      [4, 2],
      [6, 2],
      [8, 2],
      [10, 2],
      [12, 4],
      [16, 4],
      [20, 2],
    ],
  ],
]);
const EXTREMES = [0, 1, 8, 9, 99, 0x7f, 0xff, 0xfffe, 0xffff, 0x7fffffff, 0xfffffffe, 0xffffffff];

/** `tape`: one that may be put in the place of its own. */
export async function mutateZip(archive, random, others) {
  if (random.chance(0.1)) return changeBytes(archive, random);
  let bytes = Buffer.from(archive);
  if (random.chance(0.6)) bytes = await archiveOf(random, others);
  if (random.chance(0.6)) for (let left = random.few(4); left > 0; left--) pokeHead(bytes, random);
  return random.chance(0.1) ? changeBytes(bytes, random) : bytes;
}

async function archiveOf(random, others) {
  const names = ['wire.jsonl', ...Array.from({ length: random.below(4) }, () => random.pick(NAMES))];
  const files = names.map((name) => ({ name, content: [contentOf(name, random, others)] }));
  if (random.chance(0.3)) files.reverse();
  const pieces = [];
  for await (const piece of zip(files)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const NAMES = [
  'report.md',
  'report.html',
  '../x',
  '/etc/passwd',
  '',
  'a\0b',
  '__proto__',
  'wire.jsonl',
  'x'.repeat(5000),
  'wire.jsonl/',
];

function contentOf(name, random, others) {
  if (name !== 'wire.jsonl') return Buffer.from('# report\n');
  if (random.chance(0.05))
    return Buffer.alloc(random.few(64) << 20, random.pick(['A', '\n', '{"f":1,"t":1,"from":"agent","text":"x"}\n']));
  return mutateTape(random.pick(others), random, others);
}

function pokeHead(bytes, random) {
  const signature = random.pick([LOCAL, CENTRAL, CENTRAL, END]);
  const places = [];
  for (let at = bytes.indexOf(signature); at >= 0; at = bytes.indexOf(signature, at + 4)) places.push(at);
  if (places.length === 0) return;
  const [offset, size] = random.pick(FIELDS.get(signature));
  const at = random.pick(places) + offset;
  if (at + size > bytes.length) return;
  const value = random.chance(0.3) ? bytes.readUIntLE(at, size) + random.below(5) - 2 : random.pick(EXTREMES);
  bytes.writeUIntLE(Math.max(0, value) % 2 ** (8 * size), at, size);
}
