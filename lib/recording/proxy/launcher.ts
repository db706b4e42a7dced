/**
 * Starts the agent through the launcher (bin/launch.c). The launcher waits for an order before it executes the agent, so
 * that the watchdog knows the pid before the agent does anything. It also passes on what a Node program cannot: ignored
 * and blocked signals, and arguments that are not UTF-8.
 */
import { existsSync, fstatSync, readFileSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { getSystemErrorName } from 'node:util';
import { installedPath } from '../../storage/system/installation.ts';

const LAUNCHER = installedPath('dist/bin/launch');

/** The launcher's path; null if it was not compiled. */
export function findLauncher(): string | null {
  return existsSync(LAUNCHER) ? LAUNCHER : null;
}

/** What the launcher saw when wiretape was started. */
export interface StartState {
  /** Signal masks, in hexadecimal. */
  ignored: string;
  blocked: string;
  /** How many files may be open, in hexadecimal: Node has made it more. */
  files: string;
  /** Descriptors above 2 that the agent inherits. */
  descriptors: number[];
}

/** Reads the launcher's variable and removes it, so that the agent does not see it. */
export function takeStartState(env: NodeJS.ProcessEnv): StartState {
  const [ignored = '0', blocked = '0', files = '0', ...descriptors] = (env.WT_STARTED ?? '').split(' ').filter(Boolean);
  delete env.WT_STARTED;
  // A Node client's IPC channel; the first line of the program saves it as well.
  const channel = env.NODE_CHANNEL_FD ? [env.NODE_CHANNEL_FD] : [];
  const numbers = new Set([...descriptors, ...channel].map(Number).filter(isOpen));
  return { ignored, blocked, files, descriptors: [...numbers] };
}

function isOpen(fd: number): boolean {
  if (!Number.isInteger(fd) || fd < 3 || fd >= 1024) return false;
  try {
    return fstatSync(fd) !== null;
  } catch {
    return false;
  }
}

/** Sends the order. Resolves when the agent is running, or rejects with the system's error. */
export function orderAgent(gate: Duplex, command: readonly string[], env: NodeJS.ProcessEnv, start: StartState) {
  return new Promise<void>((done, reject) => {
    const answer: Buffer[] = [];
    gate.on('data', (chunk: Buffer) => answer.push(chunk));
    gate.on('error', () => {});
    gate.on('close', () => {
      const errno = Buffer.concat(answer);
      if (errno.length < 4) return done();
      reject(Object.assign(new Error('cannot execute'), { code: getSystemErrorName(-errno.readInt32LE(0)) }));
    });
    gate.write(encodeOrder(command, env, start));
  });
}

function encodeOrder(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  { ignored, blocked, files }: StartState,
): Buffer {
  const words = exactWords(command);
  const variables = exactVariables(env);
  const parts = [
    `${ignored} ${blocked} ${files}`,
    words[0]!,
    `${words.length}`,
    ...words,
    `${variables.length}`,
    ...variables,
  ];
  const zero = Buffer.alloc(1);
  const order = Buffer.concat(parts.flatMap((part) => [Buffer.from(part), zero]));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(order.length);
  return Buffer.concat([length, order]);
}

/** The original bytes of the arguments: Node replaces bytes that are not UTF-8 with U+FFFD. */
function exactWords(command: readonly string[]): (string | Buffer)[] {
  if (!command.some(isLossy)) return [...command];
  const given = zeroEnded('/proc/self/cmdline').slice(-command.length);
  return command.map((word, i) => (given[i]?.toString() === word ? given[i]! : word));
}

function exactVariables(env: NodeJS.ProcessEnv): (string | Buffer)[] {
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  if (!variables.some(isLossy)) return variables;
  const given = new Map(zeroEnded('/proc/self/environ').map((bytes) => [bytes.toString(), bytes]));
  return variables.map((variable) => given.get(variable) ?? variable);
}

function isLossy(text: string): boolean {
  return text.includes('\uFFFD');
}

function zeroEnded(path: string): Buffer[] {
  try {
    const bytes = readFileSync(path, 'latin1').split('\0').slice(0, -1);
    return bytes.map((text) => Buffer.from(text, 'latin1'));
  } catch {
    // No /proc here.
    return [];
  }
}
