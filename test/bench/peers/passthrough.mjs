// The baseline: the least that a Node program between a client and an agent can do. It records nothing.
import { spawn } from 'node:child_process';

const [command, ...args] = process.argv.slice(2);
const agent = spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(agent.stdin);
agent.stdout.pipe(process.stdout);
agent.on('close', (code, signal) => {
  process.stdin.destroy();
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
});
