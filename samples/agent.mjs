#!/usr/bin/env node
// A scripted agent that speaks Kimi Wire on stdin and stdout, as `kimi --wire` (kimi-cli 1.49.0) does.
// It needs no model and no network: a scenario file says what it does. See samples/README.md.

import { UnknownPart } from './lib/failures.mjs';
import { Wire } from './lib/jsonrpc.mjs';
import { describeProgram } from './lib/kimi.mjs';
import { LineWriter, readLines } from './lib/lines.mjs';
import { readAgentOptions } from './lib/options.mjs';
import { loadScenario } from './lib/scenario.mjs';
import { Server } from './lib/server.mjs';
import { Session } from './lib/session.mjs';

const options = readAgentOptions(process.argv.slice(2), process.env);
if (options.task === 'serve') serve();
else process.stdout.write(`${describeProgram(options.task)}\n`);

function serve() {
  let scenario;
  try {
    scenario = loadScenario(options.scenario);
  } catch (error) {
    process.stderr.write(`sample agent: ${error.message}\n`);
    process.exitCode = 2;
    return;
  }
  // A reader that has gone ends the agent, quietly.
  const writer = new LineWriter(process.stdout, () => process.exit(0));
  const session = new Session(new Wire(writer), options, scenario);
  const server = new Server(session);

  let ending = false;
  // The end of stdin and SIGINT end the agent with code 0; SIGTERM has no handler and kills it.
  const end = () => {
    if (ending) return;
    ending = true;
    server.shutDown();
    process.stdin.destroy();
    if (!session.history.isEmpty) process.stderr.write(`\nTo resume this session: kimi -r ${session.id}\n`);
  };
  process.on('SIGINT', end);
  readLines(process.stdin, (line) => !ending && receive(server, line), end);
}

function receive(server, line) {
  try {
    server.receive(line);
  } catch (error) {
    if (!(error instanceof UnknownPart)) throw error;
    process.stderr.write(`${error.message}\nSee logs: ~/.kimi/logs/kimi.log\n`);
    process.stderr.write('Run with --debug for full traceback, or run kimi export to share diagnostics.\n');
    process.exit(1);
  }
}
