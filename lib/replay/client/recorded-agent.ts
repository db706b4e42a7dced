/** A live agent behind `wiretape record`, as a child process, and the session that it is recorded as. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { attempt } from '../../storage/store/home.ts';
import { openPlace, using } from '../../storage/store/open.ts';
import { readOwner } from '../../storage/store/owner.ts';
import { listIds, placeOf } from '../../storage/store/sessions.ts';
import { PROGRAM } from '../../storage/system/installation.ts';
import { Timer } from '../../storage/system/wakeup.ts';
import { type PeerEvents, StreamPeer } from './peer.ts';

export interface RecordedAgentOptions {
  home: string;
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** The session that is replayed. */
  replays: string;
  dialect: string | null;
  /** More options of `wiretape record`. */
  recordOptions: readonly string[];
  /** What the agent and its recorder write on stderr. */
  onStderr: (chunk: Uint8Array) => void;
}

export interface RecordedAgentExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How long the agent has to end after SIGTERM. */
const GRACE_SECONDS = 3;
/** How many sessions may have begun since ours did. */
const MAX_NEWER_SESSIONS = 50;

export class RecordedAgent {
  readonly peer: StreamPeer;
  /** Resolves when it has exited and everything that it wrote was read. */
  readonly exited: Promise<RecordedAgentExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #home: string;
  #session: string | null = null;
  #terminated: Promise<void> | null = null;

  constructor(options: RecordedAgentOptions, events: PeerEvents) {
    const { home, command, env, cwd, replays, dialect, recordOptions, onStderr } = options;
    this.#home = home;
    const words = ['--store', home, '--replays', replays, ...(dialect ? ['--dialect', dialect] : []), ...recordOptions];
    this.#child = spawn(process.execPath, [PROGRAM, 'record', ...words, '--', ...command], {
      ...{ env, stdio: 'pipe', ...(cwd === undefined ? {} : { cwd }) },
      // Ctrl-C in a terminal is for us: the agent gets a signal when we send it one.
      detached: true,
    });
    const { stdin, stdout, stderr } = this.#child;
    stderr.on('data', onStderr);
    this.peer = new StreamPeer(stdin, stdout, events, (signal) => this.#child.kill(signal));
    this.exited = once(this.#child, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** The session that it is recorded as; null if it is not recorded. */
  get session(): string | null {
    this.#session ??= this.#findSession();
    return this.#session;
  }

  /** Ends the agent: by SIGTERM, and if it does not obey, by SIGKILL. */
  terminate(): Promise<void> {
    this.#terminated ??= this.#terminate();
    return this.#terminated;
  }

  async #terminate(): Promise<void> {
    this.#child.kill('SIGTERM');
    const kill = new Timer(() => this.#kill());
    kill.set(GRACE_SECONDS);
    await this.exited;
    kill.clear();
  }

  /** Kills the agent itself, so that its recorder can finish the tape. */
  #kill(): void {
    const pid = this.#pidOfAgent();
    if (pid === null) this.#child.kill('SIGKILL');
    else attempt(() => process.kill(-pid, 'SIGKILL'), false);
  }

  #pidOfAgent(): number | null {
    const id = this.session;
    if (id === null) return null;
    return using(openPlace(placeOf(this.#home, id)), (session) => {
      for (const { event, detail } of session.frames())
        if (event === 'spawn') return typeof detail.pid === 'number' ? detail.pid : null;
      return null;
    });
  }

  #findSession(): string | null {
    const newest = listIds(this.#home).slice(-MAX_NEWER_SESSIONS).reverse();
    return newest.find((id) => readOwner(placeOf(this.#home, id).dir)?.pid === this.#child.pid) ?? null;
  }
}
