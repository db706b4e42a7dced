#!/usr/bin/env -S WT_NODE_OPTIONS=${NODE_OPTIONS} NODE_OPTIONS=--no-warnings WT_NODE_DEBUG=${NODE_DEBUG} NODE_DEBUG=none node
import { main } from '../lib/cli.ts';
import { ProcessIo } from '../lib/io.ts';
import { endBySignal } from '../lib/proxy/signals.ts';

// What is meant for the agent's Node must not change ours: the first line sets it aside, the agent gets it back.
for (const name of ['NODE_OPTIONS', 'NODE_DEBUG']) {
  const aside = process.env[`WT_${name}`];
  if (aside === undefined) continue;
  delete process.env[`WT_${name}`];
  if (aside === '' || aside.startsWith('${')) delete process.env[name];
  else process.env[name] = aside;
}

const outcome = await main(process.argv.slice(2), new ProcessIo());
process.exitCode = typeof outcome === 'number' ? outcome : await endBySignal(outcome.signal);
