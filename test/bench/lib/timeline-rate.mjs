// Reads tapes, and tells how long it took: {"frames":n,"seconds":s,...}. Arguments: the measured program; `timeline`, or
// `parse` (every message, where it lies in memory, decoded and parsed: what no reader can do without); the tapes.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const [program, how, ...tapes] = process.argv.slice(2);
const built = (path) => import(join(dirname(program), '..', 'lib', path));

/** Where the lines are that cross the pipe as JSON is found beforehand; other lines are parsed whole. */
function parse() {
  const key = Buffer.from('"message":');
  const all = tapes.map((tape) => {
    const bytes = readFileSync(tape);
    const spans = [];
    for (let at = bytes.indexOf(10) + 1, end = 0; at < bytes.length; at = end + 1) {
      end = bytes.indexOf(10, at);
      const found = bytes.indexOf(key, at);
      spans.push(found < 0 || found > end ? [at, end] : [found + key.length, end - 1]);
    }
    return { bytes, spans };
  });
  return () => {
    let frames = 0;
    for (const { bytes, spans } of all) {
      for (const [from, to] of spans) {
        if (JSON.parse(bytes.toString('utf8', from, to)) !== undefined) frames++;
      }
    }
    return frames;
  };
}

async function timeline() {
  const { readFrames, readMetadata } = await built('tape/read.js');
  const { readTimeline } = await built('dialects/read.js');
  return () => {
    let frames = 0;
    for (const tape of tapes) {
      const counted = function* () {
        for (const frame of readFrames(tape)) {
          frames = Math.max(frames, before + frame.f);
          yield frame;
        }
      };
      const before = frames;
      if (readTimeline({ command: readMetadata(tape).command, frames: counted }).entries.length === 0) {
        throw new Error(`nothing in ${tape}`);
      }
    }
    return frames;
  };
}

const read = await { parse, timeline }[how]();
const start = performance.now();
const frames = read();
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ frames, seconds, status: 0, cpu: (user + system) / 1e6 }));
