/** The first line of a tape. It has the names of environment variables, never their values. */
import { readFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { FORMAT, type Metadata } from '../../model/frame.ts';
import { attempt } from '../../storage/store/home.ts';
import { VERSION } from '../../storage/system/installation.ts';
import { resolveExecutable } from '../proxy/executable.ts';

export interface RecordingDetails {
  session: string;
  startedAt: string;
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  dialect: string | null;
  /** The session that the client replays, if it does. */
  replays: string | null;
}

export function metadataOfRecording(details: RecordingDetails): Metadata {
  return {
    type: 'metadata',
    wiretape: FORMAT,
    session: details.session,
    started_at: details.startedAt,
    command: [...details.command],
    // If the directory was removed, the name that it had at the start.
    cwd: attempt(() => process.cwd(), process.env.PWD ?? ''),
    recorder: `wiretape ${VERSION}`,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    user: attempt(() => userInfo().username, String(process.getuid?.() ?? '')),
    host: hostname(),
    pid: process.pid,
    parent: { pid: process.ppid, command: commandOf(process.ppid) },
    agent_path: resolveExecutable(details.command[0]!, details.env.PATH),
    env: Object.keys(details.env).sort(),
    ...(details.dialect ? { dialect: details.dialect } : {}),
    ...(details.replays ? { source: 'replay', replay_of: details.replays } : {}),
  };
}

/** A process's command line, if the system provides it. */
function commandOf(pid: number): string[] | null {
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').slice(0, -1), null);
}
