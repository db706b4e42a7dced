// Queries over a store of a million frames, each as a whole process, in time beyond an empty `node -e 0`: against ripgrep
// on the same tapes, and jq on the decoded text. First rows of a long listing, and what memory all of it takes.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { withStore } from './lib/bench.mjs';
import { manySessions, RARE } from './lib/many-sessions.mjs';
import { interleave } from './lib/pairs.mjs';
import { beyondRow, differenceRow, ratioRow } from './lib/rows.mjs';
import { ask, run } from './lib/run.mjs';

const FRAMES_A_SESSION = 1000;
/** jq takes minutes for all of it. */
const JQ_PART = 10;

/**
 * What ripgrep is asked is what comes nearest, in the way that is quickest for it: it knows neither waits nor answers nor
 * sizes. A pattern that is slow, or that most lines have, would make it a baseline that is easy to beat. For sizes, where
 * no pattern says it, it is a bare scan for a word.
 */
const STRUCTURED = [
  ['kind:approval wait:60s..*', [], ['ApprovalRequest|request_permission|can_use_tool']],
  ['is:pending', ['--count'], ['-c', '-F', '"id":']],
  ['from:agent size:1mb..*', [], ['-F', RARE.latin]],
];
const TEXT = [
  [RARE.latin, [], []],
  [RARE.chinese, [], []],
  ['session', ['--count'], ['-c']],
];

export async function query(bench) {
  return withStore(bench, async (home, env) => {
    const sessions = await fill(bench, home, env, bench.frames);
    const bin = { program: bench.program, rg: has('rg'), jq: has('jq'), sessions, env };
    for (const [name, there] of [
      ['ripgrep', bin.rg],
      ['jq', bin.jq],
    ]) {
      if (!there) bench.say(`query: no ${name} on this machine, so no rows against it`);
    }
    return [
      ...(await structured(bench, bin)),
      ...(await fullText(bench, bin)),
      ...(await listOfSessions(bench, bin)),
      ...(await longListing(bench, bin)),
    ];
  });
}

async function fill(bench, home, env, frames) {
  bench.progress(`query: a store of ${frames} frames`);
  await manySessions(bench, home, { frames, sessions: Math.max(1, Math.round(frames / FRAMES_A_SESSION)) });
  await run([bench.program, 'ls'], env);
  return join(home, 'sessions');
}

async function structured(bench, { program, rg, sessions, env }) {
  const rows = [];
  for (const [text, options, words] of STRUCTURED) {
    const samples = await interleave(bench, text, {
      ours: timed(bench, [program, 'filter', text, ...options], env),
      nothing: timed(bench, [process.execPath, '-e', '0'], env),
      ...(rg ? { rg: timed(bench, ['rg', ...words, sessions], env) } : {}),
    });
    if (rg) rows.push(beyondRow(`query ${text}, against ripgrep`, samples.ours, samples.nothing, samples.rg, 1.3));
    else rows.push(differenceRow(`query ${text}, beyond an empty node`, samples.ours, samples.nothing, 0.1));
  }
  return rows;
}

async function fullText(bench, { program, rg, jq, sessions, env }) {
  const rows = [];
  for (const [word, options, words] of TEXT) {
    const name = `full text ${word}${options.length > 0 ? `, ${options}` : ''}`;
    const samples = await interleave(bench, name, {
      ours: timed(bench, [program, 'filter', word, ...options], env),
      nothing: timed(bench, [process.execPath, '-e', '0'], env),
      ...(rg ? { rg: timed(bench, ['rg', '-i', ...words, word, sessions], env) } : {}),
    });
    if (rg) rows.push(beyondRow(`${name}, against ripgrep -i`, samples.ours, samples.nothing, samples.rg, 2));
    if (jq && word === RARE.latin) rows.push(await againstJq(bench, { ...samples, word, sessions, env }));
  }
  return rows;
}

/** jq reads a part of the tapes, once: it is not near. */
async function againstJq(bench, { ours, nothing, word, sessions, env }) {
  const tapes = readdirSync(sessions).filter((_, i) => i % JQ_PART === 0);
  const program = `select([.. | strings | ascii_downcase | contains("${word.toLowerCase()}")] | any) | .f`;
  const files = tapes.map((id) => join(sessions, id, 'wire.jsonl'));
  bench.progress('full text: jq');
  const took = await timed(bench, ['jq', '-c', program, ...files], env)();
  const name = `full text ${word}, against jq (${JQ_PART} times what it takes for a tenth of the tapes)`;
  return beyondRow(name, ours, nothing, [took * JQ_PART], 0.05);
}

async function listOfSessions(bench, { program, env }) {
  const samples = await interleave(bench, 'ls QUERY', {
    all: timed(bench, [program, 'ls'], env),
    ours: timed(bench, [program, 'ls', 'kind:approval wait:60s..*'], env),
    nothing: timed(bench, [process.execPath, '-e', '0'], env),
  });
  return [
    differenceRow('ls of all sessions, beyond an empty node', samples.all, samples.nothing, 0.2),
    differenceRow('ls kind:approval wait:60s..*, beyond an empty node', samples.ours, samples.nothing, 0.2),
  ];
}

async function longListing(bench, { program, env }) {
  const all = [program, 'filter', 'from:agent'];
  return withStore(bench, async (home, small) => {
    await fill(bench, home, small, Math.round(bench.frames / 10));
    const samples = await interleave(
      bench,
      'all frames of the agent',
      {
        many: () => drain(bench, all, env),
        few: () => drain(bench, all, small),
        nothing: timed(bench, [process.execPath, '-e', '0'], env),
      },
      { count: Math.min(3, bench.pairs) },
    );
    const first = samples.many.map(({ first, spawned }) => first - spawned);
    const peaks = (variant) => samples[variant].map(({ peak }) => peak);
    const took = (variant) => samples[variant].map(({ spawned, eof }) => eof - spawned);
    return [
      differenceRow('first row of a long listing, beyond an empty node', first, samples.nothing, 0.15),
      ratioRow('all rows of it, against a tenth of the frames', 'time', took('many'), took('few')),
      ratioRow(
        'peak memory of a long listing, against a tenth of the frames',
        'memory',
        peaks('many'),
        peaks('few'),
        1.3,
      ),
    ];
  });
}

const drain = (bench, command, env) => ask([...bench.peer, 'drain', '--', ...command], env);

/** How long a whole process takes, in seconds. */
function timed(bench, command, env) {
  return async () => {
    const { spawned, exit } = await drain(bench, command, env);
    return exit - spawned;
  };
}

function has(program) {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
