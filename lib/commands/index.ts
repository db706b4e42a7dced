/** All subcommands, in the order of the help. Each is loaded only when it runs. */
import type { Command } from 'commander';
import type { Io } from '../output/terminal/io.ts';

export interface CommandSpec {
  name: string;
  summary: string;
  load(): Promise<{ define: Define }>;
}

/** Adds arguments, options, help and the action. */
export type Define = (command: Command, context: CommandContext) => void;

/** Options without a value. */
export type Flags<Name extends string> = Partial<Record<Name, boolean>>;

export interface CommandContext {
  io: Io;
  /** The words of the command line, for what the parser leaves out: where `--` was. */
  argv: readonly string[];
  /** All subcommands, for shell completion. */
  commands: readonly CommandSpec[];
  /** Sets how the process ends. Default: exit code 0. */
  exit(code: number | { signal: NodeJS.Signals }): void;
}

export const COMMANDS: readonly CommandSpec[] = [
  { name: 'record', summary: 'run an agent and record both directions', load: () => import('./record.ts') },
  { name: 'shim', summary: 'create a drop-in executable that records an agent', load: () => import('./shim.ts') },
  { name: 'ls', summary: 'list recorded sessions', load: () => import('./ls.ts') },
  {
    name: 'show',
    summary: 'show the timeline, frames or exact bytes of a session',
    load: () => import('./show.ts'),
  },
  { name: 'play', summary: 'watch a session again, at its own pace', load: () => import('./play.ts') },
  { name: 'tail', summary: 'follow a running session', load: () => import('./tail.ts') },
  { name: 'filter', summary: 'find frames that match a query', load: () => import('./filter.ts') },
  {
    name: 'approvals',
    summary: 'audit what was asked, allowed and run, or never asked',
    load: () => import('./approvals.ts'),
  },
  { name: 'why', summary: 'explain a hang: who has not answered whom', load: () => import('./why.ts') },
  { name: 'stats', summary: 'count turns, tools, tokens, bytes and waits', load: () => import('./stats.ts') },
  { name: 'check', summary: 'check sessions against the rules of their protocol', load: () => import('./check.ts') },
  { name: 'replay', summary: 'be the recorded agent, or drive a live one', load: () => import('./replay.ts') },
  { name: 'diff', summary: 'compare two sessions by meaning', load: () => import('./diff.ts') },
  { name: 'verify', summary: 'verify that tapes have not been altered', load: () => import('./verify.ts') },
  {
    name: 'minimize',
    summary: 'find the smallest session that still makes a test fail',
    load: () => import('./minimize.ts'),
  },
  { name: 'redact', summary: 'copy a session without secrets and personal data', load: () => import('./redact.ts') },
  { name: 'import', summary: 'import sessions recorded by other programs', load: () => import('./import.ts') },
  { name: 'export', summary: 'export a session in another format', load: () => import('./export.ts') },
  { name: 'report', summary: 'write one safe file that shows a bug', load: () => import('./report.ts') },
  { name: 'tag', summary: 'set the name and tags of sessions', load: () => import('./tag.ts') },
  { name: 'rm', summary: 'remove sessions', load: () => import('./rm.ts') },
  { name: 'prune', summary: 'remove old sessions by age, count or size', load: () => import('./prune.ts') },
  { name: 'config', summary: 'limit how much the store keeps', load: () => import('./config.ts') },
  { name: 'reindex', summary: 'rebuild the index from the tapes', load: () => import('./reindex.ts') },
  { name: 'doctor', summary: 'check the store, this machine and installed agents', load: () => import('./doctor.ts') },
  {
    name: 'completion',
    summary: 'print a shell completion script',
    load: () => import('./completion.ts'),
  },
  { name: 'demo', summary: 'record a sample client against a sample agent', load: () => import('./demo.ts') },
];
