/** This machine: versions, and the programs that recording leans on. */
import { spawnSync } from 'node:child_process';
import { release } from 'node:os';
import { resolveExecutable } from '../proxy/executable.ts';
import { findLauncher } from '../proxy/launcher.ts';
import { VERSION } from '../version.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;

const launched = ok('launcher', 'ignored signals, the signal mask and open descriptors reach the agent');

export function lookAtMachine(env: NodeJS.ProcessEnv): Finding[] {
  return [versions(), platform(), findLauncher() ? launched : envSplits(), shell(), fifos(env)];
}

function versions(): Finding {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const message = `wiretape ${VERSION}, Node ${process.versions.node}`;
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return old
    ? problem('versions', `${message}, which is too old`, `Node >= ${OLDEST_NODE.join('.')} is needed`)
    : ok('versions', message);
}

function platform(): Finding {
  const message = `${process.platform} ${process.arch}, ${release()}`;
  if (process.platform === 'linux' || process.platform === 'darwin') return ok('platform', message);
  return warning('platform', message, 'recording needs Linux or macOS; reading works everywhere');
}

/** The first line of the program needs it, where there is no launcher. */
function envSplits(): Finding {
  const works = spawnSync('/usr/bin/env', ['-S', 'true'], { stdio: 'ignore' }).status === 0;
  if (works) {
    return ok('launcher', 'not compiled: ignored signals and descriptors beyond stderr do not reach the agent');
  }
  return warning('env', '/usr/bin/env knows no -S, so `wiretape` cannot be started by its name', 'install coreutils');
}

function shell(): Finding {
  const works = spawnSync('/bin/sh', ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;
  if (works) return ok('shell', '/bin/sh works');
  return problem('shell', '/bin/sh does not work', 'the watchdog of a killed recorder and shims need it');
}

function fifos(env: NodeJS.ProcessEnv): Finding {
  if (resolveExecutable('mkfifo', env.PATH)) return ok('mkfifo', 'the agent gets pipes, as without wiretape');
  return warning('mkfifo', 'not found, so agents get sockets where clients gave pipes', 'install coreutils');
}
