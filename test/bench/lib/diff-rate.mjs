// Reads two tapes, and tells how long it took: {"seconds":s,...}. Arguments: the measured program; `timelines` (of both),
// or `diff`; the two tapes. Both have read a part of the tapes before the clock starts: it is no matter of compilers.
import { dirname, join } from 'node:path';

const [program, how, ...tapes] = process.argv.slice(2);
const built = (path) => import(join(dirname(program), '..', 'lib', path));
const { TapeSource } = await built('tape/tape-source.js');
const { Pass } = await built('session/pass.js');
const { diffSessions } = await built('diff/diff.js');
const { NO_NAMES } = await built('session/session.js');

/** The first frames of the session on a tape. */
function sessionOn(tape, most) {
  const source = new TapeSource(tape);
  const { metadata } = source;
  const about = { id: metadata.session, dir: null, tape, running: false, metadata, command: metadata.command };
  return {
    ...about,
    names: NO_NAMES,
    *frames(others) {
      for (const frame of source.frames(others)) {
        if (frame.f > most) return;
        yield frame;
      }
    },
  };
}

const WAYS = {
  timelines: (a, b) => [a, b].map((session) => new Pass(session, { tree: true }).run().timeline.entries.length),
  diff: (a, b) => diffSessions(a, b).entries,
};

const read = (most) => WAYS[how](...tapes.map((tape) => sessionOn(tape, most)));
read(20_000);
const before = process.cpuUsage();
const start = performance.now();
const found = read(Number.POSITIVE_INFINITY);
const seconds = (performance.now() - start) / 1000;
const { user, system } = process.cpuUsage(before);
const kinds = how === 'diff' ? found.map(({ kind }) => kind) : null;
console.log(JSON.stringify({ seconds, kinds, status: 0, cpu: (user + system) / 1e6 }));
