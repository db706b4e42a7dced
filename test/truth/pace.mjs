/**
 * npm run pace -- PATH [--speed 50x] [--max-gap 100ms] [--jobs 2] [--only WORD]: every tape NAME.jsonl below PATH drives its
 * own replay at that pace, `wiretape replay T -- wiretape replay T`, as processes. Prints what went otherwise, and ends with 1
 * if anything did. Tapes without a client cannot drive an agent, and a run of a tape without an end differs in that: they
 * are counted.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const PROGRAM = fileURLToPath(new URL('../../dist/bin/wiretape', import.meta.url));
/** What a report of a run lists if something went otherwise. */
const LISTS = ['unmatched', 'departed', 'never_sent', 'never_asked'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    speed: { type: 'string', default: '50x' },
    'max-gap': { type: 'string', default: '100ms' },
    jobs: { type: 'string', default: '2' },
    only: { type: 'string', default: '' },
  },
});
const [root] = positionals;
if (!root || !existsSync(root)) {
  console.error('pace: no tapes there\nhint: npm run pace -- PATH, with tapes below PATH');
  process.exit(2);
}

const tapes = tapesBelow(resolve(root)).filter((path) => path.includes(values.only));
const counts = { same: 0, otherwise: 0, 'without a client': 0, 'without an end': 0 };
await Promise.all(Array.from({ length: Number(values.jobs) }, work));
console.log(
  `${Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ')}`,
);
if (counts.otherwise > 0) process.exitCode = 1;

async function work() {
  for (let path = tapes.shift(); path !== undefined; path = tapes.shift()) {
    const { what, told } = await driven(path);
    counts[what]++;
    if (told) console.log(`${relative(root, path)}: ${told}`);
    process.stderr.write(`${tapes.length} left\r`);
  }
}

async function driven(path) {
  const home = mkdtempSync(join(tmpdir(), 'wiretape-pace-'));
  const env = { ...process.env, WIRETAPE_HOME: home };
  const wiretape = (...words) => run([PROGRAM, ...words], { env, cwd: home });
  try {
    const imported = await wiretape('import', path);
    if (imported.code !== 0) return { what: 'otherwise', told: `cannot be imported: ${imported.err}` };
    const [row] = (await wiretape('ls', '--all', '--json')).out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const pace = ['--speed', values.speed, '--max-gap', values['max-gap']];
    // The options of the recorded agent may say the mode.
    const [, ...options] = row.command;
    const agent = join(home, 'agent');
    writeFileSync(agent, `#!/bin/sh\nexec '${PROGRAM}' replay ${row.session} ${pace.join(' ')}\n`, { mode: 0o755 });
    const report = join(home, 'report.json');
    const ran = await wiretape('replay', row.session, ...pace, '--report', report, '--', agent, ...options);
    if (ran.code === 2 && /no lines from the client/.test(ran.err)) return { what: 'without a client', told: '' };
    if (ran.code === 0) return { what: 'same', told: '' };
    const isTold = ran.code === 1 && existsSync(report);
    if (isTold && row.state === 'incomplete' && reasonIn(report) === '') return { what: 'without an end', told: '' };
    return {
      what: 'otherwise',
      told: `exit ${ran.code ?? ran.signal}, ${reasonIn(report)}${ran.err.trim()}\n${ran.out.trimEnd()}`,
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function reasonIn(path) {
  if (!existsSync(path) || readFileSync(path, 'utf8') === '') return '';
  const report = JSON.parse(readFileSync(path, 'utf8'));
  const lists = LISTS.filter((name) => report[name].length > 0);
  return lists.map((name) => `${name}: ${JSON.stringify(report[name])}\n`).join('');
}

function run([file, ...words], options) {
  return new Promise((done) => {
    const child = spawn(file, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => {
      texts.out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      texts.err += chunk;
    });
    child.on('close', (code, signal) => done({ code, signal, ...texts }));
  });
}

function tapesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl') && !name.endsWith('.meta.jsonl') && !name.includes('session-folders'))
    .map((name) => join(folder, name))
    .sort();
}
