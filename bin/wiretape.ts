#!/usr/bin/env -S -u NODE_CHANNEL_FD WT_NODE_CHANNEL_FD=${NODE_CHANNEL_FD} WT_NODE_OPTIONS=${NODE_OPTIONS} NODE_OPTIONS=--no-warnings WT_NODE_DEBUG=${NODE_DEBUG} NODE_DEBUG=none node
import { closeSync, openSync, writeSync } from 'node:fs';
import { useCompiledCode } from './compiled-code.ts';

// Node settings in the environment are for the agent, not for us. The first line or the launcher (launch.c) sets them
// aside; the agent gets them back.
const SET_ASIDE = 'OPTIONS DEBUG CHANNEL_FD CHANNEL_SERIALIZATION_MODE UNIQUE_ID V8_COVERAGE EXTRA_CA_CERTS'.split(' ');
for (const name of SET_ASIDE.map((word) => `NODE_${word}`)) {
  const aside = process.env[`WT_${name}`];
  if (aside === undefined) continue;
  delete process.env[`WT_${name}`];
  if (aside === '' || aside.startsWith('${')) delete process.env[name];
  else process.env[name] = aside;
}

const argv = process.argv.slice(2);
const recording = argv[0] === 'record';

/**
 * Compiled code is beside our own files, because whoever can write there can change the program anyway. `record` does not
 * use it: it could not recover from a failure in it.
 */
if (!recording) useCompiledCode(import.meta.dirname);

/** Uncaught errors end with a message, not with a stack trace. The message is written at once. */
let explainError = (error: unknown, io: { env: NodeJS.ProcessEnv; say(line: string): void }): void =>
  io.say(`wiretape: ${String((error as Error)?.message ?? error).split('\n')[0]}`);

process.on('uncaughtException', (error: NodeJS.ErrnoException) => {
  // Nobody reads our output.
  if (error.code === 'EPIPE') return;
  const say = (line: string) => {
    try {
      writeSync(2, `${line}\n`);
    } catch {
      // It is full or closed.
    }
  };
  explainError(error, { env: process.env, say });
  process.exit(recording ? 125 : 2);
});

/** A limit of the system is too low. */
class LimitTooLow extends Error {}

/** Descriptors that a recording takes beside those of Node itself (see `launch.c`). */
const MIN_OPEN_FILES = 24;

/** The launcher has checked this, if there is one; but a replay starts its recorder without it. */
function checkFiles(): void {
  const opened: number[] = [];
  try {
    while (opened.length < MIN_OPEN_FILES) opened.push(openSync('/dev/null', 'r'));
  } catch {
    throw new LimitTooLow('the limit of open files is too low (ulimit -n)');
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Loads everything that `record` needs, so that a broken installation is detected before anything starts. */
async function load(): Promise<() => Promise<number>> {
  if (recording) checkFiles();
  const { main } = await import('../lib/cli.ts');
  const { ProcessIo, reportBug } = await import('../lib/output/terminal/io.ts');
  if (reportBug) explainError = reportBug;
  const { endBySignal } = await import('../lib/recording/proxy/signals.ts');
  const needed = [
    main,
    ProcessIo,
    endBySignal,
    recording ? (await import('../lib/commands/record.ts')).startQuickly : main,
  ];
  // Importing a missing name from an empty file does not throw.
  if (needed.includes(undefined as never)) throw new Error('one of them is empty');
  return async () => {
    const outcome = await main(argv, new ProcessIo());
    return typeof outcome === 'number' ? outcome : await endBySignal(outcome.signal);
  };
}

async function run(): Promise<void> {
  const start = await load().catch(async (error) => {
    const reason = String((error as Error)?.message ?? error).split('\n')[0];
    const failure = error instanceof LimitTooLow ? error : new Error(`cannot load its own files (${reason})`);
    if (!recording) throw failure;
    const { runUnrecorded } = await import('./unrecorded.ts');
    return () => runUnrecorded(argv.slice(1), failure);
  });
  process.exitCode = await start();
}

void run();
