// peer.c once more, for machines without a C compiler: the same arguments, the same answers, less steady.
import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';

const LINE = 190;
const seconds = () => Number(process.hrtime.bigint()) / 1e9;
const [mode, ...rest] = process.argv.slice(2);
const dashes = rest.indexOf('--');
const numbers = rest.slice(0, dashes < 0 ? rest.length : dashes).map(Number);
const command = dashes < 0 ? [] : rest.slice(dashes + 1);

/** A synchronous write that waits where the pipe is full. */
function put(bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

function frame(number) {
  const head = `{"jsonrpc":"2.0","method":"event","params":{"type":"ContentPart","payload":{"type":"text","text":"${String(number).padStart(7, '0')} `;
  const text =
    number % 4 === 3
      ? '敏捷 and then the brown fox jumps over the lazy dog, as it does in every test since typewriters were'
      : 'and then the \\"quick\\" brown fox\\njumps over the lazy dog, as it does in every test since typewriters';
  const room = LINE - head.length - 5;
  return Buffer.concat([Buffer.from(head), Buffer.from(text).subarray(0, room), Buffer.from('"}}}\n')]);
}

function flood(frames, block) {
  const MANY = 4096;
  const lines = Buffer.concat(Array.from({ length: MANY }, (_, i) => frame(i)));
  for (let i = 0; i < frames; ) {
    const at = i % MANY;
    const n = Math.min(block, MANY - at, frames - i);
    put(lines.subarray(at * LINE, (at + n) * LINE));
    i += n;
  }
}

function longLine(bytes) {
  const line = Buffer.allocUnsafe(bytes);
  let state = 1;
  for (let i = 0; i < bytes; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    line[i] = 97 + ((state >>> 24) % 26);
  }
  line.write('{"jsonrpc":"2.0","id":"1","result":{"data":"', 0);
  line.write('"}}\n', bytes - 4);
  put(line);
}

/** Starts the command; `tell` prints the client's answer once the command has ended. */
function start() {
  const spawned = seconds();
  const child = spawn(command[0], command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] });
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, statusKb(child.pid, 'VmHWM'));
  };
  const looking = setInterval(look, 20);
  const ended = new Promise((done) => child.on('exit', (code, signal) => done(signal ? 128 : code)));
  child.stdin.on('error', () => {});
  const tell = async (answer) => {
    look();
    const status = await ended;
    clearInterval(looking);
    console.log(JSON.stringify({ ...answer, spawned, exit: seconds(), status, peak }));
  };
  return { child, tell };
}

function statusKb(pid, name) {
  try {
    return Number(new RegExp(`${name}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? -1);
  } catch {
    return -1;
  }
}

/** Sends request after request, each when the echo of the one before is whole. Returns how long each took. */
async function roundTrips(child, count, each) {
  const padding = 'please tell me what the quick brown fox did to the lazy dog on the morning of the fifth of November';
  const took = [];
  let have = 0;
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    have += chunk.length;
    wake();
  });
  for (let i = 0; i < count; i++) {
    const id = String(i).padStart(8, '0');
    const request = Buffer.from(
      `{"jsonrpc":"2.0","method":"prompt","id":"${id}","params":{"user_input":"${padding}, and why it did so"}}\n`,
    );
    have = 0;
    const sent = seconds();
    child.stdin.write(request);
    while (have < request.length) {
      await new Promise((done) => {
        wake = done;
      });
    }
    took.push(seconds() - sent);
    if (each(i) === false) break;
  }
  child.stdin.end();
  return took;
}

async function trips(warm, count) {
  const { child, tell } = start();
  const took = (await roundTrips(child, warm + count, () => true)).slice(warm).sort((a, b) => a - b);
  const mean = took.reduce((sum, t) => sum + t, 0) / count;
  await tell({ p50: took[count >> 1], p99: took[Math.floor(count * 0.99)], max: took.at(-1), mean });
}

async function soak(count, longest) {
  const { child, tell } = start();
  const until = seconds() + longest;
  const every = Math.floor(count / 200) + 1;
  const rss = [];
  const took = await roundTrips(child, count, (i) => {
    if (i % every === 0) rss.push(statusKb(child.pid, 'VmRSS'));
    return seconds() < until;
  });
  await tell({ rss, trips: took.length });
}

async function drain() {
  const { child, tell } = start();
  child.stdin.end();
  let bytes = 0;
  let began = 0;
  for await (const chunk of child.stdout) {
    if (bytes === 0) began = seconds();
    bytes += chunk.length;
  }
  await tell({ first: began, eof: seconds(), bytes });
}

const MODES = {
  echo: () => process.stdin.pipe(process.stdout),
  flood,
  line: longLine,
  first: () => {
    put(Buffer.from('x\n'));
    process.stdin.resume();
  },
  trips,
  soak,
  drain,
};
await MODES[mode](...numbers);
