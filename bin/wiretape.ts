#!/usr/bin/env node
import { main } from '../lib/cli.ts';
import { ProcessIo } from '../lib/io.ts';
import { endBySignal } from '../lib/proxy/signals.ts';

// NODE_OPTIONS was kept from us by the launcher (bin/launcher.mjs); the agent gets it back.
const { WIRETAPE_NODE_OPTIONS } = process.env;
if (WIRETAPE_NODE_OPTIONS !== undefined) {
  process.env.NODE_OPTIONS = WIRETAPE_NODE_OPTIONS;
  delete process.env.WIRETAPE_NODE_OPTIONS;
}

const outcome = await main(process.argv.slice(2), new ProcessIo());
process.exitCode = typeof outcome === 'number' ? outcome : await endBySignal(outcome.signal);
