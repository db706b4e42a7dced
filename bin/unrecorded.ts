/**
 * The fallback of `wiretape record` when the rest of wiretape cannot be loaded: it runs the agent on our own streams and
 * ends as the agent did. A broken installation costs the client no more than one line on stderr. Nothing here uses lib.
 */
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const OWN_FAILURE_CODE = 125;
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2', 'SIGCONT'] as const;
/** Signals that a terminal also sends to the agent itself. */
const FROM_TERMINAL: readonly string[] = ['SIGINT', 'SIGQUIT', 'SIGCONT'];

export interface RecordArguments {
  agent: string[];
  strict: boolean;
}

/** The agent's command and `--strict` in the words after `record`; null if there is no command. */
export function parseArguments(words: readonly string[]): RecordArguments | null {
  let strict = false;
  let i = 0;
  for (; i < words.length && words[i] !== '--' && words[i]!.startsWith('-'); i++) {
    if (words[i] === '--help' || words[i] === '-h') return null;
    if (words[i] === '--strict') strict = true;
    else if (!words[i]!.includes('=')) i++;
  }
  const agent = words.slice(words[i] === '--' ? i + 1 : i);
  return agent.length > 0 ? { agent, strict } : null;
}

/** Runs the agent of `wiretape record WORDS` despite the error. Throws the error if there is no agent to run. */
export async function runUnrecorded(words: readonly string[], error: Error): Promise<number> {
  const parsed = parseArguments(words);
  if (!parsed) throw error;
  print(`${error.message}; ${parsed.strict ? 'the agent is not started' : 'the agent runs unrecorded'}`);
  return parsed.strict ? OWN_FAILURE_CODE : await run(parsed.agent);
}

async function run([file, ...args]: string[]): Promise<number> {
  delete process.env.WT_STARTED;
  const agent = spawn(file!, args, { stdio: 'inherit' });
  const onTerminal = isatty(0);
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      if (!(onTerminal && FROM_TERMINAL.includes(signal))) agent.kill(signal);
    });
  }
  return await new Promise((done) => {
    agent.on('error', (error: NodeJS.ErrnoException) => {
      const missing = error.code === 'ENOENT';
      print(missing ? `agent not found: ${file}` : `cannot execute ${file} (${error.code})`);
      done(missing ? 127 : 126);
    });
    agent.on('exit', (code, signal) => {
      if (signal === null) return done(code ?? OWN_FAILURE_CODE);
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
      setTimeout(() => done(128 + constants.signals[signal]), 100);
    });
  });
}

/** Writes synchronously: opening `process.stderr` would make a shared pipe non-blocking. */
function print(line: string): void {
  try {
    // Paths may contain control characters, which must not reach a terminal.
    writeSync(2, `wiretape: ${line.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029]/gu, '?')}\n`);
  } catch {
    // Full or closed.
  }
}
