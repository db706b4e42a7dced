// Runs programs: a client of peer.c for its answer, or anything for its output.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { watchOthers } from './machine.mjs';

/** Runs a program to its end; `take` gets what it writes. Throws if it ends otherwise or talks on stderr. */
export async function run(command, env, take = () => {}, good = [0]) {
  const child = spawn(command[0], command.slice(1), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let talk = '';
  child.stderr.on('data', (chunk) => {
    talk += chunk;
  });
  child.stdout.on('data', take);
  const code = await new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', done);
  });
  if (!good.includes(code) || talk !== '')
    throw new Error(`${command.slice(0, 3).join(' ')}: exit ${code} ${talk.trim()}`);
}

/** What a client of peer.c answers, and whether others disturbed it. The command that it ran must have ended well. */
export async function ask(command, env) {
  const others = watchOthers();
  let text = '';
  await run(command, env, (chunk) => {
    text += chunk;
  });
  const answer = JSON.parse(text);
  if (answer.status !== 0) throw new Error(`the measured command ended with ${answer.status}`);
  return { ...answer, disturbed: answer.cpu !== undefined && others(answer.cpu) };
}

/** SHA-256 and length of everything a program writes. */
export async function digestOf(command, env) {
  const hash = createHash('sha256');
  let bytes = 0;
  await run(command, env, (chunk) => {
    hash.update(chunk);
    bytes += chunk.length;
  });
  return { sha256: hash.digest('hex'), bytes };
}
