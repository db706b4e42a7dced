/** This machine: versions, and the programs that recording needs. */
import { spawnSync } from 'node:child_process';
import { release } from 'node:os';
import { VERSION } from '../../storage/system/installation.ts';
import { resolveExecutable } from '../proxy/executable.ts';
import { findLauncher } from '../proxy/launcher.ts';
import { type DoctorFinding, ok, problem, warning } from './finding.ts';

const OLDEST_NODE = [20, 19] as const;

const launched = ok('launcher', 'passes ignored signals, the signal mask and open descriptors to the agent');

export function checkMachine(env: NodeJS.ProcessEnv): DoctorFinding[] {
  return [versions(), platform(), findLauncher() ? launched : envSplits(), shell(), fifos(env)];
}

function versions(): DoctorFinding {
  const [major, minor] = process.versions.node.split('.').map(Number) as [number, number];
  const message = `wiretape ${VERSION}, Node ${process.versions.node}`;
  const old = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  return old
    ? problem('versions', `${message} is too old`, `Node >= ${OLDEST_NODE.join('.')} is required`)
    : ok('versions', message);
}

function platform(): DoctorFinding {
  const message = `${process.platform} ${process.arch}, ${release()}`;
  if (process.platform === 'linux' || process.platform === 'darwin') return ok('platform', message);
  return warning('platform', message, 'recording needs Linux or macOS; reading works everywhere');
}

/** Without the launcher, the first line of the program needs `env -S`. */
function envSplits(): DoctorFinding {
  const works = spawnSync('/usr/bin/env', ['-S', 'true'], { stdio: 'ignore' }).status === 0;
  if (works) {
    return ok('launcher', 'not compiled: ignored signals and descriptors above 2 are not passed to the agent');
  }
  return warning('env', '/usr/bin/env has no -S, so `wiretape` cannot be started by name', 'install coreutils');
}

function shell(): DoctorFinding {
  const works = spawnSync('/bin/sh', ['-c', 'exit 0'], { stdio: 'ignore' }).status === 0;
  if (works) return ok('shell', '/bin/sh works');
  return problem('shell', '/bin/sh does not work', 'shims and the watchdog of the recorder need it');
}

function fifos(env: NodeJS.ProcessEnv): DoctorFinding {
  if (resolveExecutable('mkfifo', env.PATH)) return ok('mkfifo', 'found: agents get pipes, as without wiretape');
  return warning('mkfifo', 'not found: agents get sockets instead of pipes', 'install coreutils');
}
