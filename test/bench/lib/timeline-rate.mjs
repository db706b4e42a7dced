// Reads tapes, and tells how long it took: {"frames":n,"seconds":s,...}. Arguments: the measured program; `timeline`, `redact` or
// `parse` (every message found, decoded and parsed: what no reader can do without); how often each tape is read; the tapes.
// Both begin with the file, and both have read every tape once before the clock starts: it is no matter of compilers.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [program, how, times, ...tapes] = process.argv.slice(2);
const built = (path) => import(join(dirname(program), '..', 'lib', path));

/** The lines that crossed the pipe as JSON are parsed without what the tape has around them; other lines whole. */
function parse() {
  const key = Buffer.from('"message":');
  return (tape) => {
    const bytes = readFileSync(tape);
    for (let at = bytes.indexOf(10) + 1, end = 0; at < bytes.length; at = end + 1) {
      end = bytes.indexOf(10, at);
      const found = bytes.indexOf(key, at);
      const isMessage = found >= 0 && found < end;
      JSON.parse(isMessage ? bytes.toString('utf8', found + key.length, end - 1) : bytes.toString('utf8', at, end));
    }
  };
}

async function timeline() {
  const read = await built('session/pass.js').then(inOnePass, before);
  return (tape) => {
    if (read(tape).entries.length === 0) throw new Error(`nothing in ${tape}`);
  };
}

/** Both passes of a redaction. */
async function redact() {
  const { redactSession } = await built('redact/session.js');
  const { TapeSource } = await built('tape/tape-source.js');
  return (tape) => {
    const source = new TapeSource(tape);
    const { metadata } = source;
    const names = { name: null, tags: {} };
    const about = { id: 'bench', dir: null, tape, running: false, metadata, names, command: metadata.command };
    const { session } = redactSession({ ...about, frames: (others) => source.frames(others) });
    for (const _ of session.frames());
  };
}

async function inOnePass({ Pass }) {
  const { TapeSource } = await built('tape/tape-source.js');
  return (tape) => {
    const source = new TapeSource(tape);
    const { command } = source.metadata;
    return new Pass({ command, frames: (others) => source.frames(others) }, { tree: true }).run().timeline;
  };
}

/** Builds from before there were passes. */
async function before() {
  const { readFrames, readMetadata } = await built('tape/read.js');
  const { readTimeline } = await built('dialects/read.js');
  return (tape) => readTimeline({ command: readMetadata(tape).command, frames: () => readFrames(tape) });
}

async function countFrames() {
  const { readTape } = await built('index.js');
  let count = 0;
  for (const tape of tapes) for (const { is } of readTape(tape)) if (is === 'frame') count++;
  return count;
}

const frames = (await countFrames()) * Number(times);
const read = await { parse, timeline, redact }[how]();
for (const tape of tapes) read(tape);
const start = performance.now();
for (let i = 0; i < Number(times); i++) for (const tape of tapes) read(tape);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ frames, seconds, status: 0, cpu: (user + system) / 1e6 }));
