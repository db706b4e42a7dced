#!/usr/bin/env -S -u NODE_CHANNEL_FD WT_NODE_CHANNEL_FD=${NODE_CHANNEL_FD} WT_NODE_OPTIONS=${NODE_OPTIONS} NODE_OPTIONS=--no-warnings WT_NODE_DEBUG=${NODE_DEBUG} NODE_DEBUG=none node
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

/** Loads everything that `record` needs, so that a broken installation is detected before anything starts. */
async function load(): Promise<() => Promise<number>> {
  const { main } = await import('../lib/cli.ts');
  const { ProcessIo } = await import('../lib/io.ts');
  const { endBySignal } = await import('../lib/proxy/signals.ts');
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
    if (!recording) throw error;
    const { runUnrecorded } = await import('./unrecorded.ts');
    return () => runUnrecorded(argv.slice(1), error);
  });
  process.exitCode = await start();
}

void run();
