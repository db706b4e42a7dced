#!/usr/bin/env node
// A sample client: starts an agent that speaks Kimi Wire, sends prompts, answers its requests by policy,
// and tells on stdout what happened. Exit code 0 if all went well. See samples/README.md.

import { Account } from './lib/client-account.mjs';
import { Answers } from './lib/client-answers.mjs';
import { Connection } from './lib/client-connection.mjs';
import { readClientOptions, USAGE } from './lib/client-options.mjs';
import { ScriptPlayer } from './lib/client-script.mjs';

const PATIENCE_AFTER_EOF = 5000;

try {
  const options = readClientOptions(process.argv.slice(2));
  process.exitCode = (await converse(options)) ? 0 : 1;
} catch (error) {
  process.stderr.write(`sample client: ${error.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

/** @param {import('./lib/client-options.mjs').ClientOptions} options */
async function converse(options) {
  const { approve, answer, delay } = options;
  const account = new Account(options.quiet ? () => {} : (line) => process.stdout.write(`${line}\n`));
  const connection = new Connection(options.command);
  connection.on('event', (type, payload) => account.event(type, payload));
  connection.on('request', (_id, type, payload) => account.request(type, payload));
  connection.on('stray', ({ error }) => account.agent(`says ${error?.code} ${error?.message} to nobody in particular`));
  connection.on('noise', (line) => account.agent(`writes: ${line}`));
  const answers = new Answers(connection, account, { approve, answer, delay, hold: false });
  const script = new ScriptPlayer(connection, answers, account, initializeParams(options));

  const giveUp = options.timeout === null ? null : setTimeout(stop, options.timeout * 1000);
  function stop() {
    script.problems.push(`gave up after ${options.timeout} s`);
    connection.close();
  }
  try {
    await script.play({ initialize: true });
    for (const action of options.actions) await script.play(action);
    await script.finish();
  } catch (error) {
    script.problems.push(error.message);
  }
  clearTimeout(giveUp);
  for (const type of answers.unanswered) script.problems.push(`${type} left unanswered`);
  for (const method of connection.openCalls) script.problems.push(`${method} never answered`);
  await leave(connection, script.problems);
  account.flush();
  for (const problem of script.problems) process.stderr.write(`sample client: ${problem}\n`);
  return script.problems.length === 0;
}

/** Closes our end and waits for the agent's exit; one that stays is ended. */
async function leave(connection, problems) {
  connection.close();
  const impatience = setTimeout(() => {
    problems.push('the agent did not exit after the end of its input');
    connection.kill();
  }, PATIENCE_AFTER_EOF);
  const { code, signal, error } = await connection.ended;
  clearTimeout(impatience);
  if (error) problems.push(`the agent did not start: ${error.message}`);
  else if (code !== 0) problems.push(`the agent ended with ${signal ?? `code ${code}`}`);
}

function initializeParams({ hooks }) {
  return {
    protocol_version: '1.10',
    client: { name: 'wiretape-sample-client', version: '1.0.0' },
    external_tools: [
      {
        name: 'open_in_ide',
        description: 'Open a file in the IDE',
        parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
    ],
    capabilities: { supports_question: true, supports_plan_mode: true },
    ...(hooks.length > 0 ? { hooks } : {}),
  };
}
